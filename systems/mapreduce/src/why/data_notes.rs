//! Notes on the limits of a job's figures: corrected clocks, running attempts.
use super::job::{Attempt, Job};
use crate::plain::{bytes, count, duration};

/// Sentences without full stop; empty for a finished job with one clock.
pub(super) fn notes(job: &Job) -> Vec<String> {
    job.clocks.iter().cloned().chain(running(job)).chain(running_note(job)).collect()
}

/// Hadoop 1 does not log running attempts.
fn running_note(job: &Job) -> Option<String> {
    let many = job.running_tasks();
    let were = if many == 1 { "was" } else { "were" };
    (many > 0).then(|| {
        let many = count(many, "task");
        format!("{many} {were} given out and had not ended: Hadoop 1 logs attempts when they end")
    })
}

/// "9 maps still run, for 295 s so far: …".
fn running(job: &Job) -> Option<String> {
    let of = |(kind, word): (&str, &str)| {
        let all: Vec<f64> =
            job.running().filter(|a| a.kind == kind).map(Attempt::duration_s).collect();
        let (low, high) =
            (all.iter().copied().reduce(f64::min)?, all.iter().copied().fold(0.0, f64::max));
        let (low, high) = (duration(low), duration(high));
        let times = if low == high { high } else { format!("{low} to {high}") };
        let many = count(all.len(), word);
        let runs = if all.len() == 1 { "runs" } else { "run" };
        Some(format!("{many} still {runs}, for {times} so far"))
    };
    let kinds = [("MAP", "map"), ("REDUCE", "reduce")].into_iter().filter_map(of);
    let kinds = kinds.collect::<Vec<_>>().join("; ");
    let ended = job.ended().filter(|a| a.run.is_some()).count();
    let rest = match ended {
        0 => "no attempt has ended".into(),
        1 => "means and shares are of the ended attempt".into(),
        n => format!("means and shares are of the {} ended attempts", count(n, "attempt")),
    };
    (!kinds.is_empty())
        .then(|| format!("{kinds}: their input and CPU time are not logged; {rest}{}", read(job)))
}

fn read(job: &Job) -> String {
    let read = job.successful("MAP").map(|a| a.number("HDFS_BYTES_READ"));
    let all: Vec<f64> = read.filter(|n| *n > 0.0).collect();
    let mean = bytes(all.iter().sum::<f64>() / all.len().max(1) as f64);
    match all.len() {
        0 => String::new(),
        1 => format!(" (a map, which read {mean})"),
        n => format!(" ({n} maps read {mean} each on average)"),
    }
}
