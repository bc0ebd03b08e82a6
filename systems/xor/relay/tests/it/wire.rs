//! The wire format: written values are read back, and invalid bytes are rejected.
use xor_protocol::commit::{ReplicaState, Version};
use xor_relay::wire::{
    Entry, Fault, HEAD, Head, MAX_MESSAGE, MAX_RDMA_MESSAGE, MOST_BLOCKS, Member,
};
use xor_relay::wire::{Message, Mode, NodeStatus, Resolution};

fn entry() -> Entry {
    Entry {
        name: "größe".into(),
        version: Version { generation: 7, id: 1 << 100 },
        held: ReplicaState::Prepared { is_attended: true },
        index: 3,
        nodes: 5,
        rule: 2,
        block: 65_536,
        length: 1 << 40,
        sha256: [9; 32],
    }
}

fn status() -> NodeStatus {
    NodeStatus {
        member: member(),
        versions: 1,
        unreadable: 2,
        unreadable_files: vec!["a.committed".into(), "cluster".into()],
        disk_free: 3,
        disk_total: 4,
        rings: 5,
        most_rings: 6,
        writers: 7,
        most_writers: 8,
        waiting: 9,
        readers: 10,
        connections: 11,
        unidentified: 12,
        refused: 13,
        operator: "scrub, since 3 s".into(),
    }
}

fn samples() -> Vec<Message> {
    let version = Version { generation: 1, id: 2 };
    vec![
        Message::Begin {
            mode: Mode::Patch,
            entry: entry(),
            schedules: 5,
            window: 8,
            secret: u128::MAX,
            stripes: vec![1, 5, 9],
        },
        Message::Peers { nodes: vec![("127.0.0.1:7".into(), 3), ("[::1]:8".into(), 0)] },
        Message::Done { upto: 1 << 50, writers: 3 },
        Message::Entries {
            entries: vec![entry(), entry()],
            more: true,
            unreadable: vec![
                (7, ReplicaState::Unreadable),
                (8, ReplicaState::Removed { with_older: true }),
            ],
        },
        Message::Resolve { name: "x".into(), version, how: Resolution::Discard },
        Message::Read { id: 5, stripe: 6, ring: 7, rows: vec![(1, 2), (3, 4)] },
        Message::Unreadable { id: 5, stripe: 6, rows: vec![1, 2, 3] },
        Message::Verified { blocks: vec![(1, true), (2, false)] },
        Message::Failed { fault: Fault::Other, why: "a reason".into() },
        Message::Commit {},
        Message::Membership { member: member(), versions: 9 },
        Message::Enter { member: member(), force: true },
        Message::FillComplete { least: 3 },
        Message::Restore { entry: entry() },
        Message::Lock { what: "grow".into() },
        Message::Unlock {},
        Message::Wait {},
        Message::Failed { fault: Fault::Busy, why: "all rings are taken".into() },
        Message::Status { status: status() },
    ]
}

fn member() -> Member {
    let addresses = vec!["127.0.0.1:7".into(), "b:8".into(), "[::1]:9".into()];
    Member {
        cluster: 1 << 90,
        epoch: 4,
        nodes: 3,
        least: 2,
        index: 1,
        addresses,
        former: vec!["c:9".into()],
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn messages_come_back_whole_and_not_in_part() {
    for message in samples() {
        let bytes = message.to_bytes();
        assert_eq!(Message::from_bytes(&bytes), Some(message.clone()));
        for cut in 0..bytes.len() {
            assert_eq!(Message::from_bytes(&bytes[..cut]), None, "{message:?} cut at {cut}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Message::from_bytes(&longer), None, "{message:?} and a byte");
    }
}

/// A message that can be read is written back as the same bytes. Nothing panics or takes much
/// memory.
#[test]
fn random_and_damaged_bytes_are_refused_or_mean_themselves() {
    let mut dice = Dice(3);
    let samples: Vec<Vec<u8>> = samples().iter().map(Message::to_bytes).collect();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..200_000 {
        let mut bytes = match dice.below(3) {
            0 => (0..dice.below(60)).map(|_| dice.below(256) as u8).collect(),
            _ => samples[dice.below(samples.len())].clone(),
        };
        for _ in 0..dice.below(4) {
            if !bytes.is_empty() {
                let at = dice.below(bytes.len());
                bytes[at] = dice.below(256) as u8;
            }
        }
        match Message::from_bytes(&bytes) {
            Some(message) => {
                assert_eq!(message.to_bytes(), bytes, "{message:?}");
                read += 1;
            }
            None => refused += 1,
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}

#[test]
fn a_list_is_not_believed_beyond_its_bytes() {
    let mut bytes = vec![23];
    bytes.extend_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Message::from_bytes(&bytes), None, "no 20 GB are taken for it");
}

#[test]
fn heads_are_strict() {
    let heads = [
        Head::Hello { version: 1 },
        Head::Message { length: MAX_MESSAGE as u32, sum: 9 },
        Head::Block { length: 1, ring: 2, slot: 3, imm: 4 },
        Head::RdmaMessage { length: MAX_RDMA_MESSAGE },
        Head::Blocks { count: MOST_BLOCKS as u32 },
    ];
    for head in heads {
        assert_eq!(Head::from_bytes(&head.to_bytes()), Some(head));
    }
    let long = Head::Message { length: MAX_MESSAGE as u32 + 1, sum: 0 }.to_bytes();
    assert_eq!(Head::from_bytes(&long), None);
    assert_eq!(
        Head::from_bytes(&Head::RdmaMessage { length: MAX_RDMA_MESSAGE + 1 }.to_bytes()),
        None
    );
    for count in [0, 1, MOST_BLOCKS as u32 + 1] {
        assert_eq!(Head::from_bytes(&Head::Blocks { count }.to_bytes()), None);
    }
    let mut dice = Dice(4);
    for _ in 0..100_000 {
        let bytes: [u8; HEAD] = std::array::from_fn(|at| match at % 4 {
            0 => dice.below(5) as u8,
            _ => (dice.below(8) == 0) as u8,
        });
        if let Some(head) = Head::from_bytes(&bytes) {
            assert_eq!(head.to_bytes(), bytes);
        }
    }
}
