//! Other processes of the same run.
use crate::{Cores, Scheduler};
use std::{
    fmt,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::Duration,
};

/// The processes of a run, as one of them sees them (ranks in MPI). The engine fills the bags; an
/// implementation transports them.
pub trait Peers {
    /// Rank of this process, from 0.
    fn rank(&self) -> usize;
    /// Number of processes.
    fn count(&self) -> usize;
    /// Number of processes on this machine, this one included.
    fn on_this_machine(&self) -> usize {
        self.count()
    }
    /// Exchanges bags with all other processes: sends `bags[i]` to process i and replaces it by the
    /// bag that process i sent. Blocks until all have arrived, and yields the core meanwhile. The
    /// bag of this process itself is unchanged.
    ///
    /// # Errors
    /// If a process is gone or has given up.
    fn swap(&mut self, bags: &mut [Vec<u8>]) -> Result<(), PeerLost>;
}

/// Another process is gone, has given up, or runs something else. A run that needs it panics with
/// this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeerLost(pub String);

impl fmt::Display for PeerLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PeerLost {}

/// Scheduler and processes of a run. The result is the same.
pub struct Execution<'a> {
    /// Scheduler in each process.
    pub scheduler: Scheduler,
    /// The other processes. All make the same run, with the same scheduler and number of threads.
    pub peers: Option<&'a mut dyn Peers>,
    /// Predicts the time on these cores ([`Effort::profile`](crate::Effort)): one thread does the
    /// work of all threads in turn and times each. LPs are not rebalanced, an optimistic thread
    /// always speculates, and progress is not reported.
    pub in_turn: Option<Cores>,
}

impl<'a> Execution<'a> {
    /// Runs a scheduler in each of these processes.
    pub fn among(scheduler: Scheduler, peers: Option<&'a mut dyn Peers>) -> Execution<'a> {
        Execution { scheduler, peers, in_turn: None }
    }

    /// Whether this process receives the records: the first, or the only one.
    pub fn is_first(&self) -> bool {
        self.peers.as_ref().is_none_or(|peers| peers.rank() == 0)
    }
}

impl From<Scheduler> for Execution<'_> {
    fn from(scheduler: Scheduler) -> Self {
        Execution::among(scheduler, None)
    }
}

/// Peers that are threads of one process, connected by channels: for tests, or without MPI.
pub struct Neighbours {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

/// Timeout for a bag; longer than any round.
const PATIENCE: Duration = Duration::from_secs(60);

impl Neighbours {
    /// `count` peers, in the order of ranks.
    pub fn new(count: usize) -> Vec<Neighbours> {
        let mut all: Vec<Neighbours> =
            (0..count).map(|rank| Neighbours { rank, to: vec![], from: vec![] }).collect();
        for from in 0..count {
            for to in 0..count {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from.push(receiver)
            }
        }
        all
    }
}

impl Peers for Neighbours {
    fn rank(&self) -> usize {
        self.rank
    }
    fn count(&self) -> usize {
        self.to.len()
    }
    fn swap(&mut self, bags: &mut [Vec<u8>]) -> Result<(), PeerLost> {
        let gone = |rank| PeerLost(format!("rank {rank} is gone"));
        let others = || (0..self.to.len()).filter(|rank| *rank != self.rank);
        for rank in others() {
            let bag = std::mem::take(&mut bags[rank]);
            self.to[rank].send(bag).map_err(|_| gone(rank))?
        }
        for rank in others() {
            bags[rank] = self.from[rank].recv_timeout(PATIENCE).map_err(|e| match e {
                RecvTimeoutError::Timeout => PeerLost(format!("rank {rank} no longer answers")),
                RecvTimeoutError::Disconnected => gone(rank),
            })?
        }
        Ok(())
    }
}
