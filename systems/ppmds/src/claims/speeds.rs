//! Speed of one run by threads, ranks and cores: figures 9 and 10.
use super::table::at;
use crate::PPMDS;
use engine::{Cores, Scheduler};
use page::{Body, Cell, Column, Row, Section, Table};
use system::claims::{Busy, Run};
use system::lab::Lab;
use system::scaling::BarrierCost;
use system::{Failure, LoadedRun};

/// Clients in the paper's configurations with 128 servers.
const CLIENTS: [u32; 3] = [1_024, 2_048, 4_096];
/// Creates of each client: enough for 0.2 to 1 s of wall time.
const CREATES: &str = "300";
/// The same with a reception event: conservative ranks wait for each other every 0.39 us.
const CREATES_BY_EVENT: &str = "3";
/// `network.reception`: that of the paper, and ours.
pub const EVENT: &str = "event";
pub const HEAD: &str = "head";
/// Runs of each; the fastest counts, since other programs use this machine as well.
const TIMES: usize = 2;
/// Processes in the paper's largest run. Beyond this machine's cores the speed is computed.
pub const MOST: u64 = 64;
/// Threads and ranks, measured on every machine.
const TWO: usize = 2;

/// Speed-up over one thread: optimistic, conservative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    pub ahead: f64,
    pub safe: f64,
}

/// Lower and upper bound of the speed-up on [`MOST`] cores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bands {
    pub ahead: (f64, f64),
    pub safe: (f64, f64),
    /// Events of all cores between two barriers of a conservative run.
    pub round: f64,
}

pub struct Speed {
    pub reception: &'static str,
    pub clients: u32,
    /// Wall time on one thread \[s\].
    one_s: f64,
    /// Number of threads or ranks, whether they are ranks, speed-up.
    measured: Vec<(usize, bool, Pair)>,
    many: Bands,
}

impl Speed {
    /// Two ranks, as processes of MPI.
    pub fn by_two_ranks(&self) -> Pair {
        self.measured.iter().find(|(_, are_ranks, _)| *are_ranks).expect("always measured").2
    }

    fn of(
        over: &[(String, String)],
        (reception, clients): (&'static str, u32),
        threads: &[usize],
    ) -> Result<Speed, Failure> {
        let creates = if reception == EVENT { CREATES_BY_EVENT } else { CREATES };
        let sets = [("workload.creates_per_client", creates), ("network.reception", reception)];
        let bench = Bench::new(over, at(128, clients, &sets))?;
        let one_s = bench.wall(Scheduler::Sequential, 1)?;
        let pair = |threads: usize, ranks: usize| -> Result<Pair, Failure> {
            let ahead = one_s / bench.wall(Scheduler::Optimistic { threads }, ranks)?;
            Ok(Pair {
                ahead,
                safe: one_s / bench.wall(Scheduler::Conservative { threads }, ranks)?,
            })
        };
        let mut measured = Vec::new();
        for n in threads {
            measured.push((*n, false, pair(*n, 1)?))
        }
        measured.push((TWO, true, pair(1, TWO)?));
        Ok(Speed { reception, clients, one_s, measured, many: bench.on_many()? })
    }
}

/// All configurations with both receptions.
pub struct Speeds {
    pub all: Vec<Speed>,
    pub cores: usize,
    /// How much of the processors other programs used meanwhile.
    pub busy: Busy,
}

impl Speeds {
    /// Measures with this machine's cores, and computes the speed-up beyond them.
    pub fn of(over: &[(String, String)]) -> Result<Speeds, Failure> {
        let busy = Busy::now();
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads: Vec<usize> =
            [2, 4, 8, 16, 32, 64].into_iter().filter(|n| *n <= cores.max(TWO)).collect();
        let cases = [EVENT, HEAD].into_iter().flat_map(|r| CLIENTS.map(|clients| (r, clients)));
        let all = cases.map(|case| Speed::of(over, case, &threads));
        Ok(Speeds { all: all.collect::<Result<Vec<Speed>, Failure>>()?, cores, busy })
    }

    pub fn with(&self, reception: &str) -> impl Iterator<Item = &Speed> + Clone {
        self.all.iter().filter(move |speed| speed.reception == reception)
    }

    pub fn sections(&self) -> Vec<Section> {
        vec![self.measured(), self.worked_out()]
    }

    fn measured(&self) -> Section {
        let columns = vec![
            Column::words("network.reception"),
            Column::numbers("clients", "", 0),
            Column::numbers("threads", "", 0),
            Column::numbers("ranks", "", 0),
            Column::numbers("sequential", "s", 2),
            Column::numbers("optimistic", "x", 2),
            Column::numbers("conservative", "x", 2),
        ];
        let row = |speed: &Speed, (n, are_ranks, pair): &(usize, bool, Pair)| {
            let (threads, ranks) = if *are_ranks { (1, *n) } else { (*n, 1) };
            let cells = [f64::from(speed.clients), threads as f64, ranks as f64, speed.one_s];
            let cells = cells.into_iter().chain([pair.ahead, pair.safe]).map(Cell::number);
            Row::new(std::iter::once(Cell::text(speed.reception)).chain(cells).collect())
        };
        let rows = |speed: &Speed| -> Vec<Row> {
            speed.measured.iter().map(|measured| row(speed, measured)).collect()
        };
        let rows = self.all.iter().flat_map(rows).collect();
        Section::new(
            "figures-9-10",
            "Figures 9 and 10: speed-up by threads and by ranks",
            format!(
                "128 servers; {} cores here; wall times, the faster of {TIMES}. Ranks share \
                 nothing and are joined by channels, as MPI joins processes; every record goes to \
                 the first",
                self.cores
            ),
            Body::Table(Table { columns, rows }),
        )
    }

    fn worked_out(&self) -> Section {
        let row = |speed: &Speed| {
            let Bands { ahead, safe, round } = speed.many;
            let bands = [ahead.0, ahead.1, safe.0, safe.1, round].map(Cell::number);
            let first = [Cell::text(speed.reception), Cell::number(speed.clients.into())];
            Row::new(first.into_iter().chain(bands).collect())
        };
        let rows = self.all.iter().map(row).collect();
        let columns = vec![
            Column::words("network.reception"),
            Column::numbers("clients", "", 0),
            Column::numbers("optimistic, least", "x", 1),
            Column::numbers("optimistic, most", "x", 1),
            Column::numbers("conservative, least", "x", 1),
            Column::numbers("conservative, most", "x", 1),
            Column::numbers("events a barrier", "", 0),
        ];
        Section::new(
            "figures-9-10-on-64",
            "Figures 9 and 10 on 64 cores, computed",
            format!(
                "One thread does the work of all 64; barriers cost between log2 64 and 63 times \
                 that of two, and memory is not shared (`tenbin bench scaling`). Kirii 2015: up to \
                 2.3 times, optimistic, with ROSS over MPI, which this does not model. With a \
                 reception event conservative threads wait for each other every 0.39 us; and a \
                 client uses all servers alike, so {:.0} % of all messages cross between 64 \
                 threads, 50 % between two",
                100.0 * (1.0 - 1.0 / MOST as f64)
            ),
            Body::Table(Table { columns, rows }),
        )
    }
}

struct Bench(LoadedRun);

impl Bench {
    fn new(over: &[(String, String)], run: Run) -> Result<Bench, Failure> {
        let lab = Lab::of(&PPMDS)?;
        Ok(Bench(LoadedRun::of(lab, run.row(&lab, over)?.sheet, 1)?))
    }

    /// Wall time \[s\] of the fastest run. With several ranks each has one thread.
    fn wall(&self, scheduler: Scheduler, ranks: usize) -> Result<f64, Failure> {
        let once = || match ranks {
            1 => self.0.time(scheduler),
            ranks => self.0.time_ranks(scheduler, ranks),
        };
        let times = (0..TIMES).map(|_| Ok(once()?.seconds));
        let times = times.collect::<Result<Vec<f64>, Failure>>()?;
        Ok(times.into_iter().fold(f64::INFINITY, f64::min))
    }

    /// The speed-up on [`MOST`] cores, computed as by `bench scaling`.
    fn on_many(&self) -> Result<Bands, Failure> {
        let threads = units::usize_of(MOST);
        let cores = Cores { count: MOST, barrier_s: BarrierCost::of_two().taken_s };
        let one_s = self.0.time(Scheduler::Sequential)?.worked_s;
        let band = |scheduler| -> Result<((f64, f64), f64), Failure> {
            let (_, profile) = self.0.profile(scheduler, cores)?;
            let (fast_s, slow_s) = profile.seconds(MOST);
            let round = profile.events as f64 / profile.rounds.max(1) as f64;
            Ok(((one_s / slow_s, one_s / fast_s), round))
        };
        let (ahead, _) = band(Scheduler::Optimistic { threads })?;
        let (safe, round) = band(Scheduler::Conservative { threads })?;
        Ok(Bands { ahead, safe, round })
    }
}
