//! Finds the next row with a start below a time, without a scan.

/// Rows of a leaf.
const BLOCK: usize = 16;

/// A tree of minima of starts: by block, by pair of blocks, and so on.
#[derive(Default)]
pub(super) struct FirstBelow {
    /// `tree[1]` is the global minimum, `tree[leaves + b]` that of block b.
    tree: Vec<u64>,
    leaves: usize,
}

impl FirstBelow {
    /// Builds the tree over the starts of rows. Few rows need no tree.
    pub(super) fn fill(&mut self, rows: usize, start: impl Fn(usize) -> u64) {
        self.tree.clear();
        if rows <= 2 * BLOCK {
            return;
        }
        self.leaves = rows.div_ceil(BLOCK).next_power_of_two();
        self.tree.resize(2 * self.leaves, u64::MAX);
        for row in 0..rows {
            let leaf = &mut self.tree[self.leaves + row / BLOCK];
            *leaf = start(row).min(*leaf)
        }
        for at in (1..self.leaves).rev() {
            self.tree[at] = self.tree[2 * at].min(self.tree[2 * at + 1])
        }
    }

    pub(super) fn find(
        &self,
        from: usize,
        end: usize,
        time: u64,
        start: impl Fn(usize) -> u64,
    ) -> Option<usize> {
        let near = if self.tree.is_empty() { end } else { end.min(from.next_multiple_of(BLOCK)) };
        if let Some(row) = (from..near).find(|row| start(*row) < time) {
            return Some(row);
        }
        if near == end {
            return None;
        }
        let block = self.block(near / BLOCK, time)?;
        (block * BLOCK..end.min((block + 1) * BLOCK)).find(|row| start(*row) < time)
    }

    /// The first block from `from` with a start below `time`.
    fn block(&self, from: usize, time: u64) -> Option<usize> {
        let mut at = self.leaves + from;
        while self.tree[at] >= time {
            // Up from right children, then to the sibling on the right.
            while at & 1 == 1 {
                at >>= 1
            }
            if at == 0 {
                return None;
            }
            at += 1
        }
        while at < self.leaves {
            at *= 2;
            if self.tree[at] >= time {
                at += 1
            }
        }
        Some(at - self.leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_scan_finds() {
        for rows in [0, 1, 31, 32, 33, 64, 500, 1025] {
            let starts: Vec<u64> = (0..rows as u64).map(|i| i * 2_654_435_761 % 1009).collect();
            let mut first = FirstBelow::default();
            first.fill(rows, |i| starts[i]);
            for from in (0..rows).step_by(3) {
                for (end, time) in [(rows, 3), (rows, 40), (rows, 0), ((from + 20).min(rows), 90)] {
                    let scan = (from..end).find(|i| starts[*i] < time);
                    assert_eq!(first.find(from, end, time, |i| starts[i]), scan);
                }
            }
        }
    }
}
