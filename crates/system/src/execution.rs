//! `--scheduler` and `--threads`.
use crate::threads::sentence;
use crate::{failure::Failure, memory, pool, ranks};
use clap::{Args, ValueEnum};
use engine::{Effort, Share, Stress};
use page::{Body, Section, Thread, Threads, Width};

/// Events of an LP that the rollback check undoes and replays together.
const UNDONE: usize = 4;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// One after the other; with several MPI ranks, each executes its part conservatively.
    Sequential,
    /// Sequential or conservative, whichever is faster on the first events; with several MPI ranks,
    /// optimistic.
    Auto,
    /// On several threads; each stops at its safe time, before which no other thread can send to
    /// it.
    Conservative,
    /// On several threads, which speculate and roll back wrong events.
    Optimistic,
    /// Executes each event, undoes it, compares the state and executes it again.
    RollbackCheck,
}

/// How events are executed; the result is the same.
#[derive(Args, Clone, Copy, Debug)]
pub struct Execution {
    /// How events are executed; the result is the same [default: sequential].
    #[arg(long, value_enum)]
    pub scheduler: Option<Scheduler>,
    /// Threads of a parallel scheduler [default: number of cores; 1 in each of several MPI ranks].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256),
          allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// The optimistic scheduler with an adversary that delays and reorders messages between
    /// threads, to force rollbacks. The seed selects the messages; the hash stays the same.
    #[arg(long)]
    pub rollback_stress: bool,
}

impl Execution {
    fn chosen(self) -> Scheduler {
        self.scheduler.unwrap_or(Scheduler::Sequential)
    }

    /// Value of `--scheduler` and name in `--json`.
    pub fn name(self) -> &'static str {
        match self.chosen() {
            Scheduler::Sequential => "sequential",
            Scheduler::Auto => "auto",
            Scheduler::Conservative => "conservative",
            Scheduler::Optimistic => "optimistic",
            Scheduler::RollbackCheck => "rollback-check",
        }
    }

    /// Threads per process for one run; with several MPI ranks one by default.
    pub fn threads(self) -> usize {
        match self.chosen() {
            Scheduler::Sequential | Scheduler::RollbackCheck => 1,
            _ if ranks::count() > 1 => self.threads.map_or(1, usize::from),
            _ => self.threads.map_or_else(pool::threads, usize::from),
        }
    }

    /// Threads per process that worked: `auto` chooses, and each has at least one LP.
    pub fn threads_used(self, effort: &Effort) -> usize {
        let did = effort.threads.len() / ranks::count();
        effort.choice.map_or(did.max(1), |choice| choice.threads)
    }

    /// Applies the scheduler and threads that `--rollback-stress` implies. Fails with another
    /// scheduler, or with one thread in one process.
    pub fn settled(self) -> Result<Execution, Failure> {
        self.settled_among(ranks::count())
    }

    /// [`settled`](Self::settled) for this number of ranks.
    pub fn settled_among(mut self, ranks: usize) -> Result<Execution, Failure> {
        if !self.rollback_stress {
            return Ok(self);
        }
        if self.scheduler.is_some_and(|chosen| chosen != Scheduler::Optimistic) {
            return Err(Failure::BadInput(format!(
                "--rollback-stress with --scheduler {}: only optimistic can roll back: leave \
                 --scheduler out",
                self.name()
            )));
        }
        self.scheduler = Some(Scheduler::Optimistic);
        // A single thread waits for no messages.
        if self.threads == Some(1) && ranks == 1 {
            return Err(Failure::BadInput(
                "--rollback-stress with --threads 1: the adversary delays messages between \
                 threads: expected at least 2, or leave --threads out"
                    .into(),
            ));
        }
        self.threads =
            Some(self.threads.unwrap_or(u16::try_from(self.threads().max(2)).unwrap_or(u16::MAX)));
        Ok(self)
    }

    /// The engine's scheduler for a run with `seed`. Fails for threads that a scheduler cannot use.
    pub fn engine(self, seed: u64) -> Result<engine::Scheduler, Failure> {
        let threads = self.threads();
        match (self.chosen(), self.threads) {
            (Scheduler::Optimistic, _) if self.rollback_stress => {
                Ok(engine::Scheduler::Stress { threads, stress: Stress { seed, planted: None } })
            }
            (Scheduler::Auto, _) => Ok(engine::Scheduler::Auto { threads }),
            (Scheduler::Conservative, _) => Ok(engine::Scheduler::Conservative { threads }),
            (Scheduler::Optimistic, _) => Ok(engine::Scheduler::Optimistic { threads }),
            (_, Some(n)) if n > 1 => Err(Failure::BadInput(format!(
                "--threads {n}: --scheduler {} runs on one thread; auto, conservative and \
                 optimistic take several",
                self.name()
            ))),
            (Scheduler::Sequential, _) => Ok(engine::Scheduler::Sequential),
            (Scheduler::RollbackCheck, _) if ranks::count() > 1 => Err(Failure::BadInput(
                "--scheduler rollback-check runs in one process: start it without mpirun".into(),
            )),
            (Scheduler::RollbackCheck, _) => Ok(engine::Scheduler::RollbackCheck { depth: UNDONE }),
        }
    }
}

/// Time of each thread; `None` if the run used one thread.
pub fn parallel(execution: Execution, effort: &Effort) -> Option<Threads> {
    let ranks = u32::try_from(ranks::count()).expect("MPI counts them in 31 bits");
    let name = |share: &Share, thread: usize| match ranks {
        1 => format!("thread {thread}"),
        _ => format!("rank {}, thread {thread}", share.rank),
    };
    let each = effort.threads.len() / ranks::count();
    let thread = |(place, share): (usize, &Share)| {
        let Share { lps, committed, ahead, rolled_back, longest_history, .. } = *share;
        let (done, work) = (committed + rolled_back, (share.seconds - share.waited_s).max(0.0));
        let undone_s = work * rolled_back as f64 / done.max(1) as f64;
        Thread {
            name: name(share, place % each.max(1)),
            lps: lps.into(),
            committed,
            ahead,
            rolled_back,
            longest_history,
            worked_s: work - undone_s,
            undone_s,
            waited_s: share.waited_s,
        }
    };
    let threads: Vec<Thread> = effort.threads.iter().enumerate().map(thread).collect();
    let scheduler = match effort.choice {
        Some(_) => "auto: conservative",
        None => execution.name(),
    };
    let Effort { rounds, rebalances, alone, .. } = *effort;
    let own = Threads {
        scheduler: scheduler.into(),
        ranks,
        rounds,
        deals: rebalances,
        alone,
        peak_rss_bytes: memory::peak_rss_bytes(),
        sentence: String::new(),
        threads,
    };
    (own.threads.len() > 1).then(|| Threads { sentence: sentence(&own), ..own })
}

/// About the program, not the simulated cluster.
pub fn section(own: &Threads) -> Section {
    let qualifier = "wall-clock time of the simulation’s threads";
    let body = Body::Threads(own.clone());
    Section::new("own", "Wall time of this run by thread", qualifier, body).wide(Width::Full)
}
