//! A server's disk with a standby: a commit is durable once both have flushed it.
//!
//! ```text
//!  commit ──► standby's disk ─┐
//!     └─────► own disk ───────┴─► answers
//! ```
//!
//! A standby that is promoted accepts nothing more from its former server, so that cannot commit.
//! Nor can it answer a read: it answers reads for [`LEASE`] after the standby's last reply, and a
//! promotion waits longer.
use super::notices::Notices;
use crate::Error;
use crate::channel::{Reader, Writer, invalid};
use crate::clock::now;
use crate::cluster::Cluster;
use crate::disk::{Disk, Journaled, Row, Snapshot, fitting};
use crate::frames::{Connection, connect_to, read_frame, write_frame};
use crate::rows::{Changes, STANDING};
use crate::wire::{self, Body, Caller, MOST_HELLO, Replica, ReplicaReply};
use std::io;
use std::ops::Bound;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;

/// Time after a reply in which a read needs no other.
const LEASE: Duration = Duration::from_millis(1_500);
const REPLY: Duration = Duration::from_secs(5);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(100);
const PAGE: usize = 10_000;
/// Bytes of a message, which may then have one row more; a reply must follow within [`REPLY`].
const MOST_PART: usize = 4 << 20;

pub struct Mirror<'a> {
    pub local: Journaled,
    pub standby: Standby<'a>,
}

pub struct Standby<'a> {
    pub cluster: Cluster,
    pub me: u32,
    pub address: String,
    /// 0: this server is new, and its standby must be new as well.
    pub generation: u32,
    /// Why other parties are refused while the standby is away.
    pub closed: watch::Sender<Option<String>>,
    pub notices: Notices,
    /// Prints the log; whether to stop.
    pub pause: &'a dyn Fn() -> bool,
    pub runtime: Runtime,
    pub open: Option<(Reader, Writer)>,
    /// Commits and pings so far.
    pub number: u64,
    /// When the last request that has a reply was sent.
    pub confirmed: Option<Instant>,
}

enum Problem {
    Away(String),
    Refused(String),
}

impl From<io::Error> for Problem {
    fn from(e: io::Error) -> Problem {
        Problem::Away(e.to_string())
    }
}

impl Mirror<'_> {
    /// Connects to the standby and copies all rows to it; waits until that is done.
    ///
    /// # Errors
    /// The standby refuses this server, or the node is stopped.
    pub fn attach(&mut self) -> Result<(), Error> {
        let Mirror { local, standby } = self;
        let mut last = String::new();
        loop {
            match standby.attach(local) {
                Ok(()) => {
                    standby.notices.warn(&format!("the standby {} follows", standby.address));
                    standby.closed.send_replace(None);
                    return Ok(());
                }
                Err(Problem::Refused(why)) => return Err(Error::Failed(why)),
                Err(Problem::Away(why)) => {
                    let what = format!("waits for the standby: {why}");
                    if what != last {
                        standby.notices.warn(&what);
                        standby.closed.send_replace(Some(format!("server {} {what}", standby.me)));
                        last = what
                    }
                }
            }
            if (standby.pause)() {
                let what = "stopped while its standby was away: unanswered changes may be lost";
                return Err(Error::Failed(format!("server {} {what}", standby.me)));
            }
            std::thread::sleep(BETWEEN_ATTEMPTS)
        }
    }

    fn wait(&mut self, number: u64, sent: Instant) -> Result<(), Error> {
        match self.standby.wait(number) {
            Ok(()) => {
                self.standby.confirmed = Some(sent);
                Ok(())
            }
            Err(Problem::Refused(why)) => Err(Error::Failed(why)),
            Err(Problem::Away(_)) => {
                self.standby.open = None;
                self.attach()
            }
        }
    }
}

impl Disk for Mirror<'_> {
    fn commit(&mut self, changes: &Changes, is_durable: bool) -> Result<(), Error> {
        let (sent, number) = (now(), self.standby.next());
        self.standby.send_commit(changes, is_durable.then_some(number));
        self.local.commit(changes, is_durable)?;
        if is_durable { self.wait(number, sent) } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.commit(&Changes::default(), true)?;
        self.local.sync()
    }

    fn page(&self, from: Bound<&[u8]>, most: usize) -> Result<Vec<Row>, Error> {
        self.local.page(from, most)
    }

    fn snapshot(&self) -> Result<Snapshot, Error> {
        self.local.snapshot()
    }

    fn size(&self) -> u64 {
        self.local.size()
    }

    fn confirm(&mut self) -> Result<(), Error> {
        if self.standby.confirmed.is_some_and(|at| at.elapsed() < LEASE) {
            return Ok(());
        }
        let (sent, number) = (now(), self.standby.next());
        self.standby.send(Replica::Ping(number));
        self.wait(number, sent)
    }
}

impl Standby<'_> {
    fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// A broken connection is noticed by the next wait.
    fn send(&mut self, replica: Replica) {
        if let Some((_, to)) = &mut self.open {
            let sent = self.runtime.block_on(write(to, replica));
            if sent.is_err() {
                self.open = None
            }
        }
    }

    fn send_commit(&mut self, changes: &Changes, number: Option<u64>) {
        let (mut part, mut bytes) = (Changes::default(), 0);
        for (key, value) in &changes.0 {
            bytes += key.len() + value.as_ref().map_or(0, Vec::len);
            part.0.insert(key.clone(), value.clone());
            if bytes > MOST_PART {
                self.send(Replica::Part(std::mem::take(&mut part)));
                bytes = 0
            }
        }
        self.send(Replica::Commit(part, number))
    }

    fn wait(&mut self, number: u64) -> Result<(), Problem> {
        let Some((from, _)) = &mut self.open else {
            return Err(Problem::Away(String::from("not connected")));
        };
        let reply = self.runtime.block_on(async {
            loop {
                match read(from).await? {
                    ReplicaReply::Done(done) if done < number => {}
                    reply => return Ok(reply),
                }
            }
        });
        match reply {
            Ok(ReplicaReply::Done(_)) => Ok(()),
            Ok(ReplicaReply::Refused(why)) => Err(Problem::Refused(why)),
            Ok(ReplicaReply::Continue) => Err(invalid("another reply").into()),
            Err(problem) => Err(problem),
        }
    }

    fn attach(&mut self, local: &Journaled) -> Result<(), Problem> {
        let sent = now();
        let connect = connect_to(&self.cluster, (self.me, &self.address), Caller::Main);
        let Connection { mut from, mut to, .. } =
            self.runtime.block_on(connect).map_err(|e| Problem::Away(e.into()))?;
        self.runtime.block_on(async {
            request(&mut from, &mut to, Replica::Attach(self.generation)).await?;
            let mut behind = Some(Vec::new());
            while let Some(from_key) = behind {
                let page = local.page(Bound::Excluded(&from_key), PAGE);
                let page = page.map_err(|e| Problem::Refused(e.to_string()))?;
                let (mut rows, more) = fitting(page, PAGE, MOST_PART);
                let last = rows.last().filter(|_| more).map(|(key, _)| key.clone());
                rows.retain(|(key, _)| key != STANDING);
                request(&mut from, &mut to, Replica::Copy { rows, end: last.clone() }).await?;
                behind = last
            }
            Ok::<(), Problem>(())
        })?;
        (self.open, self.confirmed) = (Some((from, to)), Some(sent));
        Ok(())
    }
}

async fn write(to: &mut Writer, replica: Replica) -> io::Result<()> {
    let late = |_| io::Error::other("the standby takes nothing for 5 s");
    timeout(REPLY, write_frame(to, &Body::Replica(replica))).await.map_err(late)?
}

async fn read(from: &mut Reader) -> Result<ReplicaReply, Problem> {
    let late = |_| io::Error::other("no reply of the standby in 5 s");
    let frame = timeout(REPLY, read_frame(from, MOST_HELLO)).await.map_err(late)??;
    let (header, body) = frame.ok_or_else(|| io::Error::other("the standby has ended"))?;
    match wire::body(header, &body).map_err(invalid)? {
        Body::ReplicaReply(reply) => Ok(reply),
        _ => Err(invalid("another message in place of the reply").into()),
    }
}

async fn request(from: &mut Reader, to: &mut Writer, replica: Replica) -> Result<(), Problem> {
    write(to, replica).await?;
    match read(from).await? {
        ReplicaReply::Continue => Ok(()),
        ReplicaReply::Refused(why) => Err(Problem::Refused(why)),
        ReplicaReply::Done(_) => Err(invalid("another reply").into()),
    }
}
