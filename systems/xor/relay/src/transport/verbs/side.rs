//! Messages over TCP about queue pairs and rings.
use crate::memory::Ring;
use crate::wire::{Field, record};

record! {
    #[derive(Copy)]
    pub struct Address {
        number: u32,
        /// Number of its first packet.
        first: u32,
        mtu: u8,
        lid: u16,
        gid: [u8; 16],
    }
}

record! {
    /// A ring that the peer may write into.
    #[derive(Copy)]
    pub struct Grant {
        /// The owner's number.
        ring: Ring,
        handle: u32,
        slots: u32,
        slot_bytes: u32,
        /// Address and key of its slots.
        memory: (u64, u32),
        /// Address and key of the words, one a slot.
        words: (u64, u32),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// From the connecting end, and in answer.
    Pair(Address),
    Grant(Grant),
    /// The ring with this handle may not be written any more.
    Revoke(u32),
    /// All blocks for this handle have arrived; no more follow.
    Revoked(u32),
}

impl Side {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Side::Pair(address) => (1u8, address).put(&mut out),
            Side::Grant(grant) => (2u8, grant).put(&mut out),
            Side::Revoke(handle) => (3u8, handle).put(&mut out),
            Side::Revoked(handle) => (4u8, handle).put(&mut out),
        }
        out
    }

    /// `None` unless the bytes are exactly one message.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Side> {
        let input = &mut bytes;
        let side = match u8::take(input)? {
            1 => Side::Pair(Field::take(input)?),
            2 => Side::Grant(Field::take(input)?),
            3 => Side::Revoke(Field::take(input)?),
            4 => Side::Revoked(Field::take(input)?),
            _ => return None,
        };
        bytes.is_empty().then_some(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_read_as_it_was_said_and_nothing_else_is() {
        let gid = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
        let (memory, words) = ((1 << 40, 5), (1 << 41, 6));
        let all = [
            Side::Pair(Address { number: 1 << 20, first: 7, mtu: 3, lid: 9, gid }),
            Side::Grant(Grant { ring: 1, handle: 2, slots: 3, slot_bytes: 4, memory, words }),
            Side::Revoke(8),
            Side::Revoked(9),
        ];
        for side in all {
            let mut bytes = side.to_bytes();
            assert_eq!(Side::from_bytes(&bytes), Some(side));
            bytes.push(0);
            assert_eq!(Side::from_bytes(&bytes), None, "something is left over");
            bytes.truncate(bytes.len() - 2);
            assert_eq!(Side::from_bytes(&bytes), None, "something lacks");
        }
        assert_eq!(Side::from_bytes(&[]), None);
        assert_eq!(Side::from_bytes(&[9, 0, 0, 0, 0]), None);
    }
}
