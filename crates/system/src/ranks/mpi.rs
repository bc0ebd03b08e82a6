//! Exchanges bags of bytes between ranks: one MPI message per round and rank.
use crate::pool;
use engine::{PeerLost, Peers};
use mpi::{
    Threading,
    environment::Universe,
    request::{Request, Scope, scope},
    topology::SimpleCommunicator,
    traits::{Communicator, Destination, MatchedReceiveVec, Source},
};
use std::{thread, time::Duration};

/// Polls before the thread yields (with a core for each rank), and before it sleeps. A bag takes a
/// few microseconds.
const SPIN: u32 = 2_000;
const YIELD: u32 = 20_000;
const NAP: Duration = Duration::from_micros(50);

/// Dropping it finalizes MPI and waits for the other ranks.
struct Mpi {
    world: SimpleCommunicator,
    neighbours: usize,
    /// Polls before yielding; 0 if ranks share cores.
    spin: u32,
    _universe: Universe,
}

pub(super) fn join() -> Result<Box<dyn Peers>, String> {
    let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)
        .ok_or("MPI does not start in this process")?;
    let world = universe.world();
    let neighbours = world.split_shared(world.rank()).size() as usize;
    let spin = if neighbours > pool::threads() { 0 } else { SPIN };
    Ok(Box::new(Mpi { world, neighbours, spin, _universe: universe }))
}

impl Mpi {
    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let me = self.rank();
        (0..self.count()).filter(move |rank| *rank != me)
    }
}

impl Peers for Mpi {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn count(&self) -> usize {
        self.world.size() as usize
    }

    fn on_this_machine(&self) -> usize {
        self.neighbours
    }

    fn swap(&mut self, bags: &mut [Vec<u8>]) -> Result<(), PeerLost> {
        let sent: Vec<Vec<u8>> = bags.iter_mut().map(std::mem::take).collect();
        scope(|scope| {
            let send = |rank: usize| {
                let to = self.world.process_at_rank(rank as i32);
                to.immediate_send(scope, sent[rank].as_slice())
            };
            let sending: Vec<Request<[u8], _>> = self.others().map(send).collect();
            for rank in self.others() {
                bags[rank] = self.receive(rank)
            }
            sending.into_iter().for_each(|request| self.finish(request))
        });
        let me = self.rank();
        bags[me] = sent.into_iter().nth(me).unwrap_or_default();
        Ok(())
    }
}

impl Mpi {
    fn receive(&self, rank: usize) -> Vec<u8> {
        let from = self.world.process_at_rank(rank as i32);
        let mut looks = 0;
        loop {
            if let Some(found) = from.immediate_matched_probe() {
                return found.matched_receive_vec().0;
            }
            self.wait(&mut looks)
        }
    }

    /// Waits until the message is sent.
    fn finish<'a, S: Scope<'a>>(&self, mut request: Request<'a, [u8], S>) {
        let mut looks = 0;
        while let Err(going_on) = request.test() {
            request = going_on;
            self.wait(&mut looks)
        }
    }

    fn wait(&self, looks: &mut u32) {
        *looks += 1;
        match *looks {
            looks if looks < self.spin => std::hint::spin_loop(),
            ..YIELD => thread::yield_now(),
            _ => thread::sleep(NAP),
        }
    }
}
