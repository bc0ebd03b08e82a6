//! Which cells to read and xor to get wanted cells although some are lost.
mod choice;
mod peel;

use crate::layout::{Cell, Layout};
use crate::solve;
use std::fmt;

/// `cell` is the xor of `from`; each of those is read, or rebuilt by an earlier step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebuild {
    pub cell: Cell,
    pub from: Vec<Cell>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plan {
    /// Ascending.
    pub reads: Vec<Cell>,
    pub steps: Vec<Rebuild>,
}

/// Cells that do not follow from the readable ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrecoverable(pub Vec<Cell>);

impl fmt::Display for Unrecoverable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<String> =
            self.0.iter().map(|c| format!("node {} row {}", c.node, c.row)).collect();
        write!(f, "too many parts are out of reach: {}", cells.join(", "))
    }
}

impl std::error::Error for Unrecoverable {}

/// Plans reads and steps for the wanted cells.
///
/// For one lost node or single blocks, the reads are minimal with up to 16 lost cells that have two
/// equations. With more, they are the best of a descent. With two lost nodes the plan reads exactly
/// as many cells as the layout has data blocks.
///
/// # Errors
/// The wanted cells that do not follow from the readable ones.
pub fn plan(layout: &Layout, lost: &[Cell], wanted: &[Cell]) -> Result<Plan, Unrecoverable> {
    let is_lost = lost_table(layout, lost);
    let gone = |cell: &Cell| is_lost[layout.index(*cell)];
    let mut targets: Vec<Cell> = wanted.iter().copied().filter(|c| gone(c)).collect();
    targets.sort();
    targets.dedup();
    let given: Vec<Cell> = wanted.iter().copied().filter(|c| !gone(c)).collect();
    let steps = match choice::directly(layout, &is_lost, &targets, &given) {
        Some(steps) => steps,
        None => match peel::one_by_one(layout, &is_lost, &targets) {
            Some(steps) => steps,
            None => solved(layout, &is_lost, &targets)?,
        },
    };
    let made = with_reads(layout, &is_lost, given.clone(), steps);
    match made.reads.len() > layout.data() {
        true => Ok(by_data(layout, &is_lost, &targets, given).unwrap_or(made)),
        false => Ok(made),
    }
}

/// Reads or rebuilds data first: never needs more reads than data blocks.
fn by_data(layout: &Layout, is_lost: &[bool], targets: &[Cell], given: Vec<Cell>) -> Option<Plan> {
    let is_data = |cell: &Cell| layout.data_at(*cell).is_some();
    let lost: Vec<Cell> =
        layout.homes().iter().copied().filter(|c| is_lost[layout.index(*c)]).collect();
    let mut steps = peel::one_by_one(layout, is_lost, &lost)?;
    let made: Vec<Cell> = steps.iter().map(|s| s.cell).collect();
    for &cell in targets.iter().filter(|c| !is_data(c) && !made.contains(c)) {
        let from = layout.contents(cell).iter().map(|&data| layout.homes()[data]).collect();
        steps.push(Rebuild { cell, from });
    }
    Some(with_reads(layout, is_lost, given, steps))
}

/// For whole lost nodes and all data.
///
/// # Errors
/// Data that do not follow from the readable cells.
pub fn read_all(layout: &Layout, lost_nodes: &[usize]) -> Result<Plan, Unrecoverable> {
    let lost: Vec<Cell> = lost_nodes.iter().flat_map(|&node| layout.cells_of(node)).collect();
    plan(layout, &lost, layout.homes())
}

fn lost_table(layout: &Layout, lost: &[Cell]) -> Vec<bool> {
    let mut table = vec![false; layout.nodes() * layout.rows()];
    lost.iter().for_each(|c| table[layout.index(*c)] = true);
    table
}

/// By elimination: finds a plan if there is one, rarely the shortest.
fn solved(
    layout: &Layout,
    is_lost: &[bool],
    targets: &[Cell],
) -> Result<Vec<Rebuild>, Unrecoverable> {
    let lost: Vec<Cell> = layout.cells().filter(|c| is_lost[layout.index(*c)]).collect();
    let found = solve::from_what_is_left(layout, &lost);
    let of = |cell: &Cell| found[lost.iter().position(|c| c == cell).expect("a lost one")].clone();
    let hopeless: Vec<Cell> = targets.iter().copied().filter(|c| of(c).is_none()).collect();
    if !hopeless.is_empty() {
        return Err(Unrecoverable(hopeless));
    }
    Ok(targets.iter().filter_map(|&cell| of(&cell).map(|from| Rebuild { cell, from })).collect())
}

/// Reads = cells that steps use and no step rebuilds, and `given`.
fn with_reads(layout: &Layout, is_lost: &[bool], given: Vec<Cell>, steps: Vec<Rebuild>) -> Plan {
    let used = steps.iter().flat_map(|s| &s.from).copied();
    let mut reads: Vec<Cell> = used.filter(|c| !is_lost[layout.index(*c)]).chain(given).collect();
    reads.sort();
    reads.dedup();
    Plan { reads, steps }
}
