//! A standby: applies its server's commits until it is promoted.
use super::inputs::Input;
use crate::Error;
use crate::clock::now;
use crate::disk::{Disk, Journaled, Row};
use crate::rows::{Changes, Role, STANDING, Standing};
use crate::status::Status;
use crate::wire::{Body, Query, QueryReply, Replica, ReplicaReply};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Wait of a promotion after the last message of the server: longer than its right to answer reads.
const LEASE: Duration = Duration::from_secs(2);
/// Longest wait between two checks whether to stop.
const IDLE: Duration = Duration::from_millis(100);
/// Rows that are read at once.
const PAGE: usize = 10_000;

pub struct Follower<'a> {
    disk: &'a mut Journaled,
    me: u32,
    /// Marks the folder as this server's, once it has all rows.
    claim: &'a dyn Fn() -> Result<(), Error>,
    standing: Option<Standing>,
    /// The connection of the server that it follows.
    server: Option<u64>,
    /// The server's generation while its rows are copied.
    copying: Option<u32>,
    /// End of the range that was copied, and how the copy differs from it.
    copied: (Vec<u8>, Changes),
    part: Changes,
    /// When the server last sent something.
    last: Instant,
    commits: u64,
}

impl<'a> Follower<'a> {
    pub fn new(
        disk: &'a mut Journaled,
        (me, standing): (u32, Option<Standing>),
        claim: &'a dyn Fn() -> Result<(), Error>,
    ) -> Follower<'a> {
        Follower {
            disk,
            me,
            claim,
            standing,
            server: None,
            copying: None,
            copied: Default::default(),
            part: Changes::default(),
            last: now(),
            commits: 0,
        }
    }

    /// Follows until it is promoted or `pause` returns true. The new standing; `None`: stopped.
    pub fn run(
        mut self,
        inputs: &Receiver<Input>,
        pause: &dyn Fn() -> bool,
    ) -> Result<Option<Standing>, Error> {
        while !pause() {
            match inputs.recv_timeout(IDLE) {
                Ok(Input::Replica(connection, replica, to)) => {
                    if let Some(reply) = self.apply(connection, replica)? {
                        let _ = to.try_send(Body::ReplicaReply(reply));
                    }
                }
                Ok(Input::Query(Query::Promote, to)) => {
                    if let Some(standing) = self.promote(to)? {
                        return Ok(Some(standing));
                    }
                }
                Ok(Input::Query(Query::Status, to)) => {
                    let _ = to.send(QueryReply::Status(Box::new(self.status())));
                }
                Ok(Input::Query(_, to)) => {
                    let what = format!("this is the standby of server {}", self.me);
                    let _ = to.send(QueryReply::Refused(what));
                }
                Ok(Input::Detached(connection)) if self.server == Some(connection) => {
                    self.server = None
                }
                // The sockets refuse clients and servers.
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
        self.disk.sync().map(|()| None)
    }

    fn is_complete(&self) -> bool {
        // Until a copy ends, the former rows are all that the same server has acknowledged.
        self.standing.is_some_and(|own| {
            own.role == Role::Standby && self.copying.is_none_or(|new| new == own.generation)
        })
    }

    fn apply(&mut self, connection: u64, replica: Replica) -> Result<Option<ReplicaReply>, Error> {
        if let Replica::Attach(generation) = replica {
            if let Some(why) = self.refusal(generation) {
                return Ok(Some(ReplicaReply::Refused(why)));
            }
            self.copied = Default::default();
            self.part = Changes::default();
            self.server = Some(connection);
            self.copying = Some(generation);
        }
        if self.server != Some(connection) {
            return Ok(None);
        }
        self.last = now();
        match replica {
            Replica::Attach(_) => Ok(Some(ReplicaReply::Continue)),
            Replica::Copy { rows, end } => {
                self.copy(rows, end)?;
                Ok(Some(ReplicaReply::Continue))
            }
            Replica::Part(changes) => {
                self.part.0.extend(changes.0);
                Ok(None)
            }
            Replica::Commit(changes, number) => {
                let mut all = std::mem::take(&mut self.part);
                all.0.extend(changes.0);
                self.disk.commit(&all, number.is_some())?;
                self.commits += 1;
                Ok(number.map(ReplicaReply::Done))
            }
            Replica::Ping(number) => Ok(Some(ReplicaReply::Done(number))),
        }
    }

    fn refusal(&self, generation: u32) -> Option<String> {
        let own = self.standing?;
        // A former server follows only a promoted one.
        let least = own.generation + u32::from(own.role != Role::Standby);
        (generation < least).then(|| match (generation, own.role) {
            (0, _) => format!(
                "server {} has an empty folder, and its standby has rows: promote the standby \
                 with `tenbin meta promote {}`",
                self.me, self.me
            ),
            (_, Role::Standby) => format!(
                "server {} has generation {generation}, and its standby {}: the standby follows a \
                 later server",
                self.me, own.generation
            ),
            _ => format!(
                "the folder of the standby has the rows of a server, of generation {}: remove the \
                 folder if the other copy is the right one",
                own.generation
            ),
        })
    }

    /// Compares the server's rows up to `end` with the rows here. The last range makes them equal.
    fn copy(&mut self, rows: Vec<Row>, end: Option<Vec<u8>>) -> Result<(), Error> {
        let (from, changes) = &mut self.copied;
        let mut theirs: BTreeMap<Vec<u8>, Vec<u8>> = rows.into_iter().collect();
        for (key, value) in range(self.disk, from, end.as_deref())? {
            match theirs.remove(&key) {
                Some(new) if new == value => {}
                Some(new) => drop(changes.0.insert(key, Some(new))),
                None if key == STANDING => {}
                None => drop(changes.0.insert(key, None)),
            }
        }
        changes.0.extend(theirs.into_iter().map(|(key, value)| (key, Some(value))));
        if let Some(end) = end {
            *from = end;
            return Ok(());
        }
        let generation = self.copying.take().map_or(1, |generation| generation.max(1));
        let standing = Standing { generation, role: Role::Standby };
        changes.0.extend(standing.changes().0);
        self.disk.commit(&std::mem::take(changes), true)?;
        (self.claim)()?;
        self.standing = Some(standing);
        Ok(())
    }

    fn promote(&mut self, to: oneshot::Sender<QueryReply>) -> Result<Option<Standing>, Error> {
        let Some(own) = self.standing.filter(|_| self.is_complete()) else {
            let what = format!("the standby of server {} has not got all its rows yet", self.me);
            let _ = to.send(QueryReply::Refused(what));
            return Ok(None);
        };
        // From here on it accepts nothing from its server.
        self.server = None;
        std::thread::sleep(LEASE.saturating_sub(self.last.elapsed()));
        let standing = Standing { generation: own.generation + 1, role: Role::Promoted };
        self.disk.commit(&standing.changes(), true)?;
        let _ = to.send(QueryReply::Promoted(standing.generation));
        Ok(Some(standing))
    }

    fn status(&self) -> Status {
        Status {
            server: self.me,
            role: Role::Standby,
            follows: self.server.is_some(),
            generation: self.standing.map_or(0, |standing| standing.generation),
            commits: self.commits,
            store_bytes: self.disk.size(),
            ..Status::default()
        }
    }
}

/// All rows behind `from` up to `end`, which is `None` for the end of the store.
fn range(disk: &Journaled, from: &[u8], end: Option<&[u8]>) -> Result<Vec<Row>, Error> {
    let (mut all, mut behind): (Vec<Row>, Vec<u8>) = (Vec::new(), from.to_vec());
    loop {
        let mut page = disk.page(Bound::Excluded(&behind), PAGE)?;
        let is_last = page.len() < PAGE;
        behind = page.last().map(|(key, _)| key.clone()).unwrap_or_default();
        page.retain(|(key, _)| end.is_none_or(|end| key.as_slice() <= end));
        let is_past = page.len() < PAGE;
        all.extend(page);
        if is_last || is_past {
            return Ok(all);
        }
    }
}
