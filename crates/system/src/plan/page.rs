//! The page of a plan: that of a comparison.
use crate::advice::Advice;
use crate::assumed::Assumptions;
use crate::figures::figures;
use crate::interface::SimulatedRun;
use crate::lab::{Lab, RowRuns};
use crate::reporter::{self, Case};
use cluster::Sheet;
use page::Page;

pub struct Answer<'a> {
    pub sheet: &'a Sheet,
    /// The present settings, then the other variants.
    pub rows: &'a [RowRuns],
    /// Index into `rows`.
    pub recommended: Option<usize>,
    /// First run of the present settings.
    pub first: &'a SimulatedRun,
    pub assumed: Assumptions,
}

/// Compares the variants; *Do* describes the recommended one.
pub fn page(lab: &Lab, answer: Answer<'_>) -> Page {
    let Answer { sheet, rows, recommended, first, assumed } = answer;
    let of_rows = (&rows[1..], &[][..]);
    let mut advice = Advice::of(sheet, &rows[0], of_rows, lab.reporter().prices());
    advice.follow = recommended.map(|place| place - 1);
    let case = Case {
        sheet,
        sets: &[],
        rows,
        figures: &figures(rows, first.reading.objective.better),
        trace: &first.trace,
        trace_hash: first.trace_hash,
        assumed,
        advice,
        parallel: None,
    };
    reporter::page(lab.system().name, lab.reporter(), &case)
}
