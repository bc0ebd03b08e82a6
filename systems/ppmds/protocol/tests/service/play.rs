//! Plays: many clients on few names, so that they conflict. The service's tests use this file too.
use crate::dice::Dice;
use crate::fsck::fsck;
use crate::world::{Bad, Host, Places, Planted, RESEND_NS, World};
use ppmds_check::{Fault, check};
use ppmds_protocol::contention;
use ppmds_protocol::{
    Attributes, Change, Ino, Key, List, Name, Operation, Options, ROOT, Reads, Spread, TwoPaths,
};

fn key(dice: &mut Dice, directories: &[Ino]) -> Key {
    // Early directories more often than late ones.
    let most = 1 + dice.below(directories.len().min(6));
    let directory = directories[dice.below(most)];
    let name = ["a", "b", "c", "d"][dice.below(4)];
    Key::entry(directory, &Name::new(name.as_bytes()).unwrap())
}

/// A new size, or new contents.
fn change(dice: &mut Dice) -> Box<Change> {
    let size = dice.below(1 << 30);
    let contents = size.is_multiple_of(2).then(|| vec![7; size % 100].into());
    let size = contents.is_none().then_some(size as u64);
    Box::new(Change { size, contents, ..Change::default() })
}

pub fn operation(dice: &mut Dice, directories: &[Ino]) -> Operation {
    let one = key(dice, directories);
    let two = Box::new(TwoPaths { from: one.clone(), to: key(dice, directories) });
    let attributes = Attributes { mode: dice.below(512) as u16, owner: 1, group: 1 };
    match dice.below(20) {
        0..=3 => Operation::Create(one, attributes),
        4..=6 => Operation::Mkdir(one, attributes),
        7 => Operation::Lookup(one),
        8 if dice.below(2) == 0 => Operation::Read(one),
        8 => Operation::Stat(one),
        9 => Operation::Setattr(one, change(dice)),
        10..=11 => Operation::Unlink(one),
        12..=13 => Operation::Rmdir(one),
        14..=16 => Operation::Rename(two),
        17..=18 => Operation::Link(two),
        _ => Operation::Readdir(Key::itself(one.ino), 0, 0),
    }
}

/// Operations by the shares of `scenarios/ppmds-names.toml`; most names exist.
pub fn of_shared_names(dice: &mut Dice, directories: &[Ino]) -> Operation {
    let one = key(dice, directories);
    let two = Box::new(TwoPaths { from: one.clone(), to: key(dice, directories) });
    let attributes = Attributes { mode: dice.below(512) as u16, owner: 1, group: 1 };
    match dice.below(100) {
        0..=9 => Operation::Create(one, attributes),
        10 => Operation::Mkdir(one, attributes),
        11..=12 => Operation::Link(two),
        13..=14 => Operation::Rename(two),
        15 => Operation::Unlink(one),
        16 => Operation::Rmdir(one),
        17..=35 => Operation::Readdir(Key::itself(one.ino), 0, 0),
        36..=49 => Operation::Setattr(one, change(dice)),
        50..=84 => Operation::Stat(one),
        _ => Operation::Lookup(one),
    }
}

pub type Mix = fn(&mut Dice, &[Ino]) -> Operation;

pub fn options(seed: u64) -> Options {
    let reads = Reads::ALL[(seed / 2 % 3) as usize].1;
    let contention = contention::ALL[(seed / 6 % 3) as usize];
    let resend_base_ns = Some(RESEND_NS);
    Options {
        by_server: seed.is_multiple_of(2),
        reads,
        contention,
        wait: 3_000,
        resend_base_ns,
        evidence: true,
        contents: true,
    }
}

pub const CALM: Bad = Bad { lost: 0, twice: 0, server_crash: 0, client_crash: 0, spread: 0 };
pub const BAD: Bad = Bad { lost: 30, twice: 30, server_crash: 2, client_crash: 1, spread: 30 };

/// Plays `operations` to the end.
pub fn play(seed: u64, bad: Bad, planted: Planted, clients: u32, operations: usize) -> World {
    play_of(operation, seed, bad, planted, (clients, operations))
}

pub fn play_of(
    mix: Mix,
    seed: u64,
    bad: Bad,
    planted: Planted,
    (clients, operations): (u32, usize),
) -> World {
    let width = 1 + (seed / 18 % 3) as u32;
    let places = Places { servers: 3, width };
    let mut world = World::new(seed, places, options(seed), bad, clients);
    world.planted = planted;
    let mut left = operations;
    let mut steps = 0u64;
    loop {
        let idle = (0..clients).filter(|at| {
            let (client, lives) = &world.clients[*at as usize];
            *lives && client.waiting() == 0
        });
        let idle: Vec<u32> = idle.collect();
        if left > 0 && !idle.is_empty() && (world.queue.is_empty() || world.dice.chance(300)) {
            let client = idle[world.dice.below(idle.len())];
            let operation = mix(&mut world.dice, &world.directories.clone());
            left -= 1;
            world.begin(client, operation);
            if world.dice.chance(bad.spread) {
                spread(&mut world)
            }
            continue;
        }
        let over = left == 0 || idle.is_empty() && world.open.is_empty();
        if over && world.open.is_empty() && !world.calm {
            world.calm = true
        }
        if world.calm && world.hosts.iter().all(Host::is_idle) {
            break;
        }
        assert!(world.step_event() || left > 0, "seed {seed}: a client waits for ever");
        steps += 1;
        assert!(steps < 50_000, "seed {seed}: it does not end")
    }
    world.unanswered();
    world
}

fn spread(world: &mut World) {
    let directory = world.directories[world.dice.below(world.directories.len())];
    let at = world.dice.below(world.hosts.len()) as u32;
    let all = world.places.servers;
    let first = world.dice.below(all as usize) as u32;
    let servers: Vec<u32> =
        (0..1 + world.dice.below(2) as u32).map(|n| (first + n) % all).collect();
    let bound = Name::new(["b", "c", "d"][world.dice.below(3)].as_bytes()).unwrap();
    let spread = match servers.len() {
        2 if world.dice.chance(500) => Spread::Ranges(vec![bound]),
        _ => Spread::Hash,
    };
    world.spread(at, directory, List::new(spread, servers))
}

pub const BEGIN: [(u64, u64); 1] = [(ROOT, ROOT)];

/// All faults of a play.
pub fn faults(world: &World) -> Vec<String> {
    let verdict = check(&world.events, &BEGIN);
    let place = |_: usize| String::new();
    let mut all: Vec<String> =
        verdict.faults.iter().map(|fault: &Fault| fault.say(&world.events, &place)).collect();
    let rows = |host: &Host| host.store().rows().map(|(key, row)| (key, row.clone())).collect();
    let rows: Vec<Vec<_>> = world.hosts.iter().map(rows).collect();
    all.extend(fsck(&rows, &world.places).iter().map(ToString::to_string));
    all
}
