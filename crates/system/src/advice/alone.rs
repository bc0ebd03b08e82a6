//! The advice of `tenbin run`, for commands with another page.
use super::{Advice, Search};
use crate::assumed::Assumptions;
use crate::failure::Failure;
use crate::figures::figures;
use crate::interrupt;
use crate::lab::{Lab, Row, RowRuns};
use crate::reporter::Case;
use cluster::Sheet;
use page::Do;
use serde_json::Value;

/// Advice as text and JSON, by the tries and rules of `tenbin run`.
pub fn alone(lab: &Lab, sheet: &Sheet) -> Result<(Option<Do>, Value), Failure> {
    let row = [Row { name: "now".into(), set: Vec::new(), sheet: sheet.clone() }];
    let run = |seeds: &[u64], keep: bool| {
        let done = lab.run(&row, seeds, keep, "the present scenario")?;
        interrupt::check().map(|()| done)
    };
    let mut done = run(&[1], true)?;
    let first = done.first.take().ok_or_else(interrupt::nothing_written)?;
    let mut now: RowRuns = done.rows.remove(0);
    let search = Search::of((lab, sheet), &now, &[], first.events);
    let more: Vec<u64> = (2..=search.seeds() as u64).collect();
    now.runs.extend(run(&more, false)?.rows.remove(0).runs);
    let prices = lab.reporter().prices();
    let tested = search.run(&now, &[], prices)?;
    let advice = Advice::of(sheet, &now, (&[], &tested.rows), prices).leaving(tested);
    let rows = [now];
    let figures = figures(&rows, first.reading.objective.better);
    let case = Case {
        sheet,
        sets: &[],
        rows: &rows,
        figures: &figures,
        trace: &first.trace,
        trace_hash: first.trace_hash,
        assumed: Assumptions::default(),
        advice,
        parallel: None,
    };
    Ok((super::doing(lab.reporter(), &case), super::json(&case.advice)))
}
