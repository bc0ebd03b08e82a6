//! One kind of LP; a store alone; the same store with jobs on it.
use crate::{client, jobs, server, storage, store};
use engine::*;

pub const CHECK: Scheduler = Scheduler::RollbackCheck { depth: 8 };

pub fn servers(scheduler: Scheduler, seed: u64) -> (Outcome, u64) {
    let mut topology = Topology::new(Nanos::micros(100), Nanos::micros(100));
    let all = topology.place::<server::Event>(8, |_| 0);
    let mut world =
        World::new(Shared::new(topology), seed, Nanos::secs(10), |_| server::Server::default());
    for i in 0..400u64 {
        let from = all.at(3 + i as u32 % 5);
        world.start(all.at(i as u32 % 3), Nanos::millis(i), server::Event::Read { from, bytes: i })
    }
    let mut got = 0;
    (world.run(scheduler, |_, r| got += r.bytes), got)
}

#[derive(Rewind, Wiring)]
enum Alone {
    #[hears(storage::Request)]
    Store(store::Node),
    #[hears(storage::Reply)]
    Client(client::Node),
}

#[derive(Rewind, Wiring)]
enum Cluster {
    #[hears(storage::Request)]
    Store(store::Node),
    #[hears(storage::Reply)]
    Jobs(jobs::Node),
    #[hears(storage::Reply)]
    Client(client::Node),
}

fn settings() -> store::Settings {
    store::Settings {
        heartbeat: Nanos::secs(3),
        dead_after: Nanos::secs(10),
        block_bytes: 64_000_000,
        streams: 2,
        blocks: 40,
        replicas: 3,
    }
}

pub fn alone(scheduler: Scheduler, seed: u64) -> (Outcome, u32) {
    let mut topology = Topology::new(Nanos::micros(50), Nanos::micros(200));
    let store = store::Store::place(&mut topology, 12, settings());
    let client = topology.place::<client::Event>(1, |_| 0).at(0);
    let storage = store.master.port();
    let mut world =
        World::new(Shared::new(topology), seed, Nanos::secs(120), |id| match store.build(id) {
            Some(node) => Alone::from(node),
            None => client::Node { storage, asked: 0 }.into(),
        });
    store.start(&mut world);
    world.start(client, Nanos::millis(5), client::Event::Ask);
    world.start(store.datanodes.at(4), Nanos::secs(20), store::Event::Crash);
    let mut copies = 0;
    let outcome = world.run(scheduler, |_, r| {
        if let AloneRecord::Store(store::Record::Replicated { .. }) = r {
            copies += 1
        }
    });
    (outcome, copies)
}

/// The outcome, tasks done, and whether the job has finished.
pub fn cluster(scheduler: Scheduler, seed: u64) -> (Outcome, u32, bool) {
    let mut topology = Topology::new(Nanos::micros(50), Nanos::micros(200));
    let store = store::Store::place(&mut topology, 12, settings());
    let jobs = jobs::Jobs::place(&mut topology, 6, store.master.port());
    let client = topology.place::<client::Event>(1, |_| 0).at(0);
    let mut world = World::new(Shared::new(topology), seed, Nanos::secs(400), |id| {
        if let Some(node) = store.build(id) {
            return Cluster::from(node);
        }
        match jobs.build(id) {
            Some(node) => node.into(),
            None => client::Node { storage: store.master.port(), asked: 0 }.into(),
        }
    });
    store.start(&mut world);
    world.start(client, Nanos::millis(5), client::Event::Ask);
    world.start(jobs.tracker, Nanos::secs(1), jobs::Event::Submit { tasks: 40 });
    world.start(store.datanodes.at(4), Nanos::secs(2), store::Event::Crash);
    let (mut done, mut job) = (0, false);
    let outcome = world.run(scheduler, |_, r| match r {
        ClusterRecord::Jobs(jobs::Record::TaskDone { .. }) => done += 1,
        ClusterRecord::Jobs(jobs::Record::JobDone) => job = true,
        _ => {}
    });
    (outcome, done, job)
}

#[test]
fn one_kind() {
    let (outcome, got) = servers(Scheduler::Sequential, 1);
    assert_eq!(got, (0..400).sum::<u64>());
    assert_eq!((outcome, got), servers(CHECK, 1));
}

#[test]
fn a_store_alone() {
    for seed in 0..5 {
        let (outcome, copies) = alone(Scheduler::Sequential, seed);
        assert!(copies > 0 && outcome.events > 500, "{outcome:?} {copies}");
        assert_eq!((outcome, copies), alone(CHECK, seed));
    }
    let hash = |seed| alone(Scheduler::Sequential, seed).0.trace_hash;
    assert_ne!(hash(1), hash(2));
}

#[test]
fn a_store_beneath_jobs() {
    for seed in 0..5 {
        let result = cluster(Scheduler::Sequential, seed);
        assert!(result.1 == 40 && result.2 && result.0.end < Nanos::secs(400), "{result:?}");
        for depth in [1, 2, 3, 8] {
            assert_eq!(result, cluster(Scheduler::RollbackCheck { depth }, seed));
            let threads = depth.clamp(2, 4);
            assert_eq!(result, cluster(Scheduler::Conservative { threads }, seed));
            assert_eq!(result, cluster(Scheduler::Optimistic { threads }, seed));
            let stress = Stress { seed, planted: None };
            assert_eq!(result, cluster(Scheduler::Stress { threads, stress }, seed));
            assert_eq!(result, cluster(Scheduler::Auto { threads }, seed));
        }
    }
}

/// Two clusters of one kind: one vocabulary, two variants.
#[derive(Rewind, Wiring)]
enum Twins {
    #[hears(storage::Request)]
    Left(store::Node),
    #[hears(storage::Request)]
    Right(store::Node),
    #[hears(storage::Reply)]
    Client(client::Node),
}

fn twins(scheduler: Scheduler) -> (Outcome, u64) {
    let mut topology = Topology::new(Nanos::micros(50), Nanos::micros(200));
    let left = store::Store::place(&mut topology, 4, settings());
    let right = store::Store::place(&mut topology, 6, settings());
    let clients = topology.place::<client::Event>(2, |_| 0);
    let storages = [left.master.port(), right.master.port()];
    let mut world = World::new(Shared::new(topology), 1, Nanos::secs(20), |id| {
        if let Some(node) = left.build(id) {
            return Twins::Left(node);
        }
        match right.build(id) {
            Some(node) => Twins::Right(node),
            None => {
                let storage = storages[clients.index(id).expect("a client") as usize];
                Twins::Client(client::Node { storage, asked: 0 })
            }
        }
    });
    left.start(&mut world);
    right.start(&mut world);
    clients.iter().for_each(|c| world.start(c, Nanos(7), client::Event::Ask));
    let mut reads = 0;
    let outcome = world.run(scheduler, |_, r| {
        if let TwinsRecord::Left(store::Record::Read { .. }) = r {
            reads += 1
        }
    });
    (outcome, reads)
}

#[test]
fn two_of_one_kind() {
    let result = twins(Scheduler::Sequential);
    assert!(result.1 > 50, "{result:?}");
    assert_eq!(result, twins(CHECK));
}

#[test]
fn sizes() {
    let (event, state) = (size_of::<ClusterEvent>(), size_of::<Cluster>());
    println!("the event of a system of three {event} bytes, an LP's state {state} bytes");
    assert!(event <= 64, "an event with all its tags fits a cache line: {event}");
    assert!(state <= 56, "an LP's state leaves the engine 8 bytes of its line: {state}");
}
