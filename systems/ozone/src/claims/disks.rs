//! Figures of C3.4: use of each disk over time with 1 pipeline and with limits of 4 and 5.
use super::cases::{BASE, LARGE, LIMIT};
use crate::{OZONE, heat};
use page::Section;
use system::claims::{Claim, ReproduceRequest, Run};
use system::lab::Lab;
use system::{Failure, RunOptions};

/// All disks of the cluster in the paper.
const DISKS: usize = 80;
/// Index of the figure that follows these.
const BEFORE: usize = 3;

/// Does nothing if there are no figures.
pub fn add(
    asked: &ReproduceRequest<'_>,
    _: &mut Vec<Claim>,
    figures: &mut Vec<Section>,
) -> Result<(), Failure> {
    let cases = [
        ("disks-1", "1 pipeline", ("policy.pipeline", "one")),
        ("disks-12", "limit 4, 10 pipelines", (LIMIT, "4")),
        ("disks-15", "limit 5, 13 pipelines", (LIMIT, "5")),
    ];
    if figures.is_empty() {
        return Ok(());
    }
    let lab = Lab::of(&OZONE)?;
    let mut disks = Vec::new();
    for (id, name, own) in cases {
        let sheet = Run::of(BASE, &[own]).with(LARGE).row(&lab, asked.sets)?.sheet;
        let how = RunOptions { keep_trace: true, ..RunOptions::by(engine::Scheduler::Sequential) };
        let done = lab.run_once(&sheet, 1, how)?.ok_or_else(system::interrupt::nothing_written)?;
        if let Some((title, body)) = heat::rows(&done.trace, &sheet, DISKS) {
            let title = format!("{title}: {name}");
            disks.push(Section::new(id, &title, "1 000 × 1 GB on 8 nodes, seed 1", body))
        }
    }
    figures.splice(BEFORE..BEFORE, disks);
    Ok(())
}
