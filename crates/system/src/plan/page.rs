//! The page of a plan: that of a comparison whose rows were searched for.
use crate::advice::Advice;
use crate::assumed::Assumptions;
use crate::figures::figures;
use crate::lab::{Lab, RowRuns};
use crate::seam::Simulated;
use crate::words::{self, Case};
use cluster::Sheet;
use page::Page;

/// The rows that a plan has found, and the one that it recommends.
pub struct Answer<'a> {
    pub sheet: &'a Sheet,
    /// The present settings, then what else is worth a row.
    pub rows: &'a [RowRuns],
    /// The place of the row to be followed.
    pub recommended: Option<usize>,
    /// The present settings' first run.
    pub first: &'a Simulated,
    pub assumed: Assumptions,
}

/// The rows beside each other; *Do* is about the one that is recommended.
pub fn page(lab: &Lab, answer: Answer<'_>) -> Page {
    let Answer { sheet, rows, recommended, first, assumed } = answer;
    let of_rows = (&rows[1..], &[][..]);
    let mut advice = Advice::of(sheet, &rows[0], of_rows, lab.words().prices());
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
    words::page(lab.system().name, lab.words(), &case)
}
