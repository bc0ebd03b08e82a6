//! libibverbs: its structures in memory, and its functions, loaded at run time.
//!
//! The interface is stable since version 1.1 (2006). Posting and polling are no exported functions:
//! they are in a table that each opened device points to. The tests compare the layouts with those
//! of a C compiler for `infiniband/verbs.h` on 64 bits.
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// In all versions of rdma-core.
const NAME: &str = "libibverbs.so.1";

/// A pointer to a structure that only the library reads.
pub(super) type Opaque = *mut c_void;

pub(super) const ACTIVE: c_uint = 4;
pub(super) const ETHERNET: u8 = 2;
pub(super) const RC: c_uint = 2;
pub(super) const LOCAL_WRITE: c_int = 1;
pub(super) const REMOTE_WRITE: c_int = 2;
pub(super) const WRITE: c_uint = 0;
pub(super) const WRITE_WITH_IMM: c_uint = 1;
pub(super) const SIGNALED: c_uint = 2;
pub(super) const INLINE: c_uint = 8;
pub(super) const WRITE_DONE: c_uint = 1;
pub(super) const CAME_WITH_IMM: c_uint = 129;
pub(super) const FLUSHED: c_uint = 5;
pub(super) const REFUSED: c_uint = 10;
pub(super) const UNANSWERED: c_uint = 12;

/// Valid fields of [`QpAttr`].
pub(super) mod mask {
    use std::ffi::c_int;

    pub(crate) const INIT: c_int = STATE | PKEY | PORT | ACCESS;
    pub(crate) const READY_TO_RECEIVE: c_int =
        STATE | PATH | MTU | TO | THEIR_FIRST | READS_IN | RNR_TIMER;
    pub(crate) const READY_TO_SEND: c_int =
        STATE | TIMEOUT | RETRIES | RNR_RETRIES | OUR_FIRST | READS_OUT;

    const STATE: c_int = 1;
    const ACCESS: c_int = 1 << 3;
    const PKEY: c_int = 1 << 4;
    const PORT: c_int = 1 << 5;
    const PATH: c_int = 1 << 7;
    const MTU: c_int = 1 << 8;
    const TIMEOUT: c_int = 1 << 9;
    const RETRIES: c_int = 1 << 10;
    const RNR_RETRIES: c_int = 1 << 11;
    const THEIR_FIRST: c_int = 1 << 12;
    const READS_OUT: c_int = 1 << 13;
    const RNR_TIMER: c_int = 1 << 15;
    const OUR_FIRST: c_int = 1 << 16;
    const READS_IN: c_int = 1 << 17;
    const TO: c_int = 1 << 20;
}

/// The part of `ibv_context` with the functions that post and poll.
#[repr(C)]
pub(super) struct Context {
    device: Opaque,
    before_poll: [Opaque; 11],
    pub(super) poll: unsafe extern "C" fn(*mut Cq, c_int, *mut Wc) -> c_int,
    pub(super) notify: unsafe extern "C" fn(*mut Cq, c_int) -> c_int,
    before_post: [Opaque; 12],
    pub(super) post_send: unsafe extern "C" fn(*mut Qp, *mut SendWr, *mut *mut SendWr) -> c_int,
    pub(super) post_recv: unsafe extern "C" fn(*mut Qp, *mut RecvWr, *mut *mut RecvWr) -> c_int,
}

#[repr(C)]
pub(super) struct Channel {
    context: *mut Context,
    pub(super) fd: c_int,
}

#[repr(C)]
pub(super) struct Cq {
    pub(super) context: *mut Context,
}

#[repr(C)]
pub(super) struct Qp {
    pub(super) context: *mut Context,
    before_number: [Opaque; 5],
    handle: u32,
    pub(super) number: u32,
}

#[repr(C)]
pub(super) struct Mr {
    before_handle: [Opaque; 4],
    handle: u32,
    pub(super) lkey: u32,
    pub(super) rkey: u32,
}

#[repr(C)]
pub(super) struct Sge {
    pub(super) address: u64,
    pub(super) length: u32,
    pub(super) lkey: u32,
}

#[repr(C)]
pub(super) struct RecvWr {
    pub(super) id: u64,
    pub(super) next: *mut RecvWr,
    pub(super) list: *mut Sge,
    pub(super) count: c_int,
}

#[repr(C)]
pub(super) struct SendWr {
    pub(super) id: u64,
    pub(super) next: *mut SendWr,
    pub(super) list: *mut Sge,
    pub(super) count: c_int,
    pub(super) opcode: c_uint,
    pub(super) flags: c_uint,
    /// Big-endian.
    pub(super) imm: u32,
    pub(super) remote: u64,
    pub(super) rkey: u32,
    pub(super) rest: [u64; 9],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct Wc {
    pub(super) id: u64,
    pub(super) status: c_uint,
    pub(super) opcode: c_uint,
    pub(super) vendor: u32,
    pub(super) length: u32,
    /// Big-endian.
    pub(super) imm: u32,
    pub(super) qp: u32,
    pub(super) rest: [u32; 4],
}

#[repr(C)]
#[derive(Default)]
pub(super) struct Capacity {
    pub(super) sends: u32,
    pub(super) receives: u32,
    pub(super) send_pieces: u32,
    pub(super) receive_pieces: u32,
    pub(super) inline: u32,
}

#[repr(C)]
pub(super) struct QpInit {
    pub(super) owner: Opaque,
    pub(super) send_cq: *mut Cq,
    pub(super) recv_cq: *mut Cq,
    pub(super) srq: Opaque,
    pub(super) capacity: Capacity,
    pub(super) kind: c_uint,
    pub(super) all_signaled: c_int,
}

#[repr(C, align(8))]
#[derive(Clone, Copy, Default)]
pub(super) struct Gid(pub(super) [u8; 16]);

/// Aligned like the union of a GID in C.
#[repr(C, align(8))]
#[derive(Clone, Copy, Default)]
pub(super) struct Path {
    pub(super) gid: [u8; 16],
    pub(super) flow: u32,
    pub(super) gid_index: u8,
    pub(super) hops: u8,
    pub(super) class: u8,
    pub(super) lid: u16,
    pub(super) level: u8,
    pub(super) bits: u8,
    pub(super) rate: u8,
    pub(super) is_global: u8,
    pub(super) port: u8,
}

#[repr(C)]
#[derive(Default)]
pub(super) struct QpAttr {
    pub(super) state: c_uint,
    pub(super) current: c_uint,
    pub(super) mtu: c_uint,
    pub(super) migration: c_uint,
    pub(super) qkey: u32,
    /// Number of the first received packet.
    pub(super) their_first: u32,
    /// Number of the first sent packet.
    pub(super) our_first: u32,
    pub(super) to: u32,
    pub(super) access: c_uint,
    pub(super) capacity: Capacity,
    pub(super) path: Path,
    pub(super) other_path: Path,
    pub(super) pkey_index: u16,
    pub(super) other_pkey_index: u16,
    pub(super) drained: u8,
    pub(super) draining: u8,
    pub(super) reads_out: u8,
    pub(super) reads_in: u8,
    pub(super) rnr_timer: u8,
    pub(super) port: u8,
    pub(super) timeout: u8,
    pub(super) retries: u8,
    pub(super) rnr_retries: u8,
    pub(super) rest: [u8; 7],
}

/// `ibv_port_attr`; newer libraries write a few more bytes.
#[repr(C)]
#[derive(Default)]
pub(super) struct Port {
    pub(super) state: c_uint,
    pub(super) most_mtu: c_uint,
    pub(super) mtu: c_uint,
    pub(super) gids: c_int,
    pub(super) before_lid: [u32; 4],
    pub(super) pkeys: u16,
    pub(super) lid: u16,
    pub(super) before_layer: [u8; 10],
    pub(super) layer: u8,
    pub(super) rest: [u8; 17],
}

macro_rules! functions {
    ($($name:ident = $symbol:literal: fn($($of:ty),*) $(-> $back:ty)?;)*) => {
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($of),*) $(-> $back)?,)*
            _library: Library,
        }

        impl Functions {
            fn load() -> Result<Functions, libloading::Error> {
                // SAFETY: loading runs the library's own beginning, which asks for nothing.
                let library = unsafe { Library::new(NAME)? };
                $(
                    // SAFETY: the type is that of the function in `infiniband/verbs.h`, and the
                    // library stays as long as the pointer.
                    let $name = unsafe {
                        *library.get::<unsafe extern "C" fn($($of),*) $(-> $back)?>(
                            concat!($symbol, "\0").as_bytes(),
                        )?
                    };
                )*
                Ok(Functions { $($name,)* _library: library })
            }
        }
    };
}

functions! {
    list = "ibv_get_device_list": fn(*mut c_int) -> *mut Opaque;
    free_list = "ibv_free_device_list": fn(*mut Opaque);
    name = "ibv_get_device_name": fn(Opaque) -> *const c_char;
    open = "ibv_open_device": fn(Opaque) -> *mut Context;
    close = "ibv_close_device": fn(*mut Context) -> c_int;
    query_port = "ibv_query_port": fn(*mut Context, u8, *mut Port) -> c_int;
    query_gid = "ibv_query_gid": fn(*mut Context, u8, c_int, *mut Gid) -> c_int;
    alloc_pd = "ibv_alloc_pd": fn(*mut Context) -> Opaque;
    dealloc_pd = "ibv_dealloc_pd": fn(Opaque) -> c_int;
    reg_mr = "ibv_reg_mr": fn(Opaque, *mut c_void, usize, c_int) -> *mut Mr;
    dereg_mr = "ibv_dereg_mr": fn(*mut Mr) -> c_int;
    create_channel = "ibv_create_comp_channel": fn(*mut Context) -> *mut Channel;
    destroy_channel = "ibv_destroy_comp_channel": fn(*mut Channel) -> c_int;
    create_cq = "ibv_create_cq":
        fn(*mut Context, c_int, Opaque, *mut Channel, c_int) -> *mut Cq;
    destroy_cq = "ibv_destroy_cq": fn(*mut Cq) -> c_int;
    get_event = "ibv_get_cq_event": fn(*mut Channel, *mut *mut Cq, *mut Opaque) -> c_int;
    ack_events = "ibv_ack_cq_events": fn(*mut Cq, c_uint);
    create_qp = "ibv_create_qp": fn(Opaque, *mut QpInit) -> *mut Qp;
    modify_qp = "ibv_modify_qp": fn(*mut Qp, *mut QpAttr, c_int) -> c_int;
    destroy_qp = "ibv_destroy_qp": fn(*mut Qp) -> c_int;
    status = "ibv_wc_status_str": fn(c_uint) -> *const c_char;
}

/// Loads the library once. The error states why it is missing.
pub(super) fn functions() -> Result<&'static Functions, String> {
    static LOADED: OnceLock<Result<Functions, String>> = OnceLock::new();
    let load = || Functions::load().map_err(|e| e.to_string());
    LOADED.get_or_init(load).as_ref().map_err(String::clone)
}

#[cfg(target_pointer_width = "64")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn layouts_are_those_of_a_c_compiler() {
        assert_eq!(offset_of!(Context, poll), 8 + 88);
        assert_eq!(offset_of!(Context, notify), 8 + 96);
        assert_eq!(offset_of!(Context, post_send), 8 + 200);
        assert_eq!(offset_of!(Context, post_recv), 8 + 208);
        assert_eq!(offset_of!(Channel, fd), 8);
        assert_eq!(offset_of!(Mr, lkey), 36);
        assert_eq!(offset_of!(Mr, rkey), 40);
        assert_eq!(offset_of!(Qp, number), 52);
        assert_eq!((size_of::<Wc>(), offset_of!(Wc, length)), (48, 20));
        assert_eq!((offset_of!(Wc, imm), offset_of!(Wc, qp)), (24, 28));
        assert_eq!((size_of::<Sge>(), size_of::<RecvWr>()), (16, 32));
        assert_eq!((size_of::<SendWr>(), offset_of!(SendWr, opcode)), (128, 28));
        assert_eq!((offset_of!(SendWr, imm), offset_of!(SendWr, rkey)), (36, 48));
        assert_eq!((size_of::<QpInit>(), offset_of!(QpInit, capacity)), (64, 32));
        assert_eq!((size_of::<Path>(), offset_of!(Path, gid_index)), (32, 20));
        assert_eq!((offset_of!(Path, lid), offset_of!(Path, is_global)), (24, 29));
        assert_eq!((size_of::<QpAttr>(), offset_of!(QpAttr, their_first)), (144, 20));
        assert_eq!((offset_of!(QpAttr, path), offset_of!(QpAttr, other_path)), (56, 88));
        assert_eq!((offset_of!(QpAttr, pkey_index), offset_of!(QpAttr, port)), (120, 129));
        assert_eq!((offset_of!(QpAttr, reads_out), offset_of!(QpAttr, rnr_retries)), (126, 132));
        assert_eq!((offset_of!(Port, mtu), offset_of!(Port, gids)), (8, 12));
        assert_eq!((offset_of!(Port, lid), offset_of!(Port, layer)), (34, 46));
        assert!(size_of::<Port>() >= 52);
    }
}
