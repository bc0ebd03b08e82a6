//! Faults planted from outside the protocol.
use crate::play::{BAD, faults, play};
use crate::world::{Planted, World};
use ppmds_protocol::message::Open;
use ppmds_protocol::message::{Became, Fate, Got, Message, Mode, Opened, Peer, Write};
use ppmds_protocol::record::Record;
use ppmds_protocol::{Key, Operation};
use std::collections::BTreeMap;
use std::panic::catch_unwind;

/// Changes a message on its way to a server.
pub fn plant(world: &mut World, at: u32, message: Message) -> Option<Message> {
    match (world.planted, message) {
        (Planted::ValidationSkipped, Message::Open(mut open)) => {
            open.same.clear();
            Some(Message::Open(open))
        }
        (Planted::CommitWithoutCas, Message::Fate(asked)) if asked.kill => {
            let became = Became { asked: *asked, fate: Fate::Aborted };
            world.post(asked.from, Message::Became(Box::new(became)));
            None
        }
        (Planted::RmdirWithoutList, Message::Open(open)) => without_list(world, at, *open),
        (Planted::SplitLosesEntry, Message::Settle(meta, mut fate, ack)) => {
            if let Fate::Committed(writes, _) = &mut *fate
                && writes.iter().any(|write| matches!(write, Write::Row(key, _) if is_list(key)))
            {
                let entry =
                    |write: &Write| matches!(write, Write::Row(key, Some(_)) if !is_list(key));
                if let Some(lost) = writes.iter().position(entry) {
                    writes.remove(lost);
                }
            }
            Some(Message::Settle(meta, fate, ack))
        }
        (Planted::DuplicateCreate, Message::Ask(ask)) => {
            // The server does not remember its answer.
            if matches!(ask.operation, Operation::Create(..)) {
                let forget = Record::Said(ask.client, ask.number, None);
                world.hosts[at as usize].server.store.apply(forget)
            }
            Some(Message::Ask(ask))
        }
        (_, message) => Some(message),
    }
}

fn is_list(key: &Key) -> bool {
    key.name.is_none()
}

/// An rmdir asks only the directory's home; the other servers count as locked and empty.
fn without_list(world: &mut World, at: u32, open: Open) -> Option<Message> {
    let store = &world.hosts[at as usize].server.store;
    let takes = |key: &Key| store.row(key).is_some();
    let all = open
        .wants
        .iter()
        .all(|want| is_list(&want.key) && want.mode == Mode::Exclusive && takes(&want.key));
    if !all || open.wants.is_empty() || matches!(open.from, Peer::Server(from) if from == at) {
        return Some(Message::Open(Box::new(open)));
    }
    let got = open.wants.iter().map(|want| Got {
        key: want.key.clone(),
        mode: want.mode,
        stored: store.row(&want.key).cloned(),
        removals: 0,
        entry: None,
        fresh: 0,
        moved: Vec::new(),
    });
    let (id, round, server, trouble) = (open.meta.id, open.round, at, None);
    let opened = Opened { id, round, server, got: got.collect(), trouble };
    world.post(open.from, Message::Opened(Box::new(opened)));
    None
}

/// The checkers detect each fault and name it.
#[test]
fn every_planted_fault_is_found() {
    for (planted, names) in [
        (Planted::ValidationSkipped, &["cycle", "wrong result", "lost update"][..]),
        (Planted::CommitWithoutCas, &["cycle", "lost update", "wrong result"]),
        (Planted::LogRecordLost, &["lost row", "unknown version", "lost update", "wrong result"]),
        (Planted::DuplicateCreate, &["unknown version", "back again", "lost row"]),
        (Planted::RmdirWithoutList, &["orphan", "cycle", "lost update", "wrong result"]),
        (Planted::SplitLosesEntry, &["lost row"]),
    ] {
        let mut found = BTreeMap::<String, usize>::new();
        let mut plays = 0;
        for seed in 0..3_000 {
            let Ok(world) = catch_unwind(|| play(seed, BAD, planted, 5, 60)) else { continue };
            plays += 1;
            for fault in faults(&world) {
                *found.entry(fault.split(':').next().unwrap().to_string()).or_default() += 1
            }
            // Other names are consequences.
            if names.iter().any(|name| found.contains_key(*name)) {
                break;
            }
        }
        println!("{planted:?}: {found:?} in {plays} plays");
        assert!(names.iter().any(|name| found.contains_key(*name)), "{planted:?}: {found:?}")
    }
}
