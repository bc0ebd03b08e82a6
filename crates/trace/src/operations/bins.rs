//! Sums by key and time bin. A hash table of its own, since the order of the standard one changes
//! from run to run.
use units::Nanos;

pub(super) type Key = [u32; 4];

/// Count and amount in one bin.
type Cell = (u64, u64);

/// Cells by key and bin. Bins double their width when they are too many. So memory is bounded by
/// the number of keys, and the result does not depend on the order.
pub(super) struct Bins {
    width: u64,
    most: usize,
    /// Index in `keys` plus 1; 0 if empty. The length is a power of two, at most half is used.
    slots: Vec<u32>,
    keys: Vec<(Key, Vec<Cell>)>,
}

impl Bins {
    pub(super) fn new(width: Nanos, most: usize) -> Bins {
        Bins { width: width.0.max(1), most: most.max(1), slots: vec![0; 64], keys: Vec::new() }
    }

    #[inline]
    pub(super) fn add(&mut self, at: Nanos, key: Key, amount: u64) {
        while at.0 / self.width >= self.most as u64 {
            self.widen()
        }
        let bin = units::usize_of(at.0 / self.width);
        let place = self.place(key);
        let cells = &mut self.keys[place].1;
        if cells.len() <= bin {
            cells.resize(bin + 1, (0, 0))
        }
        cells[bin].0 += 1;
        cells[bin].1 += amount
    }

    fn widen(&mut self) {
        self.width *= 2;
        for (_, cells) in &mut self.keys {
            let pairs = cells.chunks(2);
            let sum = |pair: &[Cell]| pair.iter().fold((0, 0), |s, c| (s.0 + c.0, s.1 + c.1));
            *cells = pairs.map(sum).collect()
        }
    }

    /// The index of a key, added if new.
    #[inline]
    fn place(&mut self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = units::usize_of(hash(key) & mask as u64);
        loop {
            match self.slots[slot] {
                0 => break,
                place if self.keys[place as usize - 1].0 == key => return place as usize - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.keys.push((key, Vec::new()));
        self.slots[slot] = units::u32_of(self.keys.len());
        if 2 * self.keys.len() > self.slots.len() {
            self.grow()
        }
        self.keys.len() - 1
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots = vec![0; mask + 1];
        for (place, (key, _)) in (1u32..).zip(&self.keys) {
            let mut slot = units::usize_of(hash(*key) & mask as u64);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask
            }
            self.slots[slot] = place
        }
    }

    /// Nonzero cells by bin and key: (start of the bin, key, count, amount).
    pub(super) fn rows(&self) -> impl Iterator<Item = (Nanos, Key, u64, u64)> {
        let mut rows = Vec::new();
        for (key, cells) in &self.keys {
            let met = cells.iter().enumerate().filter(|(_, cell)| cell.0 > 0);
            rows.extend(
                met.map(|(bin, cell)| (Nanos(bin as u64 * self.width), *key, cell.0, cell.1)),
            )
        }
        rows.sort_unstable();
        rows.into_iter()
    }
}

#[inline]
fn hash([a, b, c, d]: Key) -> u64 {
    let (low, high) = (u64::from(a) << 32 | u64::from(b), u64::from(c) << 32 | u64::from(d));
    let mixed = (low ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ high;
    let mixed = mixed.wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 32
}
