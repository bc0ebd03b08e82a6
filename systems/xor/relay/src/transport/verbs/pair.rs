//! One end of a reliable connection: a queue pair with its own completion queue.
use super::device::{Device, Place};
use super::rdma_message::Address;
use super::sys::{self, mask};
use std::collections::VecDeque;
use std::ffi::{CStr, c_int};
use std::io;
use std::sync::Arc;

/// Blocks posted at a time; each is two requests.
pub(super) const MOST_SENDS: usize = 64;
/// Blocks that may arrive between two polls. Further ones wait at their sender (RNR).
const RECEIVES: u32 = 512;
/// Completions of one poll.
const AT_ONCE: usize = 16;
/// 2^18 × 4.096 µs = 1.1 s until a packet is repeated, up to 7 times, so that slow peers survive.
const TIMEOUT: u8 = 18;
const RETRIES: u8 = 7;
/// Retries without limit while the receiver is not ready.
const FOR_EVER: u8 = 7;
/// 0.64 ms between two tries.
const RNR_TIMER: u8 = 12;
/// First packet number, of 24 bits. Each connection has a new queue pair, so a constant will do.
const FIRST: u32 = 0x5442;

pub(super) struct Post {
    /// Address, length and local key of the block.
    pub(super) from: (u64, u32, u32),
    /// Address and remote key of the slot.
    pub(super) to: (u64, u32),
    /// Written first, to `word_to`: the sender's 32 bits.
    pub(super) word: u32,
    pub(super) word_to: (u64, u32),
    /// Ring and slot, for the peer's completion.
    pub(super) imm: u32,
}

pub(super) enum Done {
    /// The oldest posted block has left its slot and is in the peer's.
    Sent,
    Came {
        imm: u32,
        length: u32,
    },
    /// The connection has failed.
    Broken(String),
}

pub(super) struct Pair {
    device: Arc<Device>,
    qp: *mut sys::Qp,
    cq: *mut sys::Cq,
    place: Place,
    done: VecDeque<sys::Wc>,
    is_armed: bool,
}

// SAFETY: as for `Device`; a pair is used by one thread at a time.
unsafe impl Send for Pair {}

impl Pair {
    /// An unconnected pair with posted receives.
    pub(super) fn new(device: &Arc<Device>, place: Place) -> io::Result<Pair> {
        let entries = RECEIVES as c_int + 2 * MOST_SENDS as c_int;
        let (functions, owner) = (device.functions, std::ptr::null_mut());
        // SAFETY: context and channel exist as long as the device.
        let cq =
            unsafe { (functions.create_cq)(device.context(), entries, owner, device.channel(), 0) };
        if cq.is_null() {
            return Err(refused("a completion queue", io::Error::last_os_error()));
        }
        let sends = 2 * MOST_SENDS as u32;
        let capacity = sys::Capacity {
            sends,
            receives: RECEIVES,
            send_pieces: 1,
            receive_pieces: 1,
            inline: size_of::<u32>() as u32,
        };
        let (srq, kind, all_signaled) = (std::ptr::null_mut(), sys::RC, 0);
        let mut init =
            sys::QpInit { owner, send_cq: cq, recv_cq: cq, srq, capacity, kind, all_signaled };
        // SAFETY: the domain exists as long as the device, and the queue as long as the pair.
        let qp = unsafe { (functions.create_qp)(device.domain(), &raw mut init) };
        if qp.is_null() {
            let e = io::Error::last_os_error();
            // SAFETY: the queue is unused.
            unsafe { (functions.destroy_cq)(cq) };
            return Err(refused("a queue pair", e));
        }
        let (device, done) = (device.clone(), VecDeque::new());
        let pair = Pair { device, qp, cq, place, done, is_armed: false };
        pair.modify("INIT", mask::INIT, |attr| {
            (attr.state, attr.port) = (1, 1);
            attr.access = sys::REMOTE_WRITE as u32;
        })?;
        (0..RECEIVES).try_for_each(|_| pair.post_receive())?;
        Ok(pair)
    }

    pub(super) fn address(&self) -> Address {
        // SAFETY: the pair exists until it is dropped.
        let number = unsafe { (*self.qp).number };
        let (mtu, lid, gid) = (self.device.mtu, self.device.lid, self.place.gid);
        Address { number, first: FIRST, mtu: mtu as u8, lid, gid }
    }

    /// Connects to the peer's pair: blocks flow in both directions from now on.
    pub(super) fn connect(&self, peer: &Address) -> io::Result<()> {
        let path = sys::Path {
            gid: peer.gid,
            gid_index: self.place.index,
            hops: 64,
            lid: peer.lid,
            is_global: u8::from(self.device.is_ethernet() || peer.lid == 0),
            port: 1,
            ..sys::Path::default()
        };
        self.modify("RTR", mask::READY_TO_RECEIVE, |attr| {
            (attr.state, attr.path) = (2, path);
            attr.mtu = self.device.mtu.min(peer.mtu.into());
            (attr.to, attr.their_first) = (peer.number, peer.first);
            (attr.reads_in, attr.rnr_timer) = (1, RNR_TIMER);
        })?;
        self.modify("RTS", mask::READY_TO_SEND, |attr| {
            (attr.state, attr.our_first, attr.reads_out) = (3, FIRST, 1);
            (attr.timeout, attr.retries, attr.rnr_retries) = (TIMEOUT, RETRIES, FOR_EVER);
        })
    }

    fn modify(&self, to: &str, mask: c_int, set: impl FnOnce(&mut sys::QpAttr)) -> io::Result<()> {
        let mut attr = sys::QpAttr::default();
        set(&mut attr);
        // SAFETY: the pair exists, and only the fields of the mask are looked at.
        match unsafe { (self.device.functions.modify_qp)(self.qp, &raw mut attr, mask) } {
            0 => Ok(()),
            e => Err(refused(&format!("state {to}"), io::Error::from_raw_os_error(e))),
        }
    }

    /// Allows one more block. The sender names the address, so there is no buffer.
    fn post_receive(&self) -> io::Result<()> {
        let (next, list) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut request = sys::RecvWr { id: 0, next, list, count: 0 };
        let mut bad = std::ptr::null_mut();
        // SAFETY: the pair exists, and the request is copied.
        let failed = unsafe {
            let context = (*self.qp).context;
            ((*context).post_recv)(self.qp, &raw mut request, &raw mut bad)
        };
        match failed {
            0 => Ok(()),
            e => Err(refused("a receive", io::Error::from_raw_os_error(e.abs()))),
        }
    }

    /// Posts a block: first its word, then the block, which completes a receive at the peer. A
    /// reliable connection keeps the order, so the word is there by then.
    pub(super) fn post(&self, post: &Post) -> io::Result<()> {
        let (address, length, lkey) = post.from;
        let mut block = sys::Sge { address, length, lkey };
        let (null, rest) = (std::ptr::null_mut(), [0; 9]);
        let mut second = sys::SendWr {
            id: 0,
            next: null,
            list: &raw mut block,
            count: 1,
            opcode: sys::WRITE_WITH_IMM,
            flags: sys::SIGNALED,
            imm: post.imm.to_be(),
            remote: post.to.0,
            rkey: post.to.1,
            rest,
        };
        // The peer reads the word as little-endian.
        let word = post.word.to_le_bytes();
        let (address, length) = (word.as_ptr().addr() as u64, word.len() as u32);
        let mut piece = sys::Sge { address, length, lkey: 0 };
        let mut first = sys::SendWr {
            id: 0,
            next: &raw mut second,
            list: &raw mut piece,
            count: 1,
            opcode: sys::WRITE,
            flags: sys::INLINE,
            imm: 0,
            remote: post.word_to.0,
            rkey: post.word_to.1,
            rest,
        };
        let mut bad = null;
        // SAFETY: the pair exists; requests, pieces and the inline word are copied by the call. The
        // block stays registered and unchanged until its completion, for which the caller cares.
        let failed = unsafe {
            let context = (*self.qp).context;
            ((*context).post_send)(self.qp, &raw mut first, &raw mut bad)
        };
        match failed {
            0 => Ok(()),
            e => Err(refused("a write", io::Error::from_raw_os_error(e.abs()))),
        }
    }

    pub(super) fn poll(&mut self) -> Option<Done> {
        if self.done.is_empty() {
            let mut found = [sys::Wc::default(); AT_ONCE];
            // SAFETY: the queue exists, and there is room for as many as are asked for.
            let count = unsafe {
                let context = (*self.cq).context;
                ((*context).poll)(self.cq, AT_ONCE as c_int, found.as_mut_ptr())
            };
            match usize::try_from(count) {
                Ok(count) => self.done.extend(&found[..count]),
                Err(_) => return Some(Done::Broken("its completions cannot be polled".into())),
            }
        }
        let done = self.done.pop_front()?;
        Some(match (done.status, done.opcode) {
            (0, sys::CAME_WITH_IMM) => match self.post_receive() {
                Ok(()) => Done::Came { imm: u32::from_be(done.imm), length: done.length },
                Err(e) => Done::Broken(e.to_string()),
            },
            (0, sys::WRITE_DONE) => Done::Sent,
            (0, _) => Done::Broken("sent a message that was not requested".into()),
            (status, _) => Done::Broken(self.why(status)),
        })
    }

    fn why(&self, status: u32) -> String {
        match status {
            sys::FLUSHED => "the RDMA connection broke".into(),
            sys::REFUSED => "this end must not write there".into(),
            sys::UNANSWERED => "no answer".into(),
            _ => {
                // SAFETY: the library has a text for every number.
                let text = unsafe { CStr::from_ptr((self.device.functions.status)(status)) };
                format!("the RDMA connection broke: {}", text.to_string_lossy())
            }
        }
    }

    /// The bell rings for completions from now on.
    pub(super) fn arm(&mut self) {
        if !std::mem::replace(&mut self.is_armed, true) {
            // SAFETY: the queue exists.
            unsafe {
                let context = (*self.cq).context;
                ((*context).notify)(self.cq, 0)
            };
        }
    }

    /// The bell rang, perhaps for this queue.
    pub(super) fn disarm(&mut self) {
        self.is_armed = false
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        // SAFETY: no other owner exists; when this returns, the device is done with all requests.
        unsafe {
            (self.device.functions.destroy_qp)(self.qp);
            (self.device.functions.destroy_cq)(self.cq);
        }
    }
}

fn refused(what: &str, e: io::Error) -> io::Error {
    io::Error::new(e.kind(), format!("the RDMA device rejects {what}: {e}"))
}
