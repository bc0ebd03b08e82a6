//! Load for a measurement: clients that each send one operation after the other.
use crate::Error;
use crate::client::{Client, ClientOptions};
use crate::clock::{nanoseconds, now};
use crate::cluster::Cluster;
use crate::histogram::Histogram;
use ppmds_protocol::{Attributes, Ino, Key, Name, Operation, OperationKind, Outcome, ROOT, mixed};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Workload {
    Create,
    Stat,
    Mix,
    Hot,
    Rename,
}

impl Workload {
    pub const ALL: [(&'static str, &'static str, Workload); 5] = [
        ("create", "Create files in one directory", Workload::Create),
        ("stat", "Stat files of one directory", Workload::Stat),
        (
            "mix",
            "50 % stat, 25 % create, 10 % unlink, 5 % each of readdir, mkdir and rename",
            Workload::Mix,
        ),
        (
            "hot",
            "50 % stat, 25 % create, 25 % unlink of 16 names that all clients use",
            Workload::Hot,
        ),
        ("rename", "Rename a file again and again", Workload::Rename),
    ];

    pub fn name(self) -> &'static str {
        Workload::ALL.iter().find(|(.., one)| *one == self).expect("each has its name").0
    }

    /// Files that each client creates before the measurement.
    pub fn prepared(self) -> u32 {
        match self {
            Workload::Create | Workload::Hot => 0,
            Workload::Stat | Workload::Mix => 20,
            Workload::Rename => 1,
        }
    }
}

pub const HOT_NAMES: u32 = 16;

#[derive(Clone, Debug, Default)]
pub struct Measurement {
    pub took: Duration,
    pub times: BTreeMap<OperationKind, Histogram>,
    /// Answers that are errors; a mix and hot names have some.
    pub errors: u64,
}

impl Measurement {
    pub fn all(&self) -> Histogram {
        let mut all = Histogram::default();
        self.times.values().for_each(|times| all.merge(times));
        all
    }

    fn merge(&mut self, other: Measurement) {
        for (kind, times) in other.times {
            self.times.entry(kind).or_default().merge(&times)
        }
        self.errors += other.errors
    }
}

/// Runs the load in a new directory, which stays: removing its entries would take as long.
///
/// # Errors
/// No server answers, or one does not answer in time.
pub async fn run(
    cluster: &Cluster,
    workload: Workload,
    clients: u32,
    seconds: u64,
) -> Result<Measurement, Error> {
    let first = Client::connect(cluster, ClientOptions::default()).await?;
    let label = format!("bench-{:x}", crate::clock::wall_ns());
    let of = Attributes { mode: 0o755, owner: 0, group: 0 };
    let made = first.mkdir(ROOT, &name(&label), of).await;
    let directory = made.map_err(|e| Error::Failed(format!("/{label}: {e}")))?;
    first.close().await;
    let mut tasks = JoinSet::new();
    let barrier = std::sync::Arc::new(tokio::sync::Barrier::new(clients as usize));
    for number in 0..clients {
        let (cluster, barrier) = (cluster.clone(), std::sync::Arc::clone(&barrier));
        tasks.spawn(async move {
            let client = Client::connect(&cluster, ClientOptions::default()).await?;
            let mut user = User { client, directory, number, files: 0, draws: 0 };
            let prepared = user.prepare(workload).await;
            barrier.wait().await;
            prepared?;
            let until = now() + Duration::from_secs(seconds);
            let measured = user.repeat(workload, until).await;
            user.client.close().await;
            measured
        });
    }
    let mut total = Measurement { took: Duration::from_secs(seconds), ..Measurement::default() };
    while let Some(one) = tasks.join_next().await {
        let one = one.map_err(|e| Error::Failed(format!("a client stopped: {e}")))?;
        total.merge(one?)
    }
    Ok(total)
}

struct User {
    client: Client,
    directory: Ino,
    number: u32,
    /// Names that this user has used.
    files: u32,
    draws: u64,
}

fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).expect("a short name without slash")
}

impl User {
    fn key(&self, file: u32) -> Key {
        Key::entry(self.directory, &name(&format!("file.{}.{file}", self.number)))
    }

    fn new_key(&mut self) -> Key {
        self.files += 1;
        self.key(self.files - 1)
    }

    fn draw(&mut self, below: u32) -> u32 {
        self.draws += 1;
        let drawn = mixed(u64::from(self.number) << 32 | self.draws) % u64::from(below.max(1));
        u32::try_from(drawn).expect("below 32 bits")
    }

    async fn prepare(&mut self, workload: Workload) -> Result<(), Error> {
        for _ in 0..workload.prepared() {
            let create = Operation::Create(self.new_key(), Attributes::default());
            self.client.run(create).await.map_err(|e| Error::Failed(e.to_string()))?;
        }
        Ok(())
    }

    fn operation(&mut self, workload: Workload) -> Operation {
        let of = Attributes { mode: 0o644, owner: 0, group: 0 };
        let file = match workload {
            Workload::Rename => self.files - 1,
            _ => self.draw(self.files),
        };
        let draw = match workload {
            Workload::Create => 60,
            Workload::Stat => 0,
            Workload::Mix => self.draw(100),
            Workload::Hot => return self.hot(of),
            Workload::Rename => 99,
        };
        match draw {
            0..50 => Operation::Stat(self.key(file)),
            50..75 => Operation::Create(self.new_key(), of),
            75..85 => Operation::Unlink(self.key(file)),
            85..90 => Operation::Readdir(Key::itself(self.directory), 0, 0),
            90..95 => Operation::Mkdir(self.new_key(), of),
            _ => {
                let (from, to) = (self.key(file), self.new_key());
                Operation::Rename(Box::new(ppmds_protocol::TwoPaths { from, to }))
            }
        }
    }

    fn hot(&mut self, of: Attributes) -> Operation {
        let file = name(&format!("hot.{}", self.draw(HOT_NAMES)));
        let key = Key::entry(self.directory, &file);
        match self.draw(4) {
            0 => Operation::Create(key, of),
            1 => Operation::Unlink(key),
            _ => Operation::Stat(key),
        }
    }

    async fn repeat(&mut self, workload: Workload, until: Instant) -> Result<Measurement, Error> {
        let mut measured = Measurement::default();
        while now() < until {
            let operation = self.operation(workload);
            let (kind, began) = (operation.kind(), now());
            let completed = self.client.run(operation).await;
            let completed =
                completed.map_err(|e| Error::Failed(format!("{}: {e}", kind.name())))?;
            measured.times.entry(kind).or_default().add(nanoseconds(began.elapsed()));
            measured.errors += u64::from(matches!(completed.outcome, Outcome::Failed(_)))
        }
        Ok(measured)
    }
}
