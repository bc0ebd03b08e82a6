//! `tenbin bench scaling`: what more cores would give, from one.
//!
//! One thread does the work of N in turn, round by round, as a scheduler deals it, and times each
//! thread's; what they undo is in it. A run on N cores takes the longest of each round, and its
//! meetings, which give the global virtual time, too. What cores share (memory, caches) is not in
//! it.
use crate::cli::{Jobs, Scaling, Team};
use crate::failure::Failure;
use crate::{commands::bench, interrupt, job, say};
use engine::{Profile, Scheduler, phold};
use serde_json::{Value, json};

/// Cores that are told of. What is beyond 256 threads is drawn out from these.
const CORES: [u64; 7] = [2, 4, 8, 16, 64, 256, 1024];
const MOST: u64 = 256;

/// Fewer events take no time.
const LEAST_EVENTS: u64 = 10_000;

/// So often two cores are measured, in turn with a run on one: the middle one counts. More are
/// measured once.
const TIMES: usize = 3;

/// What one number of cores gives.
struct Row {
    cores: u64,
    /// What one core takes, measured beside it \[s\].
    one_s: f64,
    /// Times as fast as one: with meetings that cost as many times as there are cores, and as
    /// often as these can be halved.
    speedup: (f64, f64),
    profile: Profile,
}

/// Prints the table.
pub fn scaling(args: &Scaling) -> Result<(), Failure> {
    interrupt::at_once(true);
    let setting = bench::setting(&args.jobs)?;
    check(&args.jobs)?;
    let meeting_s = engine::meeting_s();
    if !args.json {
        say::text(&head(meeting_s))?
    }
    let mut rows = vec![];
    for cores in CORES {
        let row = row(&setting, args.scheduler, cores, meeting_s)?;
        if !args.json {
            say::text(&line(&row))?
        }
        rows.push(row)
    }
    let mut ones: Vec<f64> = rows.iter().map(|row| row.one_s).collect();
    ones.sort_by(f64::total_cmp);
    let one_s = ones[ones.len() / 2];
    if args.json {
        return say::json(&object(args.scheduler, one_s, meeting_s, &rows));
    }
    say::text(&foot(one_s))
}

/// One LP cannot be shared out, and what is over at once cannot be timed.
fn check(jobs: &Jobs) -> Result<(), Failure> {
    let bad = |text| Err(Failure::BadInput(text));
    match (jobs.lps, jobs.events) {
        (..2, _) => bad(format!("--lps {}: expected at least 2, to be dealt to cores", jobs.lps)),
        (_, ..LEAST_EVENTS) => {
            let events = jobs.events;
            bad(format!("--events {events}: expected at least {LEAST_EVENTS}, so that time passes"))
        }
        _ => Ok(()),
    }
}

/// Measured a few times: the middle one.
fn row(setting: &phold::Setting, team: Team, cores: u64, meeting_s: f64) -> Result<Row, Failure> {
    let threads = cores.min(MOST) as usize;
    let scheduler = match team {
        Team::Conservative => Scheduler::Conservative { threads },
        Team::Optimistic => Scheduler::Optimistic { threads },
    };
    let measure = |_| {
        let one = phold::run(setting, Scheduler::Sequential);
        let (outcome, profile) = phold::profile(setting, scheduler);
        if outcome != one.outcome {
            let hash = job::hash_text(one.outcome.trace_hash);
            return Err(Failure::Failed(format!("{cores} threads give another hash than {hash}")));
        }
        let speedup = speedup(one.worked_s, &profile, cores, meeting_s);
        Ok(Row { cores, one_s: one.worked_s, speedup, profile })
    };
    let times = if cores == 2 { TIMES } else { 1 };
    let mut rows = (0..times).map(measure).collect::<Result<Vec<Row>, Failure>>()?;
    rows.sort_by(|a, b| a.speedup.0.total_cmp(&b.speedup.0));
    Ok(rows.swap_remove(times / 2))
}

/// Least and most.
fn speedup(one_s: f64, profile: &Profile, cores: u64, meeting_s: f64) -> (f64, f64) {
    // Beyond the most threads that there can be, each has that much less to do at best.
    let finer = cores as f64 / profile.threads as f64;
    let around_s = profile.alone_s + profile.made_s / cores as f64;
    let time = |longest_s: f64, meetings: f64| {
        one_s / (around_s + longest_s + profile.rounds as f64 * meeting_s * meetings)
    };
    let (low, high) = ((cores - 1) as f64, (cores as f64).log2());
    (time(profile.longest_s, low), time(profile.longest_s / finer, high))
}

fn head(meeting_s: f64) -> String {
    format!(
        "a meeting of two: {:.2} \u{b5}s\n{:>6} {:>9} {:>15} {:>7} {:>17}\n",
        meeting_s * 1e6,
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
    let extrapolated = if *cores > 2 { "  extrapolated" } else { "" };
    format!(
        "{cores:6} {:9} {:>14.0}% {:>6.1}% {:>17}{extrapolated}\n",
        profile.rounds,
        100.0 * even,
        100.0 * undone(profile),
        format!("{low:.2}-{high:.2}")
    )
}

fn foot(one_s: f64) -> String {
    format!(
        "One core takes {one_s:.3} s. Beyond {MOST} cores each has a {MOST}th of the work at \
         most, divided.\n"
    )
}

/// The part of all that is done that is undone.
fn undone(profile: &Profile) -> f64 {
    let all = profile.events + profile.rolled_back;
    profile.rolled_back as f64 / all.max(1) as f64
}

fn object(team: Team, one_s: f64, meeting_s: f64, rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "cores": row.cores,
            "seconds": row.one_s,
            "speedup_low": row.speedup.0,
            "speedup_high": row.speedup.1,
            "rounds": row.profile.rounds,
            "made_s": row.profile.made_s,
            "alone_s": row.profile.alone_s,
            "work_s": row.profile.work_s,
            "longest_s": row.profile.longest_s,
            "undone": undone(&row.profile),
            "extrapolated": row.cores > 2,
        })
    };
    let scheduler = match team {
        Team::Conservative => "conservative",
        Team::Optimistic => "optimistic",
    };
    json!({
        "scheduler": scheduler,
        "seconds": one_s,
        "meeting_s": meeting_s,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_of_each_round_and_the_meetings_are_what_it_takes() {
        let (threads, rounds, work_s, longest_s) = (4, 1000, 1.0, 0.25);
        let profile = Profile { threads, rounds, work_s, longest_s, ..Profile::default() };
        assert_eq!(speedup(1.0, &profile, 4, 0.0), (4.0, 4.0));
        let (low, high) = speedup(1.0, &profile, 4, 1e-4);
        assert!((low - 1.0 / 0.55).abs() < 1e-9 && (high - 1.0 / 0.45).abs() < 1e-9);
        let (_, high) = speedup(1.0, &profile, 16, 0.0);
        assert_eq!(high, 16.0, "of fewer threads, drawn out");
        let around = Profile { made_s: 0.4, alone_s: 0.15, ..profile };
        assert_eq!(speedup(2.0, &around, 4, 0.0), (4.0, 4.0), "made by all, dealt by one")
    }
}
