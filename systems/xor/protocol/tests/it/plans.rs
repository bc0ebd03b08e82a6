//! Recovery plans executed on real numbers, and the number of their reads.
use std::collections::BTreeMap;
use xor_protocol::plan::{Plan, plan, read_all};
use xor_protocol::{Cell, Layout, Rule};

/// Each data block is a number; each cell is the xor of its contents.
fn value(layout: &Layout, cell: Cell) -> u64 {
    let number = |data: usize| (data as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    layout.contents(cell).iter().fold(0, |sum, &data| sum ^ number(data))
}

/// Executes a plan, which must not read lost cells.
fn run(layout: &Layout, plan: &Plan, lost: &[Cell]) -> BTreeMap<Cell, u64> {
    assert!(plan.reads.iter().all(|c| !lost.contains(c)), "it reads what is lost");
    let mut have: BTreeMap<Cell, u64> = plan.reads.iter().map(|&c| (c, value(layout, c))).collect();
    for step in &plan.steps {
        let sum = step.from.iter().fold(0, |sum, c| sum ^ have[c]);
        have.insert(step.cell, sum);
    }
    have
}

fn cells_of(layout: &Layout, nodes: &[usize]) -> Vec<Cell> {
    nodes.iter().flat_map(|&node| layout.cells_of(node)).collect()
}

#[test]
fn any_loss_of_nodes_is_rebuilt_whole() {
    for n in 3..=13 {
        for rule in [Rule::Single, Rule::General, Rule::Fallback] {
            let Ok(layout) = Layout::new(rule, n) else { continue };
            for a in 0..n {
                for b in 0..=a {
                    let nodes = if a == b { vec![a] } else { vec![a, b] };
                    if nodes.len() > layout.losses() {
                        continue;
                    }
                    let lost = cells_of(&layout, &nodes);
                    let made = plan(&layout, &lost, &lost).expect("it survives that");
                    let have = run(&layout, &made, &lost);
                    assert!(lost.iter().all(|c| have[c] == value(&layout, *c)), "{n} {nodes:?}");
                    assert!(made.reads.len() <= layout.data(), "n = {n}, {nodes:?}");
                }
            }
        }
    }
}

#[test]
fn all_data_take_as_many_reads_as_there_are_data_blocks() {
    for n in 4..=13 {
        let layout = Layout::new(Rule::General, n).expect("a layout");
        for a in 0..n {
            for b in 0..=a {
                let nodes = if a == b { vec![a] } else { vec![a, b] };
                let made = read_all(&layout, &nodes).expect("it survives that");
                assert_eq!(made.reads.len(), layout.data(), "n = {n}, {nodes:?}");
                let have = run(&layout, &made, &cells_of(&layout, &nodes));
                assert!(layout.homes().iter().all(|c| have[c] == value(&layout, *c)));
            }
        }
    }
}

/// One lost column of row-diagonal parity needs three quarters of the blocks (Xiang et al. 2010).
#[test]
fn one_lost_node_is_rebuilt_from_about_three_quarters() {
    for n in [5, 7, 11, 13, 17, 23] {
        let layout = Layout::best(n).expect("a layout");
        let lost = cells_of(&layout, &[1]);
        let reads = plan(&layout, &lost, &lost).expect("one loss").reads.len();
        let share = reads as f64 / layout.data() as f64;
        assert!((0.70..0.84).contains(&share), "n = {n}: {reads} of {}", layout.data());
        let last = cells_of(&layout, &[n - 1]);
        let diagonals = plan(&layout, &last, &last).expect("one loss").reads.len();
        assert_eq!(diagonals, layout.data() - row_data_left_out(&layout));
    }
}

/// Data blocks on no diagonal: none in the general layout.
fn row_data_left_out(layout: &Layout) -> usize {
    let in_diagonal = |data: usize| {
        layout.cells_of(layout.nodes() - 1).any(|c| layout.contents(c).contains(&data))
    };
    (0..layout.data()).filter(|&d| !in_diagonal(d)).count()
}

/// Compared with all choices of equations.
#[test]
fn one_lost_node_takes_the_fewest_reads() {
    for n in 4..=8 {
        let layout = Layout::best(n).expect("a layout");
        for node in 0..n - 1 {
            let lost = cells_of(&layout, &[node]);
            let reads = plan(&layout, &lost, &lost).expect("one loss").reads.len();
            assert_eq!(reads, fewest(&layout, &lost, 0, &mut Vec::new()), "n = {n}, node {node}");
        }
    }
}

fn fewest(layout: &Layout, lost: &[Cell], at: usize, reads: &mut Vec<Cell>) -> usize {
    let Some(cell) = lost.get(at) else {
        let mut all = reads.clone();
        all.sort();
        all.dedup();
        return all.len();
    };
    let mut best = usize::MAX;
    for equation in layout.equations().iter().filter(|e| e.contains(cell)) {
        let before = reads.len();
        reads.extend(equation.iter().filter(|c| *c != cell));
        best = best.min(fewest(layout, lost, at + 1, reads));
        reads.truncate(before);
    }
    best
}

#[test]
fn a_single_block_takes_its_shortest_equation() {
    for n in 3..=13 {
        let layout = Layout::best(n).expect("a layout");
        for cell in layout.cells() {
            let made = plan(&layout, &[cell], &[cell]).expect("one block");
            let of_cell = layout.equations().iter().filter(|e| e.contains(&cell));
            assert_eq!(Some(made.reads.len() + 1), of_cell.map(Vec::len).min(), "n = {n} {cell:?}");
            assert_eq!(run(&layout, &made, &[cell])[&cell], value(&layout, cell));
        }
    }
}

#[test]
fn scattered_losses_are_recovered_where_that_is_possible() {
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let (mut made, mut hopeless) = (0, 0);
    for _ in 0..2000 {
        let layout = Layout::best(3 + below(7)).expect("a layout");
        let all: Vec<Cell> = layout.cells().collect();
        let lost: Vec<Cell> =
            (0..1 + below(3 * layout.rows())).map(|_| all[below(all.len())]).collect();
        let mut unique = lost.clone();
        unique.sort();
        unique.dedup();
        match plan(&layout, &lost, &lost) {
            Ok(found) => {
                let have = run(&layout, &found, &lost);
                assert!(lost.iter().all(|c| have[c] == value(&layout, *c)));
                made += 1;
            }
            Err(e) => {
                assert!(!xor_protocol::recoverable(&layout, &unique), "{e}");
                assert!(e.to_string().starts_with("too many parts are out of reach: node "), "{e}");
                hopeless += 1;
            }
        }
    }
    assert!(made > 300 && hopeless > 300, "{made} {hopeless}");
}
