//! What held a job up, with evidence and certainty.
use super::curves::{Curves, Split};
use super::job::{Attempt, Job};
use super::path::{Is, Step};
use page::words::{bytes, duration, num, percent};
use serde::Serialize;

/// Assumed where no input says it: a SATA disk, bytes/s.
pub const FLOOR_DISK: f64 = 150e6;

/// Assumed where no input says it: 10 Gbit/s, in bytes/s.
pub const FLOOR_NIC: f64 = 1.25e9;

/// Nothing is blamed whose bytes need less than this part of the time.
const BLAMED: f64 = 0.2;

/// A verdict.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// "unexplained", "AM start", "container wait", "slow-start", "disk", "failed attempts".
    pub cause: String,
    /// Who or what exactly.
    pub holder: String,
    /// Without it the job is shorter by at least this part of its time, 0–1.
    pub share_low: f64,
    /// And by at most this.
    pub share_high: f64,
    /// What it is concluded from.
    pub evidence: Vec<Evidence>,
    /// high, medium or low.
    pub certainty: &'static str,
    /// What to import to become surer; "" where nothing would help.
    #[serde(skip)]
    pub surer: &'static str,
}

/// A piece of evidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evidence {
    /// "interval", "counter", "curve".
    pub kind: &'static str,
    /// Where it stands: "clockSplits".
    pub source: &'static str,
    /// What it says.
    pub says: String,
}

/// The least time that counted bytes need at assumed rates.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Floor {
    /// Bytes that disks have read and written.
    pub disk_bytes: f64,
    /// Bytes that reduces have fetched.
    pub nic_bytes: f64,
    /// Of the task time, 0–1.
    pub disk: f64,
    /// Of the task time, 0–1.
    pub nic: f64,
}

impl Floor {
    /// Of a job.
    pub fn of(job: &Job) -> Floor {
        let whole = job.task_time();
        let disk_bytes: f64 = job.attempts().map(Attempt::disk_bytes).sum();
        let nic_bytes: f64 = job.attempts().map(|a| a.number("REDUCE_SHUFFLE_BYTES")).sum();
        let share = |seconds: f64| if whole > 0.0 { seconds / whole } else { 0.0 };
        let (disk, nic) = (share(disk_bytes / FLOOR_DISK), share(nic_bytes / FLOOR_NIC));
        Floor { disk_bytes, nic_bytes, disk, nic }
    }

    /// Whether neither disk nor network can be blamed.
    pub fn is_neither(&self) -> bool {
        self.disk < BLAMED && self.nic < BLAMED
    }
}

/// All verdicts, the most first.
pub(super) fn of(job: &Job, path: &[Step], floor: &Floor, curves: &Curves) -> Vec<Verdict> {
    let whole = job.took();
    if whole <= 0.0 {
        return Vec::new();
    }
    let mut all: Vec<Verdict> = waits(path, whole);
    // Curves, where they are, say it better than assumed rates.
    if !runs(job, path).any(|(_, a)| curves.split(a).seen > 0.0) {
        all.extend(blamed(job, path, floor, whole))
    }
    let full = full(job, path, curves, whole);
    let explained: f64 = full.iter().map(|verdict| verdict.share_high).sum();
    all.extend(full);
    all.extend(unexplained(job, path, floor, whole, explained));
    all.retain(|verdict| verdict.share_high >= 0.005);
    all.sort_by(|a, b| b.share_high.total_cmp(&a.share_high));
    all
}

/// Logged waits on the path: they are there, and without them the job is shorter by no more.
fn waits(path: &[Step], whole: f64) -> Vec<Verdict> {
    let of = |cause: &str, holder: &str, which: &[Is], surer| {
        let steps: Vec<&Step> = path.iter().filter(|step| which.contains(&step.is)).collect();
        let seconds: f64 = steps.iter().map(|step| step.seconds).sum();
        let says = |step: &&Step| Evidence {
            kind: "interval",
            source: "critical path",
            says: format!("{}: {}", step.what, plain(duration(step.seconds))),
        };
        (!steps.is_empty()).then(|| Verdict {
            cause: cause.into(),
            holder: holder.into(),
            share_low: 0.0,
            share_high: seconds / whole,
            evidence: steps.iter().take(20).map(says).collect(),
            certainty: "high",
            surer,
        })
    };
    // Only daemons' logs would split a container's start, and no command reads those.
    let yarn = "";
    [
        of("AM start", "the application master's container and its start", &[Is::AmStart], yarn),
        of(
            "container wait",
            "YARN's scheduler, or a full cluster",
            &[Is::Container, Is::Gap],
            yarn,
        ),
        of("slow-start", crate::import::conf::SLOW_START, &[Is::SlowStart], ""),
        of("failed attempts", "attempts that broke off on the path", &[Is::Lost], ""),
        of("job commit", "the output committer", &[Is::Commit], ""),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Attempts of runs on the path.
fn runs<'j>(job: &'j Job, path: &'j [Step]) -> impl Iterator<Item = (&'j Step, &'j Attempt)> {
    let runs = path.iter().filter(|step| step.is == Is::Run);
    runs.filter_map(|step| {
        let (task, at) = step.of?;
        Some((step, &job.tasks[task].attempts[at?]))
    })
}

/// Disk or network, where the bytes alone need a good part of the time: a model says so.
fn blamed(job: &Job, path: &[Step], floor: &Floor, whole: f64) -> Vec<Verdict> {
    let of = |cause: &str,
              holder: &str,
              share: f64,
              amount: f64,
              rate: f64,
              name: &str,
              least: &dyn Fn(&Attempt) -> f64| {
        let on_path: f64 = runs(job, path).map(|(step, a)| f64::min(least(a), step.seconds)).sum();
        let says = format!(
            "{} at {}/s assumed need at least {} of task time",
            plain(bytes(amount)),
            plain(bytes(rate)),
            plain(percent(share))
        );
        let source = if name == "disk" { "HDFS_BYTES, FILE_BYTES" } else { "REDUCE_SHUFFLE_BYTES" };
        (share >= BLAMED).then(|| Verdict {
            cause: cause.into(),
            holder: holder.into(),
            share_low: 0.0,
            share_high: on_path / whole,
            evidence: vec![Evidence { kind: "counter", source, says }],
            certainty: "low",
            surer: CURVES,
        })
    };
    let disk = |a: &Attempt| a.disk_bytes() / FLOOR_DISK;
    let nic = |a: &Attempt| a.number("REDUCE_SHUFFLE_BYTES") / FLOOR_NIC;
    let (disks, nics) = ("which disk is not logged", "which link is not logged");
    let all = [
        of("disk", disks, floor.disk, floor.disk_bytes, FLOOR_DISK, "disk", &disk),
        of("network", nics, floor.nic, floor.nic_bytes, FLOOR_NIC, "network", &nic),
    ];
    all.into_iter().flatten().collect()
}

/// Runs on the path while a resource of their node was full. A full resource is one clue; that
/// the process got little CPU beside full cores, or needs the bytes, is a second.
fn full(job: &Job, path: &[Step], curves: &Curves, whole: f64) -> Vec<Verdict> {
    let splits: Vec<Split> = runs(job, path).map(|(_, a)| curves.split(a)).collect();
    let seen: f64 = splits.iter().map(|split| split.seen).sum();
    let floor = Floor::of(job);
    let starved = late_start(job).is_some() || starved(job).is_some();
    let of = |cause: &str, what: &str, seconds: f64, second_clue: bool| {
        let says = format!(
            "{what} of the node at 90 % or more in {} of {} on the path that curves cover",
            plain(duration(seconds)),
            plain(duration(seen))
        );
        (seconds > 0.0).then(|| Verdict {
            cause: cause.into(),
            holder: format!("{what} of the node"),
            share_low: 0.0,
            share_high: seconds / whole,
            evidence: vec![Evidence { kind: "curve", source: "node curves", says }],
            certainty: if second_clue { "medium" } else { "low" },
            surer: "",
        })
    };
    let sum = |part: fn(&Split) -> f64| splits.iter().map(part).sum::<f64>();
    [
        of("CPU", "cores", sum(|s| s.cpu), starved),
        of("disk", "a disk", sum(|s| s.disk), floor.disk >= BLAMED),
        of("network", "a NIC", sum(|s| s.network), floor.nic >= BLAMED),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What splits runs whose inside no counter covers.
const CURVES: &str = "node curves (sadf -j, or tenbin monitor): they split what is unexplained";

/// Time of runs on the path that no counter covers. What clues point to is said, not claimed.
fn unexplained(
    job: &Job,
    path: &[Step],
    floor: &Floor,
    whole: f64,
    explained: f64,
) -> Option<Verdict> {
    let open = |(step, a): (&Step, &Attempt)| (step.seconds - f64::max(a.cpu(), a.gc())).max(0.0);
    let seconds: f64 = runs(job, path).map(open).sum();
    let names: Vec<&str> = runs(job, path).map(|(step, _)| step.what.as_str()).take(5).collect();
    let mut evidence = vec![Evidence {
        kind: "counter",
        source: "CPU_MILLISECONDS, GC_TIME_MILLIS",
        says: format!(
            "CPU {} and GC {} of {} of task time: {} unexplained",
            plain(duration(job.cpu())),
            plain(duration(job.gc())),
            plain(duration(job.task_time())),
            plain(percent(job.unexplained())),
        ),
    }];
    if floor.is_neither() {
        evidence.push(Evidence { kind: "counter", source: "bytes", says: few_bytes(job, floor) })
    }
    let clues: Vec<Evidence> = [late_start(job), starved(job)].into_iter().flatten().collect();
    let points = match clues.len() {
        0 => "",
        _ => "; points to CPU starvation or slow JVM start",
    };
    let certainty = if clues.len() >= 2 { "medium" } else { "low" };
    evidence.extend(clues);
    (!names.is_empty()).then(|| Verdict {
        cause: "unexplained".into(),
        holder: format!("runs of {}{points}", names.join(", ")),
        share_low: 0.0,
        share_high: (seconds / whole - explained).max(0.0),
        evidence,
        certainty,
        surer: CURVES,
    })
}

/// "2.5 MB read and 2.9 MB written a map".
fn few_bytes(job: &Job, floor: &Floor) -> String {
    let maps: Vec<&Attempt> = ran(job, "MAP").collect();
    let mean = |of: &dyn Fn(&Attempt) -> f64| {
        maps.iter().map(|a| of(a)).sum::<f64>() / maps.len().max(1) as f64
    };
    let read = mean(&|a| a.number("HDFS_BYTES_READ") + a.number("FILE_BYTES_READ"));
    let written = mean(&|a| a.number("HDFS_BYTES_WRITTEN") + a.number("FILE_BYTES_WRITTEN"));
    let needs = (read + written) / FLOOR_DISK;
    format!(
        "a map reads {} and writes {}, which needs {} at {}/s assumed; of all task time disks need \
         {} %, the network {} %",
        plain(bytes(read)),
        plain(bytes(written)),
        plain(duration(needs)),
        plain(bytes(FLOOR_DISK)),
        num(100.0 * floor.disk, 1),
        num(100.0 * floor.nic, 2)
    )
}

/// Attempts of a kind that ran.
pub(super) fn ran<'j>(job: &'j Job, kind: &'j str) -> impl Iterator<Item = &'j Attempt> {
    job.attempts().filter(move |a| a.kind == kind && a.took() > 0.0)
}

/// Most of the time of maps passed before the first twelfth of their progress.
pub(crate) fn late_start(job: &Job) -> Option<Evidence> {
    let sum = |name: &str| ran(job, "MAP").map(|a| a.number(name)).sum::<f64>();
    let (first, all) = (sum("clockSplits[0]"), sum("clockSplits"));
    (all > 0.0 && first / all >= 0.5).then(|| Evidence {
        kind: "counter",
        source: "clockSplits",
        says: format!(
            "{} of map time passed before the first 1/12 of progress",
            plain(percent(first / all))
        ),
    })
}

/// A process collected garbage for longer than it got CPU: others had the cores.
pub(crate) fn starved(job: &Job) -> Option<Evidence> {
    let more = |a: &&Attempt| a.number("CPU_MILLISECONDS") > 0.0 && a.gc() > a.cpu();
    let worst = job.attempts().filter(more).max_by(|a, b| {
        (a.gc() / a.cpu()).total_cmp(&(b.gc() / b.cpu())).then(b.name.cmp(&a.name))
    })?;
    Some(Evidence {
        kind: "counter",
        source: "counters",
        says: format!(
            "{}: GC took {} ms, the whole process got {} ms of CPU",
            job.tasks[worst.task].name,
            plain(num(1e3 * worst.gc(), 0)),
            plain(num(1e3 * worst.cpu(), 0))
        ),
    })
}

/// Spaces as terminals and scripts want them.
pub(crate) fn plain(text: String) -> String {
    text.replace(page::words::THIN, " ").replace(page::words::NB, " ")
}
