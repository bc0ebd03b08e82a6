//! Other processes that work on the same run.
use crate::{Cores, Scheduler};
use std::{
    fmt,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::Duration,
};

/// The processes of a run, as one of them sees them: what MPI calls ranks.
///
/// The engine says what goes to whom; how it gets there is said by who implements this.
pub trait Peers {
    /// Which of them this is, from 0.
    fn rank(&self) -> usize;
    /// How many there are.
    fn count(&self) -> usize;
    /// How many of them share this machine's cores, this one among them.
    fn on_this_machine(&self) -> usize {
        self.count()
    }
    /// Gives each of the others its bag, and gets theirs: afterwards `bags[i]` holds what process i
    /// had put into the bag of this one. Waits for all of them, and leaves the core to others
    /// meanwhile. The bag of this process itself stays as it is.
    ///
    /// # Errors
    /// Where one of them is gone or has given up.
    fn swap(&mut self, bags: &mut [Vec<u8>]) -> Result<(), Lost>;
}

/// Another process is gone, has given up, or runs something else; what a run that needs it panics
/// with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

/// How a run is executed, and among which processes. The result is the same.
pub struct Execution<'a> {
    /// In each process.
    pub scheduler: Scheduler,
    /// The others; all of them make the same run, with the same scheduler and number of threads.
    pub peers: Option<&'a mut dyn Peers>,
    /// One thread does the work of the scheduler's in turn and times each, to tell what the run
    /// would take on so many cores: [`Effort::profile`](crate::Effort). No LPs move meanwhile, an
    /// optimistic thread always goes ahead, and nothing is told of how far the run is.
    pub in_turn: Option<Cores>,
}

impl<'a> Execution<'a> {
    /// On these threads in each of these processes.
    pub fn among(scheduler: Scheduler, peers: Option<&'a mut dyn Peers>) -> Execution<'a> {
        Execution { scheduler, peers, in_turn: None }
    }

    /// Whether this is the process that gets the records: the first, or the only one.
    pub fn is_first(&self) -> bool {
        self.peers.as_ref().is_none_or(|peers| peers.rank() == 0)
    }
}

impl From<Scheduler> for Execution<'_> {
    fn from(scheduler: Scheduler) -> Self {
        Execution::among(scheduler, None)
    }
}

/// Peers that are threads of one process, joined by channels: for tests, and where there is no MPI.
pub struct Neighbours {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

/// Longer than any round takes.
const PATIENCE: Duration = Duration::from_secs(60);

impl Neighbours {
    /// So many of them, in the order of ranks.
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
    fn swap(&mut self, bags: &mut [Vec<u8>]) -> Result<(), Lost> {
        let gone = |rank| Lost(format!("rank {rank} is gone"));
        let others = || (0..self.to.len()).filter(|rank| *rank != self.rank);
        for rank in others() {
            let bag = std::mem::take(&mut bags[rank]);
            self.to[rank].send(bag).map_err(|_| gone(rank))?
        }
        for rank in others() {
            bags[rank] = self.from[rank].recv_timeout(PATIENCE).map_err(|e| match e {
                RecvTimeoutError::Timeout => Lost(format!("rank {rank} says nothing any more")),
                RecvTimeoutError::Disconnected => gone(rank),
            })?
        }
        Ok(())
    }
}
