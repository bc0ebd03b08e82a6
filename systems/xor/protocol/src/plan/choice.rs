//! Chooses the equation for each lost cell so that the fewest cells are read.
use super::Rebuild;
use crate::layout::{Cell, Layout};

/// All choices are tried up to this number of cells with two equations.
const EXHAUSTIVE: usize = 16;

/// `ways`: by equation, the indices of the other cells, all readable.
struct Target {
    cell: Cell,
    ways: Vec<Vec<usize>>,
}

/// One step a target. `None` if a target has no equation without other lost cells.
pub(super) fn directly(
    layout: &Layout,
    is_lost: &[bool],
    targets: &[Cell],
    given: &[Cell],
) -> Option<Vec<Rebuild>> {
    let targets: Vec<Target> =
        targets.iter().map(|&cell| Target { cell, ways: ways(layout, is_lost, cell) }).collect();
    if targets.iter().any(|t| t.ways.is_empty()) {
        return None;
    }
    let mut count = Count::new(is_lost.len());
    given.iter().for_each(|c| count.add(layout.index(*c)));
    let mut chosen = vec![0; targets.len()];
    targets.iter().for_each(|t| count.add_all(&t.ways[0]));
    let open: Vec<usize> = (0..targets.len()).filter(|&t| targets[t].ways.len() > 1).collect();
    match open.len() {
        ..=EXHAUSTIVE => all_choices(&targets, &open, &mut chosen, &mut count),
        _ => descend(&targets, &open, &mut chosen, &mut count),
    }
    let step = |(t, way): (&Target, usize)| Rebuild {
        cell: t.cell,
        from: t.ways[way].iter().map(|&i| layout.cell(i)).collect(),
    };
    Some(targets.iter().zip(chosen).map(step).collect())
}

fn ways(layout: &Layout, is_lost: &[bool], cell: Cell) -> Vec<Vec<usize>> {
    let of_cell = layout.equations().iter().filter(|e| e.contains(&cell));
    let others = of_cell.map(|e| e.iter().filter(|c| **c != cell).map(|c| layout.index(*c)));
    let mut ways: Vec<Vec<usize>> = others
        .map(Iterator::collect)
        .filter(|way: &Vec<usize>| way.iter().all(|&i| !is_lost[i]))
        .collect();
    ways.sort_by_key(Vec::len);
    ways.truncate(2);
    ways
}

/// Uses of each cell, and the number of cells with any.
struct Count {
    uses: Vec<u32>,
    cells: usize,
}

impl Count {
    fn new(cells: usize) -> Count {
        Count { uses: vec![0; cells], cells: 0 }
    }

    fn add(&mut self, cell: usize) {
        self.cells += usize::from(self.uses[cell] == 0);
        self.uses[cell] += 1;
    }

    fn add_all(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&c| self.add(c));
    }

    fn swap(&mut self, target: &Target, chosen: &mut usize) {
        for &cell in &target.ways[*chosen] {
            self.uses[cell] -= 1;
            self.cells -= usize::from(self.uses[cell] == 0);
        }
        *chosen = 1 - *chosen;
        self.add_all(&target.ways[*chosen]);
    }
}

/// In Gray order: one choice changes at a time.
fn all_choices(targets: &[Target], open: &[usize], chosen: &mut [usize], count: &mut Count) {
    let mut best = (count.cells, chosen.to_vec());
    for code in 1..1usize << open.len() {
        let at = open[code.trailing_zeros() as usize];
        count.swap(&targets[at], &mut chosen[at]);
        if count.cells < best.0 {
            best = (count.cells, chosen.to_vec());
        }
    }
    chosen.copy_from_slice(&best.1);
}

/// Starts with half of the choices swapped, where row and diagonal equations overlap most. Then
/// swaps one or two choices while that reduces the reads.
fn descend(targets: &[Target], open: &[usize], chosen: &mut [usize], count: &mut Count) {
    for &at in open.iter().skip(open.len() / 2) {
        count.swap(&targets[at], &mut chosen[at]);
    }
    let mut is_better = true;
    while is_better {
        is_better = false;
        for (n, &one) in open.iter().enumerate() {
            // `two == one` means: swap one choice only.
            for &two in &open[n..] {
                let before = count.cells;
                let pair = if one == two { vec![one] } else { vec![one, two] };
                pair.iter().for_each(|&at| count.swap(&targets[at], &mut chosen[at]));
                match count.cells < before {
                    true => is_better = true,
                    false => pair.iter().for_each(|&at| count.swap(&targets[at], &mut chosen[at])),
                }
            }
        }
    }
}
