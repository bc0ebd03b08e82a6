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
pub(super) enum RdmaMessage {
    /// From the connecting end, and in answer.
    Pair(Address),
    Grant(Grant),
    /// The ring with this handle may not be written any more.
    Revoke(u32),
    /// All blocks for this handle have arrived; no more follow.
    Revoked(u32),
}

impl RdmaMessage {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            RdmaMessage::Pair(address) => (1u8, address).put(&mut out),
            RdmaMessage::Grant(grant) => (2u8, grant).put(&mut out),
            RdmaMessage::Revoke(handle) => (3u8, handle).put(&mut out),
            RdmaMessage::Revoked(handle) => (4u8, handle).put(&mut out),
        }
        out
    }

    /// `None` unless the bytes are exactly one message.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<RdmaMessage> {
        let input = &mut bytes;
        let message = match u8::take(input)? {
            1 => RdmaMessage::Pair(Field::take(input)?),
            2 => RdmaMessage::Grant(Field::take(input)?),
            3 => RdmaMessage::Revoke(Field::take(input)?),
            4 => RdmaMessage::Revoked(Field::take(input)?),
            _ => return None,
        };
        bytes.is_empty().then_some(message)
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
            RdmaMessage::Pair(Address { number: 1 << 20, first: 7, mtu: 3, lid: 9, gid }),
            RdmaMessage::Grant(Grant {
                ring: 1,
                handle: 2,
                slots: 3,
                slot_bytes: 4,
                memory,
                words,
            }),
            RdmaMessage::Revoke(8),
            RdmaMessage::Revoked(9),
        ];
        for message in all {
            let mut bytes = message.to_bytes();
            assert_eq!(RdmaMessage::from_bytes(&bytes), Some(message));
            bytes.push(0);
            assert_eq!(RdmaMessage::from_bytes(&bytes), None, "something is left over");
            bytes.truncate(bytes.len() - 2);
            assert_eq!(RdmaMessage::from_bytes(&bytes), None, "something lacks");
        }
        assert_eq!(RdmaMessage::from_bytes(&[]), None);
        assert_eq!(RdmaMessage::from_bytes(&[9, 0, 0, 0, 0]), None);
    }
}
