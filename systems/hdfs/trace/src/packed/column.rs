//! A column of numbers that takes little room: run by run, each of a number's bytes that varies is
//! compressed with those of the same weight.
use super::PIECE;
use zstd::bulk::{compress, decompress};

/// zstd's fastest level: numbers of nodes are as good as random, and more effort gains nothing.
const LEVEL: i32 = 1;

/// Numbers in order, in runs of any length. `NEAR`: neighbours are near to each other (line
/// numbers, ids), so their differences take less.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Column<const NEAR: bool> {
    packed: Vec<Packed>,
    /// The last run, which still grows.
    open: Vec<u64>,
}

impl<const NEAR: bool> Column<NEAR> {
    /// Appends a number to runs of [`PIECE`].
    pub(crate) fn push(&mut self, number: u64) {
        self.open.push(number);
        if self.open.len() == PIECE {
            self.seal()
        }
    }
    /// Appends to a run that ends with [`Column::seal`].
    pub(super) fn extend(&mut self, numbers: impl Iterator<Item = u64>) {
        self.open.extend(numbers)
    }
    /// The next number begins a run.
    pub(super) fn seal(&mut self) {
        self.packed.push(Packed::of::<NEAR>(&self.open));
        self.open.clear()
    }
    /// Numbers in the last run, if it still grows.
    pub(super) fn open(&self) -> usize {
        self.open.len()
    }
    /// One run; empty behind the last.
    pub(super) fn run(&self, at: usize) -> Vec<u64> {
        self.packed.get(at).map_or_else(|| self.open.clone(), Packed::unpack::<NEAR>)
    }
    /// Other numbers in a run's place.
    pub(super) fn replace(&mut self, at: usize, numbers: Vec<u64>) {
        match self.packed.get_mut(at) {
            Some(run) => *run = Packed::of::<NEAR>(&numbers),
            None => self.open = numbers,
        }
    }
    /// All numbers, of which one run is unpacked at a time.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        (0..=self.packed.len()).flat_map(|at| self.run(at))
    }
    /// Bytes that they take.
    pub(super) fn memory(&self) -> usize {
        let runs = self.packed.iter().map(|run| size_of::<Packed>() + run.memory());
        runs.sum::<usize>() + size_of_val(&self.open[..])
    }
}

/// A run: its first number, and how the others differ from it (or each from the one before it):
/// those bytes of that which are not 0 throughout.
#[derive(Clone, PartialEq, Debug)]
struct Packed {
    len: usize,
    first: u64,
    /// Weight of the bytes as a shift, and the bytes, compressed.
    planes: Box<[(u32, Box<[u8]>)]>,
}

impl Packed {
    fn of<const NEAR: bool>(numbers: &[u64]) -> Packed {
        let first = numbers.first().copied().unwrap_or(0);
        let differences = if NEAR { steps(numbers) } else { xor(numbers, first) };
        let some = differences.iter().fold(0, |some, difference| some | difference);
        let plane = |shift: u32| {
            let bytes: Vec<u8> = differences.iter().map(|d| byte(*d, shift)).collect();
            (shift, compress(&bytes, LEVEL).expect("memory takes all").into_boxed_slice())
        };
        let planes = (0..u64::BITS).step_by(8).filter(|shift| byte(some, *shift) != 0);
        Packed { len: numbers.len(), first, planes: planes.map(plane).collect() }
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

/// The eight bits that begin at this one.
fn byte(number: u64, shift: u32) -> u8 {
    number.to_le_bytes()[shift as usize / 8]
}

fn xor(numbers: &[u64], with: u64) -> Vec<u64> {
    numbers.iter().map(|number| number ^ with).collect()
}

/// From each number to the next, 0 first; a small number whether it goes up or down.
fn steps(numbers: &[u64]) -> Vec<u64> {
    let before = numbers.first().into_iter().chain(numbers);
    let steps = numbers.iter().zip(before).map(|(to, from)| to.wrapping_sub(*from) as i64);
    steps.map(|step| (step << 1 ^ step >> 63).cast_unsigned()).collect()
}

/// The numbers that have these steps.
fn sums(steps: Vec<u64>, first: u64) -> Vec<u64> {
    let mut sum = first;
    let add = |step: u64| {
        sum = sum.wrapping_add(step >> 1 ^ (step & 1).wrapping_neg());
        sum
    };
    steps.into_iter().map(add).collect()
}
