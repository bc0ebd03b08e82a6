//! Gauss elimination over xor: which lost cells follow from the others.
use crate::layout::{Cell, Layout};

#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn flip(&mut self, at: usize) {
        self.0[at / 64] ^= 1 << (at % 64);
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a ^= b);
    }

    fn ones(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }
}

/// An equation: the xor of some lost cells is the xor of some other cells.
struct Row {
    lost: Bits,
    left: Bits,
}

/// After elimination: each equation has a lost cell that no other has.
struct Solved {
    rows: Vec<Row>,
    pivots: Vec<usize>,
}

fn solve(layout: &Layout, lost: &[Cell]) -> Solved {
    let place = |cell: &Cell| lost.iter().position(|c| c == cell);
    let mut rows = Vec::new();
    for equation in layout.equations() {
        let mut row =
            Row { lost: Bits::new(lost.len()), left: Bits::new(layout.nodes() * layout.rows()) };
        for cell in equation {
            match place(cell) {
                Some(at) => row.lost.flip(at),
                None => row.left.flip(layout.index(*cell)),
            }
        }
        rows.push(row);
    }
    let mut solved = Solved { rows, pivots: Vec::new() };
    (0..lost.len()).for_each(|unknown| solved.eliminate(unknown));
    solved
}

impl Solved {
    fn eliminate(&mut self, unknown: usize) {
        let done = self.pivots.len();
        let Some(found) = (done..self.rows.len()).find(|&r| self.rows[r].lost.has(unknown)) else {
            return;
        };
        self.rows.swap(done, found);
        let (lost, left) = (self.rows[done].lost.clone(), self.rows[done].left.clone());
        for (at, row) in self.rows.iter_mut().enumerate() {
            if at != done && row.lost.has(unknown) {
                row.lost.add(&lost);
                row.left.add(&left);
            }
        }
        self.pivots.push(unknown);
    }
}

/// Whether all these cells follow from the others.
pub fn recoverable(layout: &Layout, lost: &[Cell]) -> bool {
    solve(layout, lost).pivots.len() == lost.len()
}

/// By lost cell: the remaining cells whose xor it is. `None` if it does not follow.
pub(crate) fn from_what_is_left(layout: &Layout, lost: &[Cell]) -> Vec<Option<Vec<Cell>>> {
    let solved = solve(layout, lost);
    let mut found = vec![None; lost.len()];
    for (row, &pivot) in solved.rows.iter().zip(&solved.pivots) {
        if row.lost.ones() == 1 {
            found[pivot] = Some(layout.cells().filter(|c| row.left.has(layout.index(*c))).collect())
        }
    }
    found
}
