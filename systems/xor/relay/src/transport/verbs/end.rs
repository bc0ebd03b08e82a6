//! One end of a connection: the rings that may be written, and blocks in transit.
use super::pair::{Done, MOST_SENDS, Pair, Post};
use super::rdma_message::{Grant, RdmaMessage};
use super::ring::Pinned;
use crate::memory::Ring;
use crate::transport::{Event, Link, Write};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The immediate on the wire: the ring's handle in the upper bits, the slot in the lower.
const SLOT_BITS: u32 = 22;
/// Rings that one peer may write into at a time.
const HANDLES: u32 = 1 << (32 - SLOT_BITS);

pub(super) enum Stage {
    /// An incoming connection: unknown whether the peer has a device.
    Fresh,
    /// An outgoing connection: the peer's queue pair was requested.
    Asked(Pair),
    /// Blocks go between queue pairs.
    Paired(Pair),
    /// The peer has no device: blocks go over TCP.
    Plain,
}

/// A local ring that the peer may write into.
struct Allowed {
    ring: Ring,
    slots: usize,
    /// Time of the revocation that the peer has not confirmed; `None`: not revoked.
    revoked: Option<Duration>,
}

/// All local rings, by number.
pub(super) type Pins = BTreeMap<Ring, Pinned>;

pub(super) struct End {
    pub(super) stage: Stage,
    allowed: BTreeMap<u32, Allowed>,
    next_handle: u32,
    /// Rings of the peer, by its numbers.
    grants: BTreeMap<Ring, Grant>,
    /// The highest ring number that the peer has granted. A lower unknown one was released.
    newest: Option<Ring>,
    /// Revoked handles with blocks in transit.
    revoking: Vec<u32>,
    waiting: VecDeque<Write>,
    posted: VecDeque<(Write, u32)>,
}

impl End {
    pub(super) fn new(stage: Stage) -> End {
        End {
            stage,
            allowed: BTreeMap::new(),
            next_handle: 0,
            grants: BTreeMap::new(),
            newest: None,
            revoking: Vec::new(),
            waiting: VecDeque::new(),
            posted: VecDeque::new(),
        }
    }

    pub(super) fn is_paired(&self) -> bool {
        matches!(self.stage, Stage::Paired(_))
    }

    pub(super) fn pair(&mut self) -> Option<&mut Pair> {
        match &mut self.stage {
            Stage::Paired(pair) => Some(pair),
            _ => None,
        }
    }

    /// Lets the peer write into a ring. Returns the ring's handle for immediates.
    pub(super) fn allow(&mut self, ring: Ring, slots: usize) -> Result<u32, String> {
        let known = self.allowed.iter().find(|(_, a)| a.ring == ring).map(|(handle, _)| *handle);
        // Handles rotate, so that a released one is reused as late as possible.
        let mut all = (0..HANDLES).map(|step| (self.next_handle + step) % HANDLES);
        let free = || all.find(|handle| !self.allowed.contains_key(handle));
        let handle = known.or_else(free).ok_or("has too many rings at a time")?;
        if slots > 1 << SLOT_BITS {
            return Err(format!("a ring of {slots} slots is too long for RDMA"));
        }
        self.next_handle = (handle + 1) % HANDLES;
        self.allowed.insert(handle, Allowed { ring, slots, revoked: None });
        Ok(handle)
    }

    /// Releases a ring: drops its unsent blocks and returns the revocation for the peer.
    pub(super) fn release(&mut self, ring: Ring, now: Duration) -> Option<RdmaMessage> {
        self.waiting.retain(|write| write.from.0 != ring);
        let (&handle, allowed) = self.allowed.iter_mut().find(|(_, a)| a.ring == ring)?;
        allowed.revoked = Some(now);
        Some(RdmaMessage::Revoke(handle))
    }

    /// A device, here or at the peer, may still access the ring.
    pub(super) fn uses(&self, ring: Ring) -> bool {
        self.allowed.values().any(|a| a.ring == ring)
            || self.posted.iter().any(|(write, _)| write.from.0 == ring)
    }

    /// Time of the oldest unconfirmed revocation.
    pub(super) fn asked_since(&self) -> Option<Duration> {
        self.allowed.values().filter_map(|a| a.revoked).min()
    }

    pub(super) fn granted(&mut self, grant: Grant) -> Result<(), String> {
        if grant.handle >= HANDLES {
            return Err("grants a ring without a number".into());
        }
        // A handle has one grant, so grants never outnumber handles.
        self.grants.retain(|_, known| known.handle != grant.handle);
        self.newest = self.newest.max(Some(grant.ring));
        self.grants.insert(grant.ring, grant);
        Ok(())
    }

    /// The peer revokes a ring. Returns the confirmation, unless blocks are still in transit.
    pub(super) fn revoked(
        &mut self,
        handle: u32,
        link: Link,
        events: &mut VecDeque<Event>,
    ) -> Option<RdmaMessage> {
        let ring = self.grants.values().find(|g| g.handle == handle).map(|g| g.ring)?;
        self.grants.remove(&ring);
        let (dropped, kept) = self.waiting.drain(..).partition(|write| write.ring == ring);
        self.waiting = kept;
        let dropped: VecDeque<Write> = dropped;
        // The peer drops them anyway: report them as sent.
        events.extend(dropped.iter().map(|w| Event::Sent { link, token: w.token }));
        match self.posted.iter().any(|(_, h)| *h == handle) {
            true => {
                self.revoking.push(handle);
                None
            }
            false => Some(RdmaMessage::Revoked(handle)),
        }
    }

    /// The peer confirms a revocation.
    pub(super) fn let_go(&mut self, handle: u32) -> Result<(), String> {
        match self.allowed.get(&handle).is_some_and(|a| a.revoked.is_some()) {
            true => {
                self.allowed.remove(&handle);
                Ok(())
            }
            false => Err("releases a ring that is still in use".into()),
        }
    }

    pub(super) fn push(&mut self, write: Write) {
        self.waiting.push_back(write)
    }

    pub(super) fn send(
        &mut self,
        link: Link,
        pins: &Pins,
        events: &mut VecDeque<Event>,
    ) -> Result<(), String> {
        let Stage::Paired(pair) = &mut self.stage else { return Ok(()) };
        while self.posted.len() < MOST_SENDS
            && let Some(write) = self.waiting.pop_front()
        {
            let Some(grant) = self.grants.get(&write.ring) else {
                if self.newest.is_some_and(|newest| write.ring <= newest) {
                    events.push_back(Event::Sent { link, token: write.token });
                    continue;
                }
                return Err(format!("ring {} was not granted", write.ring));
            };
            let (slot, length) = (u64::from(write.slot), write.length as u64);
            if write.slot >= grant.slots || length > grant.slot_bytes.into() {
                let Write { ring, slot, .. } = write;
                return Err(format!(
                    "{length} bytes to slot {slot} of ring {ring} are not granted"
                ));
            }
            let pinned = pins.get(&write.from.0);
            let from = pinned.and_then(|pinned| pinned.piece(write.from.1, write.length));
            let from = from.ok_or("cannot send a block from a released ring")?;
            let at = |base: (u64, u32), size: u64| (base.0.wrapping_add(slot * size), base.1);
            let post = Post {
                from,
                to: at(grant.memory, grant.slot_bytes.into()),
                word: write.imm,
                word_to: at(grant.words, size_of::<u32>() as u64),
                imm: grant.handle << SLOT_BITS | write.slot,
            };
            pair.post(&post).map_err(|e| e.to_string())?;
            self.posted.push_back((write, grant.handle))
        }
        Ok(())
    }

    /// Handles completions. Returns confirmations for the peer.
    pub(super) fn poll(
        &mut self,
        link: Link,
        pins: &Pins,
        events: &mut VecDeque<Event>,
    ) -> Result<Vec<RdmaMessage>, String> {
        let mut messages = Vec::new();
        let Stage::Paired(pair) = &mut self.stage else { return Ok(messages) };
        while let Some(done) = pair.poll() {
            match done {
                Done::Broken(why) => return Err(why),
                Done::Came { imm, length } => {
                    events.extend(came(&self.allowed, pins, link, imm, length)?)
                }
                Done::Sent => {
                    let (write, handle) = self.posted.pop_front().ok_or("no message was sent")?;
                    events.push_back(Event::Sent { link, token: write.token });
                    if !self.revoking.is_empty() && !self.posted.iter().any(|(_, h)| *h == handle) {
                        let left = self.revoking.extract_if(.., |h| *h == handle);
                        messages.extend(left.map(RdmaMessage::Revoked))
                    }
                }
            }
        }
        Ok(messages)
    }
}

/// The event of an arrived block; `None` if its ring was revoked.
fn came(
    allowed: &BTreeMap<u32, Allowed>,
    pins: &Pins,
    link: Link,
    imm: u32,
    length: u32,
) -> Result<Option<Event>, String> {
    let (handle, slot) = (imm >> SLOT_BITS, imm & ((1 << SLOT_BITS) - 1));
    let Some(Allowed { ring, slots, revoked: None }) = allowed.get(&handle) else {
        return Ok(None);
    };
    let Some(pinned) = pins.get(ring) else { return Ok(None) };
    let (ring, at, length) = (*ring, slot as usize, length as usize);
    match at < *slots && (1..=pinned.slot_bytes()).contains(&length) {
        true => {
            let imm = pinned.word(at);
            Ok(Some(Event::Arrived { link, ring, slot, length, imm }))
        }
        false => Err(format!("must not write {length} bytes to slot {slot} of ring {ring}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant(ring: Ring, handle: u32) -> Grant {
        let (memory, words) = ((0, 0), (0, 0));
        Grant { ring, handle, slots: 4, slot_bytes: 64, memory, words }
    }

    fn write(ring: Ring, token: u64) -> Write {
        Write { from: (0, 0), length: 64, ring, slot: 0, imm: 0, token }
    }

    #[test]
    fn numbers_of_rings_go_round_and_end() {
        let mut end = End::new(Stage::Plain);
        for ring in 0..HANDLES {
            assert_eq!(end.allow(ring, 1), Ok(ring));
        }
        assert!(end.allow(HANDLES, 1).is_err(), "all are taken");
        assert_eq!(end.allow(3, 1), Ok(3), "a ring keeps its number");
        assert_eq!(end.release(3, Duration::ZERO), Some(RdmaMessage::Revoke(3)));
        assert!(end.uses(3) && end.allow(HANDLES, 1).is_err(), "the peer has not confirmed it");
        end.let_go(3).expect("it was asked to");
        assert_eq!(end.allow(HANDLES, 1), Ok(3));
        assert!(end.allow(HANDLES, (1 << SLOT_BITS) + 1).is_err());
    }

    #[test]
    fn blocks_for_a_ring_that_was_taken_back_are_as_good_as_sent() {
        let (mut end, mut events) = (End::new(Stage::Plain), VecDeque::new());
        end.granted(grant(5, 1)).expect("a number");
        end.granted(grant(6, 2)).expect("a number");
        end.push(write(5, 50));
        end.push(write(6, 60));
        assert_eq!(end.revoked(1, 9, &mut events), Some(RdmaMessage::Revoked(1)));
        assert_eq!(events, [Event::Sent { link: 9, token: 50 }]);
        assert_eq!(end.waiting, [write(6, 60)]);
        end.posted.push_back((end.waiting[0], 2));
        assert_eq!(end.revoked(2, 9, &mut events), None, "a block is on its way");
        assert_eq!(end.revoking, [2]);
        assert!(end.uses(0), "the device reads it");
    }

    #[test]
    fn nobody_lets_go_of_what_he_was_not_asked_for() {
        let mut end = End::new(Stage::Plain);
        let handle = end.allow(1, 1).expect("a number");
        assert!(end.let_go(handle).is_err());
        assert!(end.let_go(77).is_err());
        assert!(end.granted(grant(1, HANDLES)).is_err());
    }
}
