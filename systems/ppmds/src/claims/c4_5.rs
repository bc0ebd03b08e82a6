//! C4.5: what more processes bring, and why not less with us.
use super::grid::{Sets, at, read};
use engine::{Cores, Scheduler};
use page::words::num;
use page::{Body, Cell, Column, Row, Section, Table};
use system::Failure;
use system::claims::{Claim, Verdict};
use system::scaling::{self, Meeting};

/// The document's configurations: 128 servers.
const CLIENTS: [u32; 3] = [1_024, 2_048, 4_096];
/// Creates of each client in them: enough for 0.2 to 1 s of wall time.
const CREATES: &str = "300";
/// Each is run so often; the fastest counts, since others use this machine as well.
const TIMES: usize = 2;

/// Processes that the document went up to; beyond this machine's cores their work is done in turn.
const MOST: u64 = 64;

/// Ranks that are timed beside the threads.
const RANKS: usize = 2;

/// The fastest of a few runs \[s\], in ranks of one thread each where there are several.
fn wall(
    over: &[(String, String)],
    clients: u32,
    scheduler: Scheduler,
    ranks: usize,
) -> Result<f64, Failure> {
    let (lab, row) = read(over, &of(clients))?;
    let once = || match ranks {
        1 => scaling::time(&lab, &row.sheet, 1, scheduler),
        ranks => scaling::time_ranks(&lab, &row.sheet, 1, scheduler, ranks),
    };
    let times = (0..TIMES).map(|_| Ok(once()?.seconds));
    let times = times.collect::<Result<Vec<f64>, Failure>>()?;
    Ok(times.into_iter().fold(f64::INFINITY, f64::min))
}

fn of(clients: u32) -> Sets {
    at(128, clients, &[("workload.creates_per_client", CREATES)])
}

/// How many times as fast 64 cores would be, at least and at most, as `bench scaling` works it out.
fn on_many(
    over: &[(String, String)],
    clients: u32,
    scheduler: Scheduler,
) -> Result<(f64, f64), Failure> {
    let (lab, row) = read(over, &of(clients))?;
    let cores = Cores { count: MOST, meeting_s: Meeting::of_two().taken_s };
    let one_s = scaling::time(&lab, &row.sheet, 1, Scheduler::Sequential)?.worked_s;
    let (_, profile) = scaling::profile(&lab, &row.sheet, 1, scheduler, cores)?;
    let (fast_s, slow_s) = profile.seconds(MOST);
    Ok((one_s / slow_s, one_s / fast_s))
}

/// Clients, and the bands of an optimistic and a conservative run on 64 cores.
type Many = (u32, (f64, f64), (f64, f64));

/// What the machine has not got, as a table.
fn extrapolated(many: &[Many]) -> Section {
    let row = |(clients, ahead, safe): &Many| {
        let cells = [f64::from(*clients), ahead.0, ahead.1, safe.0, safe.1];
        Row::new(cells.map(Cell::number).to_vec())
    };
    let columns = vec![
        Column::numbers("clients", "", 0),
        Column::numbers("optimistic, least", "x", 1),
        Column::numbers("optimistic, most", "x", 1),
        Column::numbers("conservative, least", "x", 1),
        Column::numbers("conservative, most", "x", 1),
    ];
    Section::new(
        "figures-9-10-on-64",
        "Figures 9 and 10 on 64 cores, worked out",
        "One thread does the work of 64 in turn; meetings cost between log2 64 and 63 times that \
         of two, and memory is not shared (`tenbin bench scaling`). The document: up to 2.3 times, \
         optimistic",
        Body::Table(Table { columns, rows: many.iter().map(row).collect() }),
    )
}

/// Wall times have no interval that counts: within 5 % nothing is said.
fn slower(speed: f64) -> Option<bool> {
    match speed {
        _ if speed < 0.95 => Some(true),
        _ if speed > 1.05 => Some(false),
        _ => None,
    }
}

/// What this machine has, as a table.
fn measured(rows: Vec<Row>, cores: usize) -> Section {
    let columns = vec![
        Column::numbers("clients", "", 0),
        Column::numbers("threads", "", 0),
        Column::numbers("ranks", "", 0),
        Column::numbers("sequential", "s", 2),
        Column::numbers("optimistic", "x", 2),
        Column::numbers("conservative", "x", 2),
    ];
    Section::new(
        "figures-9-10",
        "Figures 9 and 10: speed-up by threads and by ranks",
        format!(
            "128 servers; {cores} cores here; wall times, the faster of {TIMES}. Ranks share \
             nothing and are joined by channels, as MPI joins processes; every record goes to \
             the first"
        ),
        Body::Table(Table { columns, rows }),
    )
}

/// The verdict, and figures 9 and 10 as tables.
pub fn judge(over: &[(String, String)]) -> Result<(Claim, Vec<Section>), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let threads: Vec<usize> =
        [2, 4, 8, 16, 32, 64].into_iter().filter(|n| *n <= cores.max(2)).collect();
    let (mut rows, mut optimistic, mut conservative) = (Vec::new(), Vec::new(), Vec::new());
    let mut many = Vec::new();
    for clients in CLIENTS {
        let one = wall(over, clients, Scheduler::Sequential, 1)?;
        let in_threads = threads.iter().map(|threads| (*threads, 1));
        for (n, ranks) in in_threads.chain([(1, RANKS)]) {
            let ahead = one / wall(over, clients, Scheduler::Optimistic { threads: n }, ranks)?;
            let safe = one / wall(over, clients, Scheduler::Conservative { threads: n }, ranks)?;
            if ranks == 1 {
                optimistic.push((n, ahead));
                conservative.push((n, safe))
            }
            let cells = [f64::from(clients), n as f64, ranks as f64, one, ahead, safe];
            rows.push(Row::new(cells.map(Cell::number).to_vec()))
        }
        let threads = units::usize_of(MOST);
        let ahead = on_many(over, clients, Scheduler::Optimistic { threads })?;
        let safe = on_many(over, clients, Scheduler::Conservative { threads })?;
        many.push((clients, ahead, safe))
    }
    let sections = vec![measured(rows, cores), extrapolated(&many)];
    let at_two = |all: &[(usize, f64)]| -> Vec<f64> {
        all.iter().filter(|(n, _)| *n == 2).map(|(_, speed)| *speed).collect()
    };
    let (ahead, safe) = (at_two(&optimistic), at_two(&conservative));
    let places = ahead.iter().chain(&safe).map(|speed| slower(*speed));
    let verdict = Verdict::of(places);
    let list = |all: &[f64]| all.iter().map(|s| num(*s, 2)).collect::<Vec<_>>().join(", ");
    let mean = safe.iter().sum::<f64>() / safe.len().max(1) as f64;
    let highest = |best: f64, (_, ahead, safe): &Many| best.max(ahead.1).max(safe.1);
    let claim = Claim {
        id: "C4.5",
        claim: "128 servers: from 1 to 2 processes both protocols get slower; conservative with \
                every further one",
        document: "slower with 2; optimistic up to 2.3 times as fast with 64".into(),
        ours: Some(mean),
        spread: None,
        unit: "times as fast, conservative with 2 threads",
        verdict,
        reason: format!(
            "2 threads on {cores} cores, optimistic {}, conservative {} times as fast. The \
             document's model sends a reception event after 0.39 us, which is all its \
             lookahead; here the start-up is part of the way, so nothing arrives within 64 \
             us of what causes it. 64 cores are worked out to be up to {} times as fast",
            list(&ahead),
            list(&safe),
            num(many.iter().fold(0.0, highest), 1),
        ),
        sensitivity: Vec::new(),
    };
    Ok((claim, sections))
}
