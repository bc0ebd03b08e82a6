//! One run on several MPI processes, started by `mpirun -n R tenbin …`.
//!
//! All ranks read the same input and execute their part of the same run. The first rank has the
//! result; only it prints and writes. MPI carries the messages, with the build feature `mpi` (`make
//! mpi`).
#[cfg(feature = "mpi")]
mod mpi;
use crate::failure::Failure;
use engine::{PeerLost, Peers};
use std::{any::Any, env, sync::OnceLock};

/// Environment variables with the rank and the number of ranks (Open MPI; MPICH and other PMI
/// launchers).
const RANK_VARIABLES: [(&str, &str); 2] =
    [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")];

/// (rank, number of ranks); (0, 1) without MPI.
fn place() -> (usize, usize) {
    static PLACE: OnceLock<(usize, usize)> = OnceLock::new();
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let told =
        || RANK_VARIABLES.iter().find_map(|(rank, count)| Some((number(rank)?, number(count)?)));
    *PLACE.get_or_init(|| told().filter(|(rank, count)| rank < count).unwrap_or((0, 1)))
}

/// Whether this process prints and writes: rank 0.
pub fn is_first() -> bool {
    place().0 == 0
}

pub fn count() -> usize {
    place().1
}

/// Connection to the other ranks; `None` for a single process.
pub struct Ranks(Option<Box<dyn Peers>>);

impl Ranks {
    /// Call it once, in the thread that executes the run. Fails if several ranks were started
    /// without the feature `mpi`.
    pub fn join() -> Result<Ranks, Failure> {
        match count() {
            1 => Ok(Ranks(None)),
            #[cfg(feature = "mpi")]
            _ => mpi::join().map(|peers| Ranks(Some(peers))).map_err(Failure::Failed),
            #[cfg(not(feature = "mpi"))]
            n => Err(Failure::BadInput(format!(
                "{n} ranks were started, but this tenbin has no MPI, so each rank would make the \
                 complete run: build with `make mpi`, or start one process"
            ))),
        }
    }

    pub fn peers(&mut self) -> Option<&mut dyn Peers> {
        match &mut self.0 {
            None => None,
            Some(peers) => Some(&mut **peers),
        }
    }

    /// Waits until all ranks are ready for the same run, which `what` describes. Fails on all ranks
    /// if one failed, or if two differ.
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

/// First byte of a ready message; no failure begins with it.
const READY: &[u8] = b"=";

fn unlike(bags: &[Vec<u8>]) -> Option<Failure> {
    let rank = bags.iter().position(|bag| *bag != bags[0])?;
    let text = |rank: usize| String::from_utf8_lossy(&bags[rank][READY.len()..]).into_owned();
    Some(Failure::BadInput(format!(
        "rank {rank} has another run than rank 0: {} instead of {}: start all ranks with the same \
         program, arguments and files",
        text(rank),
        text(0)
    )))
}

/// The failure if a run panicked because another rank is lost; `None` for other panics.
pub fn lost(said: &(dyn Any + Send)) -> Option<Failure> {
    said.downcast_ref::<PeerLost>().map(|lost| Failure::Failed(lost.to_string()))
}
