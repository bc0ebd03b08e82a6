//! Clients that operate on few names at once, and record what they see.
use super::{block_on, failure};
use crate::recorder::calls;
use ppmds_check::Event;
use ppmds_protocol::{
    Attributes, Change, Ino, Key, Name, Operation, Outcome, ROOT, TwoPaths, mixed,
};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::clock::{nanoseconds, now};
use ppmds_service::cluster::Cluster;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use system::Failure;

/// What the players of one demonstration share.
pub struct Stage {
    pub cluster: Cluster,
    pub began: Instant,
    /// Directories that some player knows.
    pub directories: Mutex<Vec<Ino>>,
    pub is_over: AtomicBool,
    pub events: Mutex<Vec<Event>>,
}

/// Names in each shared directory.
const NAMES: u64 = 12;

impl Stage {
    pub fn new(cluster: Cluster) -> Stage {
        let (directories, is_over) = (Mutex::new(vec![ROOT]), AtomicBool::new(false));
        Stage { cluster, began: now(), directories, is_over, events: Mutex::default() }
    }

    fn time(&self) -> u64 {
        nanoseconds(self.began.elapsed())
    }

    pub fn acknowledged(&self) -> usize {
        let events = self.events.lock().expect("no player panics");
        events.iter().filter(|event| event.completed_ns.is_some()).count()
    }

    async fn client(&self) -> Result<Client, Failure> {
        Client::connect(&self.cluster, ClientOptions::default()).await.map_err(failure)
    }

    /// Runs an operation and records it.
    async fn perform(&self, client: &Client, operation: Operation) -> Result<Outcome, Failure> {
        let call = calls::call(&operation).expect("a client's operation");
        let invoked_ns = self.time();
        let kind = operation.kind().name();
        let completed = client.run(operation).await;
        let completed = completed.map_err(|e| Failure::Failed(format!("{kind}: {e}")))?;
        let event = Event {
            client: client.id(),
            number: completed.number,
            call,
            invoked_ns,
            completed_ns: Some(self.time()),
            result: calls::outcome(&completed.outcome),
            saw: completed.saw.iter().map(calls::saw).collect(),
        };
        self.events.lock().expect("no player panics").push(event);
        Ok(completed.outcome)
    }

    /// Plays until the stage is over; returns the names of files that only this player creates.
    pub fn play(&self, player: u64) -> Result<Vec<Key>, Failure> {
        block_on(async {
            let client = self.client().await?;
            let (mut kept, mut draws) = (Vec::new(), mixed(player));
            while !self.is_over.load(Ordering::Relaxed) {
                draws = mixed(draws.wrapping_add(player));
                let operation = self.operation(draws, player, kept.len());
                let outcome = self.perform(&client, operation.clone()).await?;
                match (operation, outcome) {
                    (Operation::Mkdir(..), Outcome::Of(ino)) => {
                        self.directories.lock().expect("no player panics").push(ino)
                    }
                    (Operation::Create(key, _), Outcome::Of(_)) if is_kept(&key.name) => {
                        kept.push(key)
                    }
                    _ => {}
                }
            }
            client.close().await;
            Ok(kept)
        })
    }

    fn operation(&self, draws: u64, player: u64, kept: usize) -> Operation {
        let directories = self.directories.lock().expect("no player panics");
        // Early directories more often than late ones.
        let pick = |draws: u64| {
            let most = 1 + draws % (directories.len() as u64).min(8);
            let at = usize::try_from((draws >> 8) % most).expect("below eight");
            let name = format!("n{}", (draws >> 16) % NAMES);
            Key::entry(directories[at], &name_of(&name))
        };
        let key = pick(draws >> 8);
        let two = || Box::new(TwoPaths { from: pick(draws >> 8), to: pick(draws >> 24) });
        let of = Attributes { mode: 0o644, owner: 1, group: 1 };
        match draws % 20 {
            0..=3 => {
                let name = name_of(&format!("kept.{player}.{kept}"));
                Operation::Create(Key::entry(ROOT, &name), of)
            }
            4..=6 => Operation::Create(key, of),
            7..=8 => Operation::Mkdir(key, of),
            9..=10 => Operation::Stat(key),
            11 => Operation::Lookup(key),
            12 => {
                let size = Some(draws >> 40);
                Operation::Setattr(key, Box::new(Change { size, ..Change::default() }))
            }
            13..=14 => Operation::Unlink(key),
            15 => Operation::Rmdir(key),
            16..=17 => Operation::Rename(two()),
            18 => Operation::Link(two()),
            _ => Operation::Readdir(Key::itself(key.ino), 0, 0),
        }
    }

    /// Looks up files with a new client; returns how many are missing.
    pub fn count_missing(&self, kept: &[Key]) -> Result<u64, Failure> {
        block_on(async {
            let client = self.client().await?;
            let mut missing = 0;
            for key in kept {
                let outcome = self.perform(&client, Operation::Lookup(key.clone())).await?;
                missing += u64::from(!matches!(outcome, Outcome::Of(_)))
            }
            client.close().await;
            Ok(missing)
        })
    }
}

fn name_of(text: &str) -> Name {
    Name::new(text.as_bytes()).expect("a short name without slash")
}

fn is_kept(name: &Name) -> bool {
    name.bytes().starts_with(b"kept.")
}
