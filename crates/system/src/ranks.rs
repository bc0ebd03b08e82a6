//! One run on several processes, started by `mpirun -n R tenbin …`.
//!
//! All ranks read the same input and make the same run, each its own part; the first one has the
//! result, and is the only one that says and writes anything. How messages get from rank to rank is
//! MPI's business, which is there with the build feature `mpi` (`make mpi`).
#[cfg(feature = "mpi")]
mod mpi;
use crate::failure::Failure;
use engine::{Lost, Peers};
use std::{any::Any, env, sync::OnceLock};

/// What starters of ranks tell each of them: its number, and how many there are (Open MPI; MPICH
/// and others that speak PMI).
const TOLD: [(&str, &str); 2] =
    [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")];

/// Which rank this process is, of how many.
fn place() -> (usize, usize) {
    static PLACE: OnceLock<(usize, usize)> = OnceLock::new();
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let told = || TOLD.iter().find_map(|(rank, count)| Some((number(rank)?, number(count)?)));
    *PLACE.get_or_init(|| told().filter(|(rank, count)| rank < count).unwrap_or((0, 1)))
}

/// Whether this process is the one that says and writes things.
pub fn is_first() -> bool {
    place().0 == 0
}

pub fn count() -> usize {
    place().1
}

/// The way to the other ranks; `None` where this process is alone.
pub struct Ranks(Option<Box<dyn Peers>>);

impl Ranks {
    /// To be called once, by the thread that will make the run.
    ///
    /// # Errors
    /// Bad input where several ranks were started of a program that was built without MPI.
    pub fn join() -> Result<Ranks, Failure> {
        match count() {
            1 => Ok(Ranks(None)),
            #[cfg(feature = "mpi")]
            _ => mpi::join().map(|peers| Ranks(Some(peers))).map_err(Failure::Failed),
            #[cfg(not(feature = "mpi"))]
            n => Err(Failure::BadInput(format!(
                "{n} ranks were started, and this tenbin was built without MPI, so that each would \
                 make the whole run: build it by `make mpi`, or start it alone"
            ))),
        }
    }

    /// As the engine takes it.
    pub fn peers(&mut self) -> Option<&mut dyn Peers> {
        match &mut self.0 {
            None => None,
            Some(peers) => Some(&mut **peers),
        }
    }

    /// What all ranks have got ready for; before a run, so that none waits for one that has given
    /// up, or runs something else. `what` says what one is about to run.
    ///
    /// # Errors
    /// The failure of the first rank that failed, or bad input where two are about to run different
    /// things; on all ranks.
    pub fn agree<T>(
        &mut self,
        own: Result<T, Failure>,
        what: impl FnOnce(&T) -> String,
    ) -> Result<T, Failure> {
        let Some(peers) = &mut self.0 else { return own };
        let said = match &own {
            Ok(ready) => [READY, what(ready).as_bytes()].concat(),
            Err(failure) => failure.to_bytes(),
        };
        let mut bags = vec![said; peers.count()];
        peers.swap(&mut bags).map_err(|lost| Failure::Failed(lost.to_string()))?;
        let failed = bags.iter().filter(|bag| !bag.starts_with(READY));
        match failed.clone().find_map(|bag| Failure::from_bytes(bag)).or_else(|| unlike(&bags)) {
            None => own,
            Some(first) => Err(first),
        }
    }
}

/// How what a rank is about to run begins; no failure does.
const READY: &[u8] = b"=";

/// Two ranks that are about to run different things.
fn unlike(bags: &[Vec<u8>]) -> Option<Failure> {
    let rank = bags.iter().position(|bag| *bag != bags[0])?;
    let text = |rank: usize| String::from_utf8_lossy(&bags[rank][READY.len()..]).into_owned();
    Some(Failure::BadInput(format!(
        "rank {rank} runs something else than rank 0: {}, there {}: start all ranks with the same \
         program, arguments and files",
        text(rank),
        text(0)
    )))
}

/// What a run panicked with because another rank is gone, as a failure; the others' bugs are told
/// by those who have them.
pub fn lost(said: &(dyn Any + Send)) -> Option<Failure> {
    said.downcast_ref::<Lost>().map(|lost| Failure::Failed(lost.to_string()))
}
