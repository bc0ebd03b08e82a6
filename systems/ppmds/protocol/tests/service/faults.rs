//! Faults planted from outside the protocol.
use crate::play::{BAD, faults, play};
use crate::world::{Planted, World};
use ppmds_protocol::message::Open;
use ppmds_protocol::message::{
    Message, Mode, Opened, OpenedRow, OutcomeReply, Peer, TxState, Write,
};
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
        (Planted::CommitWithoutCas, Message::OutcomeQuery(query)) if query.kill => {
            let reply = OutcomeReply { query: *query, state: TxState::Aborted };
            world.post(query.from, Message::OutcomeReply(Box::new(reply)));
            None
        }
        (Planted::RmdirWithoutList, Message::Open(open)) => without_list(world, at, *open),
        (Planted::SplitLosesEntry, Message::Settle(meta, mut state, ack)) => {
            if let TxState::Committed(writes, _) = &mut *state
                && writes.iter().any(|write| matches!(write, Write::Row(key, _) if is_list(key)))
            {
                let entry =
                    |write: &Write| matches!(write, Write::Row(key, Some(_)) if !is_list(key));
                if let Some(lost) = writes.iter().position(entry) {
                    writes.remove(lost);
                }
            }
            Some(Message::Settle(meta, state, ack))
        }
        (Planted::DuplicateCreate, Message::Ask(ask)) => {
            // The server does not remember its answer.
            if matches!(ask.operation, Operation::Create(..)) {
                let forget = Record::Answer(ask.client, ask.number, None);
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
    let all = open.requests.iter().all(|request| {
        is_list(&request.key) && request.mode == Mode::Exclusive && takes(&request.key)
    });
    if !all || open.requests.is_empty() || matches!(open.from, Peer::Server(from) if from == at) {
        return Some(Message::Open(Box::new(open)));
    }
    let rows = open.requests.iter().map(|request| OpenedRow {
        key: request.key.clone(),
        mode: request.mode,
        stored: store.row(&request.key).cloned(),
        removals: 0,
        entry: None,
        fresh: 0,
        moved: Vec::new(),
    });
    let (id, round, server, error) = (open.meta.id, open.round, at, None);
    let opened = Opened { id, round, server, rows: rows.collect(), error };
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
