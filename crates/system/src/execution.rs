//! `--scheduler` and `--threads`.
use crate::threads::sentence;
use crate::{failure::Failure, memory, pool, ranks};
use clap::{Args, ValueEnum};
use engine::{Effort, Share, Stress};
use page::{Body, Section, Thread, Threads, Width};

/// Events of an LP that the rollback check undoes and replays at once.
const UNDONE: usize = 4;

/// How events are executed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// One after the other; in each of several MPI ranks its own part, conservatively.
    Sequential,
    /// Sequential or conservative, whichever pays on this run: it looks at the first events; among
    /// several MPI ranks optimistic.
    Auto,
    /// On several threads, each as far as no message of the others can still come.
    Conservative,
    /// On several threads, which go ahead and take back what turns out to be wrong.
    Optimistic,
    /// Each event is done, undone, compared and done again.
    RollbackCheck,
}

/// How events are executed; the result is the same.
#[derive(Args, Clone, Copy, Debug)]
pub struct Execution {
    /// How events are executed; the result is the same [default: sequential].
    #[arg(long, value_enum)]
    pub scheduler: Option<Scheduler>,
    /// Threads of a scheduler that has several [default: as many as there are cores;
    /// 1 in each of several MPI ranks].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256),
          allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// The optimistic scheduler, with an adversary between its threads that holds messages back
    /// and turns their order round, so that much is undone; the hash stays the same. The seed says
    /// which messages.
    #[arg(long)]
    pub rollback_stress: bool,
}

impl Execution {
    fn chosen(self) -> Scheduler {
        self.scheduler.unwrap_or(Scheduler::Sequential)
    }

    /// As `--scheduler` takes it and `--json` prints it.
    pub fn name(self) -> &'static str {
        match self.chosen() {
            Scheduler::Sequential => "sequential",
            Scheduler::Auto => "auto",
            Scheduler::Conservative => "conservative",
            Scheduler::Optimistic => "optimistic",
            Scheduler::RollbackCheck => "rollback-check",
        }
    }

    /// How many threads work on one run, in each process; of several processes one, as long as
    /// nobody says otherwise.
    pub fn threads(self) -> usize {
        match self.chosen() {
            Scheduler::Sequential | Scheduler::RollbackCheck => 1,
            _ if ranks::count() > 1 => self.threads.map_or(1, usize::from),
            _ => self.threads.map_or_else(pool::threads, usize::from),
        }
    }

    /// How many did, in each process: `auto` chooses, and there are no more than LPs.
    pub fn threads_used(self, effort: &Effort) -> usize {
        let did = effort.threads.len() / ranks::count();
        effort.choice.map_or(did.max(1), |choice| choice.threads)
    }

    /// With the scheduler and the threads that `--rollback-stress` stands for.
    ///
    /// # Errors
    /// Bad input: another scheduler; one thread in one process.
    pub fn settled(self) -> Result<Execution, Failure> {
        self.settled_among(ranks::count())
    }

    /// The same for so many ranks.
    pub fn settled_among(mut self, ranks: usize) -> Result<Execution, Failure> {
        if !self.rollback_stress {
            return Ok(self);
        }
        if self.scheduler.is_some_and(|chosen| chosen != Scheduler::Optimistic) {
            return Err(Failure::BadInput(format!(
                "--rollback-stress with --scheduler {}: only optimistic undoes what it did: leave \
                 --scheduler out",
                self.name()
            )));
        }
        self.scheduler = Some(Scheduler::Optimistic);
        // One thread has nobody to wait for.
        if self.threads == Some(1) && ranks == 1 {
            return Err(Failure::BadInput(
                "--rollback-stress with --threads 1: messages between threads are held back: \
                 expected at least 2, or leave --threads out"
                    .into(),
            ));
        }
        self.threads =
            Some(self.threads.unwrap_or(u16::try_from(self.threads().max(2)).unwrap_or(u16::MAX)));
        Ok(self)
    }

    /// As the engine takes it, for a run from `seed`; threads that a scheduler cannot use are
    /// refused.
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

/// Where the time of each thread went; none of a run on the caller's alone.
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
    let Effort { rounds, deals, alone, .. } = *effort;
    let own = Threads {
        scheduler: scheduler.into(),
        ranks,
        rounds,
        deals,
        alone,
        peak_rss_bytes: memory::peak_rss_bytes(),
        sentence: String::new(),
        threads,
    };
    (own.threads.len() > 1).then(|| Threads { sentence: sentence(&own), ..own })
}

/// Of the program, not of the cluster: what its threads did.
pub fn section(own: &Threads) -> Section {
    let qualifier = "wall-clock time of the simulation’s threads";
    let body = Body::Threads(own.clone());
    Section::new("own", "Where this run’s own time went", qualifier, body).wide(Width::Full)
}
