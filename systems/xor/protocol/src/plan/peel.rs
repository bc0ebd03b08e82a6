//! Rebuilds lost cells one at a time, each by an equation in which it is the last lost one.
use super::Rebuild;
use crate::layout::{Cell, Layout};
use std::collections::BTreeSet;

/// Only the steps that targets need. `None` if a target is out of reach this way.
pub(super) fn one_by_one(
    layout: &Layout,
    is_lost: &[bool],
    targets: &[Cell],
) -> Option<Vec<Rebuild>> {
    let mut lost = is_lost.to_vec();
    let mut steps: Vec<Rebuild> = Vec::new();
    loop {
        let before = steps.len();
        for equation in layout.equations() {
            let mut unknown = equation.iter().filter(|c| lost[layout.index(**c)]);
            if let (Some(&cell), None) = (unknown.next(), unknown.next()) {
                let from = equation.iter().copied().filter(|c| *c != cell).collect();
                lost[layout.index(cell)] = false;
                steps.push(Rebuild { cell, from });
            }
        }
        if steps.len() == before {
            break;
        }
    }
    let is_done = targets.iter().all(|c| !lost[layout.index(*c)]);
    is_done.then(|| needed(steps, targets))
}

fn needed(steps: Vec<Rebuild>, targets: &[Cell]) -> Vec<Rebuild> {
    let mut wanted: BTreeSet<Cell> = targets.iter().copied().collect();
    let mut kept = Vec::new();
    for step in steps.into_iter().rev() {
        if wanted.contains(&step.cell) {
            wanted.extend(&step.from);
            kept.push(step);
        }
    }
    kept.reverse();
    kept
}
