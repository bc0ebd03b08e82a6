//! `--scheduler` and `--threads`.
use crate::failure::Failure;
use clap::{Args, ValueEnum};

/// Events of an LP that the rollback check undoes and replays at once.
const UNDONE: usize = 4;

/// How events are executed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// One after the other.
    Sequential,
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
    /// How events are executed; the result is the same.
    #[arg(long, value_enum, default_value_t = Scheduler::Sequential)]
    pub scheduler: Scheduler,
    /// Threads of a scheduler that has several [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256),
          allow_negative_numbers = true)]
    pub threads: Option<u16>,
}

impl Execution {
    /// As `--scheduler` takes it and `--json` prints it.
    pub fn name(self) -> &'static str {
        match self.scheduler {
            Scheduler::Sequential => "sequential",
            Scheduler::Conservative => "conservative",
            Scheduler::Optimistic => "optimistic",
            Scheduler::RollbackCheck => "rollback-check",
        }
    }

    /// How many threads work on one run.
    pub fn threads(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        match self.scheduler {
            Scheduler::Sequential | Scheduler::RollbackCheck => 1,
            _ => self.threads.map_or_else(cores, usize::from),
        }
    }

    /// As the engine takes it; threads that a scheduler cannot use are refused.
    pub fn engine(self) -> Result<engine::Scheduler, Failure> {
        let threads = self.threads();
        match (self.scheduler, self.threads) {
            (Scheduler::Conservative, _) => Ok(engine::Scheduler::Conservative { threads }),
            (Scheduler::Optimistic, _) => Ok(engine::Scheduler::Optimistic { threads }),
            (_, Some(n)) if n > 1 => Err(Failure::BadInput(format!(
                "--threads {n}: --scheduler {} runs on one thread; conservative and optimistic \
                 take several",
                self.name()
            ))),
            (Scheduler::Sequential, _) => Ok(engine::Scheduler::Sequential),
            (Scheduler::RollbackCheck, _) => Ok(engine::Scheduler::RollbackCheck { depth: UNDONE }),
        }
    }
}
