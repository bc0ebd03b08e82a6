//! Random messages and bytes, mostly plausible.
use xor_protocol::commit::{ReplicaState, Version};
use xor_relay::wire::{Entry, Member, Message, Mode, Resolution};

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn one<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Small, near a bound, or arbitrary.
    pub fn number(&mut self) -> u64 {
        match self.below(8) {
            0..=3 => self.below(9) as u64,
            4 => 1 << self.below(64),
            5 => (1u64 << self.below(64)).wrapping_sub(1),
            6 => u64::MAX - self.below(9) as u64,
            _ => self.next(),
        }
    }

    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.next() as u8).collect()
    }

    fn id(&mut self) -> u128 {
        self.below(6) as u128
    }

    fn text(&mut self) -> String {
        match self.below(8) {
            0 => String::from_utf8_lossy(&self.bytes(300)).into_owned(),
            n => ["a", "b", "c", "d"][n % 4].into(),
        }
    }

    fn version(&mut self) -> Version {
        Version { generation: self.number(), id: self.id() }
    }

    fn entry(&mut self) -> Entry {
        let block = match self.below(3) {
            0 => self.number() as u32,
            _ => self.one(&[64, 128, 4096]),
        };
        let length = match self.below(3) {
            0 => self.number(),
            _ => self.below(5_000) as u64,
        };
        let (nodes, index) = (self.one(&[3, 3, 3, 5, 64, 255, 0]), self.below(4) as u8);
        let rule = self.one(&[0, 0, 0, 1, 2, 3, 9]);
        let (name, version, held) = (self.text(), self.version(), self.held());
        Entry { name, version, held, index, nodes, rule, block, length, sha256: [7; 32] }
    }

    fn held(&mut self) -> ReplicaState {
        self.one(&[
            ReplicaState::Nothing,
            ReplicaState::Committed,
            ReplicaState::Prepared { is_attended: true },
            ReplicaState::Unreadable,
        ])
    }

    fn member(&mut self) -> Member {
        let (nodes, index) = (self.one(&[3, 3, 3, 4, 0, 255]), self.below(4) as u8);
        let given = if self.below(4) == 0 { self.below(300) } else { usize::from(nodes) };
        let addresses = (0..given).map(|_| self.text()).collect();
        let least = self.one(&[nodes, 3, 0, 255]);
        let former = (0..self.below(3)).map(|_| self.text()).collect();
        let (cluster, epoch) = (self.one(&[1, 1, 1, 0, 2]), self.one(&[0, 0, 0, 1, u32::MAX]));
        Member { cluster, epoch, nodes, least, index, addresses, former }
    }

    /// A message of a client or another node. `ring`: one that it received.
    pub fn message(&mut self, ring: u32) -> Message {
        let modes = [Mode::Put, Mode::Put, Mode::Rebuild, Mode::Patch, Mode::Measure];
        match self.below(18) {
            0..=2 => Message::Enter { member: self.member(), force: self.below(4) == 0 },
            3..=5 => Message::Begin {
                mode: self.one(&modes),
                entry: self.entry(),
                schedules: self.one(&[1, 1, 1, 5, 7, 255, 0]),
                window: self.one(&[4, 4, 0, 128, u16::MAX]),
                secret: self.id(),
                stripes: (0..self.below(9)).map(|_| self.number()).collect(),
            },
            6 => {
                let nodes = (0..self.below(5)).map(|_| (self.text(), self.number() as u32));
                Message::Peers { nodes: nodes.collect() }
            }
            7 => Message::Join { secret: self.id(), index: self.below(9) as u8 },
            8 => Message::Prepare { sha256: [3; 32] },
            9 => {
                let filled = Message::FillComplete { least: self.one(&[3, 0, 255]) };
                self.one(&[Message::Commit {}, Message::Finish {}, Message::Abort {}, filled])
            }
            10 => Message::Stat { name: self.text() },
            11 => Message::List { after: self.text() },
            12 => {
                let (name, version) = (self.text(), self.version());
                let all = [Resolution::Commit, Resolution::Supersede, Resolution::Discard];
                Message::Resolve { name, version, how: self.one(&all) }
            }
            15 => Message::Restore { entry: self.entry() },
            16 => self.one(&[Message::Lock { what: "grow".into() }, Message::Unlock {}]),
            13 => Message::Remove { name: self.text(), upto: self.version() },
            14 => {
                let rows = (0..self.below(6)).map(|_| (self.below(9) as u16, self.number() as u32));
                let rows = rows.collect();
                Message::Read { id: self.id(), stripe: self.number(), ring, rows }
            }
            _ => {
                let (stripe, count) = (self.number(), self.number() as u32);
                Message::Verify { id: self.id(), stripe, count }
            }
        }
    }

    /// The same bytes, or damaged ones: changed, cut, longer, or with a wrong length.
    pub fn damaged(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        for _ in 0..self.below(4) {
            if bytes.is_empty() {
                return bytes;
            }
            let at = self.below(bytes.len());
            match self.below(5) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes.truncate(at),
                2 => bytes.extend(self.bytes(40)),
                3 => bytes[at] = self.one(&[0, 1, 127, 128, 255]),
                _ => {
                    let lie = self.number().to_le_bytes();
                    let end = (at + 4).min(bytes.len());
                    bytes[at..end].copy_from_slice(&lie[..end - at])
                }
            }
        }
        bytes
    }
}
