//! C3.4's pictures: the use of each disk over time, with 1 pipeline and with limits of 4 and 5.
use super::base::{LARGE, LIMIT, Sets, rows_of};
use crate::heat;
use page::Section;
use system::lab::Lab;
use system::{Failure, RunOptions};

/// Disks of the document's cluster, all of them.
const DISKS: usize = 80;

pub(super) fn figures(lab: &Lab, sets: &Sets) -> Result<Vec<Section>, Failure> {
    let cases = [
        ("disks-1", "1 pipeline", vec![("policy.pipeline", "one")]),
        ("disks-12", "limit 4, 10 pipelines", vec![(LIMIT, "4")]),
        ("disks-15", "limit 5, 13 pipelines", vec![(LIMIT, "5")]),
    ];
    let mut figures = Vec::new();
    for (id, name, own) in cases {
        let all = own.iter().chain(LARGE).map(|(k, v)| (k.to_string(), v.to_string()));
        let row = rows_of(lab, name, vec![all.chain(sets.iter().cloned()).collect()])?.remove(0);
        let how = RunOptions { keep_trace: true, ..RunOptions::by(engine::Scheduler::Sequential) };
        let done = lab.one(&row.sheet, 1, how)?.ok_or_else(system::interrupt::nothing_written)?;
        if let Some((title, body)) = heat::rows(&done.trace, &row.sheet, DISKS) {
            figures.push(Section::new(
                id,
                &format!("{title}: {name}"),
                "1 000 × 1 GB on 8 nodes, seed 1",
                body,
            ))
        }
    }
    Ok(figures)
}
