//! Counts over time in bounded memory.
use units::Nanos;

/// Counts of several rows in time bins, whose width doubles if a run needs more than `most`.
pub struct Bins {
    width: u64,
    most: usize,
    rows: usize,
    cells: Vec<u64>,
}

impl Bins {
    pub fn new(most: usize, rows: usize) -> Bins {
        Bins { width: 1_000, most, rows, cells: vec![0; most * rows] }
    }

    #[inline]
    pub fn add(&mut self, at: Nanos, row: usize, amount: u64) {
        self.add_from(at, row, [amount])
    }

    /// Adds to `N` consecutive rows.
    #[inline]
    pub fn add_from<const N: usize>(&mut self, at: Nanos, row: usize, amounts: [u64; N]) {
        let mut bin = at.0 / self.width;
        while bin >= self.most as u64 {
            self.widen();
            bin = at.0 / self.width
        }
        let first = units::usize_of(bin) * self.rows + row;
        let cells = &mut self.cells[first..first + N];
        cells.iter_mut().zip(amounts).for_each(|(cell, amount)| *cell += amount)
    }

    pub fn include(&mut self, mut other: Bins) {
        while self.width < other.width {
            self.widen()
        }
        while other.width < self.width {
            other.widen()
        }
        self.cells.iter_mut().zip(other.cells).for_each(|(cell, other)| *cell += other)
    }

    fn widen(&mut self) {
        self.width *= 2;
        for bin in 0..self.most {
            for row in 0..self.rows {
                let cell = |bin: usize| {
                    if bin < self.most { self.cells[bin * self.rows + row] } else { 0 }
                };
                self.cells[bin * self.rows + row] = cell(2 * bin) + cell(2 * bin + 1)
            }
        }
    }

    pub fn get(&self, bin: usize, row: usize) -> u64 {
        self.cells[bin * self.rows + row]
    }

    pub fn width(&self) -> Nanos {
        Nanos(self.width)
    }

    /// The bins that a window fully contains: first, and one past the last.
    pub fn inside(&self, (from, to): (Nanos, Nanos)) -> (usize, usize) {
        let (first, last) = (from.0.div_ceil(self.width), to.0 / self.width);
        let [first, last] = [first, last].map(units::usize_of);
        (first, last.clamp(first, self.most.max(first)))
    }

    pub fn sum(&self, (first, behind): (usize, usize), row: usize) -> u64 {
        (first..behind.min(self.most)).map(|bin| self.get(bin, row)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_by_two_is_as_counted_by_one() {
        let (mut one, mut two) = (Bins::new(8, 2), [Bins::new(8, 2), Bins::new(8, 2)]);
        for at in 0..100u64 {
            let (at, row) = (Nanos(at * at * 10), (at % 2) as usize);
            one.add(at, row, 1);
            // This one only gets early times, so it stays narrow.
            two[usize::from(at.0 > 9_000)].add(at, row, 1)
        }
        let [mut first, second] = two;
        first.include(second);
        assert_eq!((first.width, first.cells), (one.width, one.cells))
    }

    #[test]
    fn widening_keeps_every_count_in_its_time() {
        let mut bins = Bins::new(8, 2);
        for at in 0..100u64 {
            bins.add(Nanos(at * 500), (at % 2) as usize, 1)
        }
        assert_eq!(bins.width(), Nanos(8_000));
        assert_eq!((0..8).map(|bin| bins.get(bin, 0)).sum::<u64>(), 50);
        // The first 8 µs have 16 counts, half in each row.
        assert_eq!((bins.get(0, 0), bins.get(0, 1)), (8, 8));
        assert_eq!(bins.inside((Nanos(1), Nanos(40_000))), (1, 5));
    }
}
