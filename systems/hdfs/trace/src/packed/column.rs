//! A compressed column of numbers. In each run, bytes of equal weight that vary are compressed
//! together.
use super::PIECE;
use zstd::bulk::{compress, decompress};

/// zstd's fastest level: node numbers are almost random, so more effort gains nothing.
const LEVEL: i32 = 1;

/// Numbers in runs of any length. `NEAR`: neighbours are close (line numbers, ids), so their
/// differences are stored.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Column<const NEAR: bool> {
    packed: Vec<PackedRun>,
    /// The last run, not yet compressed.
    open: Vec<u64>,
}

impl<const NEAR: bool> Column<NEAR> {
    /// Appends to runs of [`PIECE`] numbers.
    pub(crate) fn push(&mut self, number: u64) {
        self.open.push(number);
        if self.open.len() == PIECE {
            self.seal()
        }
    }
    /// Appends to a run that [`Column::seal`] ends.
    pub(super) fn extend(&mut self, numbers: impl Iterator<Item = u64>) {
        self.open.extend(numbers)
    }
    pub(super) fn seal(&mut self) {
        self.packed.push(PackedRun::of::<NEAR>(&self.open));
        self.open.clear()
    }
    pub(super) fn open(&self) -> usize {
        self.open.len()
    }
    /// Empty after the last run.
    pub(super) fn run(&self, at: usize) -> Vec<u64> {
        self.packed.get(at).map_or_else(|| self.open.clone(), PackedRun::unpack::<NEAR>)
    }
    pub(super) fn replace(&mut self, at: usize, numbers: Vec<u64>) {
        match self.packed.get_mut(at) {
            Some(run) => *run = PackedRun::of::<NEAR>(&numbers),
            None => self.open = numbers,
        }
    }
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        (0..=self.packed.len()).flat_map(|at| self.run(at))
    }
    /// \[bytes\]
    pub(super) fn memory(&self) -> usize {
        let runs = self.packed.iter().map(|run| size_of::<PackedRun>() + run.memory());
        runs.sum::<usize>() + size_of_val(&self.open[..])
    }
}

/// A compressed run: its first number, and the nonzero bytes of the differences of the others to
/// it, or, if `NEAR`, of each to the one before.
#[derive(Clone, PartialEq, Debug)]
struct PackedRun {
    len: usize,
    first: u64,
    /// (shift of the byte, compressed bytes).
    planes: Box<[(u32, Box<[u8]>)]>,
}

impl PackedRun {
    fn of<const NEAR: bool>(numbers: &[u64]) -> PackedRun {
        let first = numbers.first().copied().unwrap_or(0);
        let differences = if NEAR { steps(numbers) } else { xor(numbers, first) };
        let some = differences.iter().fold(0, |some, difference| some | difference);
        let plane = |shift: u32| {
            let bytes: Vec<u8> = differences.iter().map(|d| byte(*d, shift)).collect();
            (shift, compress(&bytes, LEVEL).expect("memory takes all").into_boxed_slice())
        };
        let planes = (0..u64::BITS).step_by(8).filter(|shift| byte(some, *shift) != 0);
        PackedRun { len: numbers.len(), first, planes: planes.map(plane).collect() }
    }
    fn unpack<const NEAR: bool>(&self) -> Vec<u64> {
        let mut differences = vec![0; self.len];
        for (shift, packed) in &self.planes {
            let bytes = decompress(packed, self.len).expect("was compressed here");
            differences.iter_mut().zip(bytes).for_each(|(d, byte)| *d |= u64::from(byte) << shift)
        }
        if NEAR { sums(differences, self.first) } else { xor(&differences, self.first) }
    }
    fn memory(&self) -> usize {
        self.planes.iter().map(|(_, bytes)| size_of::<(u32, Box<[u8]>)>() + bytes.len()).sum()
    }
}

fn byte(number: u64, shift: u32) -> u8 {
    number.to_le_bytes()[shift as usize / 8]
}

fn xor(numbers: &[u64], with: u64) -> Vec<u64> {
    numbers.iter().map(|number| number ^ with).collect()
}

/// Differences of consecutive numbers, 0 first, encoded so that small negative ones stay small.
fn steps(numbers: &[u64]) -> Vec<u64> {
    let before = numbers.first().into_iter().chain(numbers);
    let steps = numbers.iter().zip(before).map(|(to, from)| to.wrapping_sub(*from) as i64);
    steps.map(|step| (step << 1 ^ step >> 63).cast_unsigned()).collect()
}

fn sums(steps: Vec<u64>, first: u64) -> Vec<u64> {
    let mut sum = first;
    let add = |step: u64| {
        sum = sum.wrapping_add(step >> 1 ^ (step & 1).wrapping_neg());
        sum
    };
    steps.into_iter().map(add).collect()
}
