//! `tenbin bench scaling`: estimates the speedup of more cores on one core.
//!
//! One thread does the work of N threads, round by round, as the scheduler distributes it, and
//! measures each thread's time including rollbacks. The estimate for N cores is the longest time of
//! each round plus its synchronisation (which includes global virtual time). Shared resources of
//! the cores (memory, caches) are not modelled.
mod subject;

use crate::cli::{Scaling, Team};
use crate::failure::Failure;
use crate::{console, interrupt};
use engine::{Cores, Profile, Scheduler};
use serde_json::{Value, json};
use std::time::Duration;
use subject::Subject;
use system::progress::Progress;
use system::provenance::hash_text;
use system::scaling::BarrierCost;

/// Numbers of cores printed. Above 256 threads the estimate extrapolates.
const CORES: [u64; 7] = [2, 4, 8, 16, 64, 256, 1024];
const MOST: u64 = 256;

/// Larger numbers of cores are skipped after one that took this time.
const LONG: Duration = Duration::from_secs(60);

/// Two cores are measured this number of times, alternating with one core; the median counts. More
/// cores are measured once.
const TIMES: usize = 3;

struct Row {
    cores: u64,
    /// Time of one core, measured in the same row \[s\].
    one_s: f64,
    /// Relative to one core. First: synchronisation cost grows with the number of cores; second:
    /// with its logarithm.
    speedup: (f64, f64),
    profile: Profile,
    /// Measured speedup of threads of this machine.
    measured: Option<f64>,
}

pub fn scaling(args: &Scaling) -> Result<(), Failure> {
    interrupt::exit_at_once(true);
    let subject = Subject::of(args)?;
    let meeting = BarrierCost::of_two();
    let mut rows = vec![];
    for count in CORES {
        let (begun, progress) = (crate::clock::now(), Progress::run());
        progress.note(&format!("{count} cores: one thread does the work of all"));
        let cores = Cores { count, barrier_s: meeting.taken_s };
        let mut row = row(&subject, args.scheduler, cores)?;
        if args.measure && count == CORES[0] {
            progress.note(&format!("{count} cores: measured, alternating with one"));
            row.measured = Some(measure(&subject, args.scheduler, threads(count))?)
        }
        progress.end();
        if !args.json {
            let head = if rows.is_empty() { head(args, meeting) } else { String::new() };
            console::text(&format!("{head}{}", line(&row)))?
        }
        rows.push(row);
        if begun.elapsed() > LONG {
            break;
        }
    }
    let one_s = middle(rows.iter().map(|row| row.one_s));
    if args.json {
        let object = json!({
            "subject": subject::name(args),
            "scheduler": name(args.scheduler),
            "seconds": one_s,
            "meeting_s": meeting.taken_s,
            "meeting_assumed": meeting.is_assumed(),
            "rows": rows.iter().map(object).collect::<Vec<_>>(),
        });
        return console::json(&object);
    }
    console::text(&foot(one_s, rows.len()))
}

fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn threads(cores: u64) -> usize {
    usize::try_from(cores).expect("a table has fewer")
}

fn scheduler(team: Team, threads: usize) -> Scheduler {
    match team {
        Team::Conservative => Scheduler::Conservative { threads },
        Team::Optimistic => Scheduler::Optimistic { threads },
    }
}

/// Median of a few measurements.
fn row(subject: &Subject, team: Team, cores: Cores) -> Result<Row, Failure> {
    let threads = threads(cores.count.min(MOST));
    let measure = |_| {
        let one = subject.time(Scheduler::Sequential)?;
        let (hash, profile) = subject.profile(scheduler(team, threads), cores)?;
        if hash != one.hash {
            let hash = hash_text(one.hash);
            return Err(Failure::Failed(format!("with {threads} threads the hash is not {hash}")));
        }
        let (one_s, (fast_s, slow_s)) = (one.worked_s, profile.seconds(cores.count));
        let speedup = (one_s / slow_s, one_s / fast_s);
        Ok(Row { cores: cores.count, one_s, speedup, profile, measured: None })
    };
    let times = if cores.count == 2 { TIMES } else { 1 };
    let mut rows = (0..times).map(measure).collect::<Result<Vec<Row>, Failure>>()?;
    rows.sort_by(|a, b| a.speedup.0.total_cmp(&b.speedup.0));
    Ok(rows.swap_remove(times / 2))
}

/// Median measured speedup of `threads` on this machine, by elapsed time.
fn measure(subject: &Subject, team: Team, threads: usize) -> Result<f64, Failure> {
    let ratio = |_| {
        let one = subject.time(Scheduler::Sequential)?;
        Ok(one.seconds / subject.time(scheduler(team, threads))?.seconds)
    };
    Ok(middle((0..TIMES).map(ratio).collect::<Result<Vec<f64>, Failure>>()?.into_iter()))
}

fn head(args: &Scaling, meeting: BarrierCost) -> String {
    let remark = match meeting.is_assumed() {
        true => format!(
            " (assumed; {:.0} \u{b5}s here: the cores are busy, or there is only one)",
            meeting.measured_s * 1e6
        ),
        false => String::new(),
    };
    format!(
        "{}, {}\nbarrier of two threads: {:.2} \u{b5}s{remark}\n{:>6} {:>9} {:>15} {:>7} {:>17}\n",
        subject::name(args),
        name(args.scheduler),
        meeting.taken_s * 1e6,
        "cores",
        "rounds",
        "even work",
        "undone",
        "times as fast"
    )
}

fn line(row: &Row) -> String {
    let Row { cores, speedup: (low, high), profile, .. } = row;
    let even = profile.work_s / profile.longest_s.max(1e-12) / profile.threads as f64;
    let remark = match row.measured {
        _ if *cores > 2 => "  extrapolated".into(),
        Some(times) => format!("  measured: {times:.2}"),
        None => String::new(),
    };
    format!(
        "{cores:6} {:9} {:>14.0}% {:>6.1}% {:>17}{remark}\n",
        profile.rounds,
        100.0 * even,
        100.0 * undone(profile),
        format!("{low:.2}-{high:.2}")
    )
}

fn foot(one_s: f64, rows: usize) -> String {
    let more = match CORES.get(rows) {
        None => format!("Beyond {MOST} cores, each does at least a {MOST}th of the work."),
        Some(cores) => {
            format!("{cores} cores and more: not tried, this takes minutes. Make the run shorter.")
        }
    };
    format!("One core takes {one_s:.3} s. {more}\n")
}

/// Fraction of executed events that were rolled back.
fn undone(profile: &Profile) -> f64 {
    let all = profile.events + profile.rolled_back;
    profile.rolled_back as f64 / all.max(1) as f64
}

fn name(team: Team) -> &'static str {
    match team {
        Team::Conservative => "conservative",
        Team::Optimistic => "optimistic",
    }
}

fn object(row: &Row) -> Value {
    json!({
        "cores": row.cores,
        "seconds": row.one_s,
        "speedup_low": row.speedup.0,
        "speedup_high": row.speedup.1,
        "measured": row.measured,
        "rounds": row.profile.rounds,
        "made_s": row.profile.made_s,
        "alone_s": row.profile.alone_s,
        "work_s": row.profile.work_s,
        "longest_s": row.profile.longest_s,
        "undone": undone(&row.profile),
        "extrapolated": row.cores > 2,
    })
}
