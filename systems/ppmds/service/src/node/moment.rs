//! One moment of all servers, for operators: no client starts anything until all transactions have
//! ended, then each server keeps a snapshot of its rows.
use crate::Error;
use crate::clock::now;
use crate::disk::{Disk, Snapshot, fitting};
use crate::wire::QueryReply;
use ppmds_protocol::message::Message;
use std::ops::Bound;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// Longest time without clients' requests: an operator's command that ends must not stop a server.
const FROZEN: Duration = Duration::from_secs(5);
/// Time after its last use that a snapshot is kept.
const KEPT: Duration = Duration::from_secs(60);
const PAGE: usize = 1_000;

const MOST_PAGE: usize = 4 << 20;

/// A request with its share of the queue.
pub type Held = (Message, OwnedSemaphorePermit);

#[derive(Default)]
pub struct Moment {
    frozen: Option<Instant>,
    held: Vec<Held>,
    snapshot: Option<(Snapshot, Instant)>,
}

impl Moment {
    /// Holds clients' requests from now on, or for longer.
    pub fn freeze(&mut self) {
        self.frozen = Some(now())
    }

    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    pub fn hold(&mut self, held: Held) {
        self.held.push(held)
    }

    pub fn snapshot(&mut self, disk: &dyn Disk) -> Result<QueryReply, Error> {
        if self.frozen.is_none() {
            let what = "requests have started again: a server took longer than 5 s";
            return Ok(QueryReply::Refused(String::from(what)));
        }
        self.snapshot = Some((disk.snapshot()?, now()));
        Ok(QueryReply::Done)
    }

    pub fn thaw(&mut self) -> QueryReply {
        self.frozen = None;
        QueryReply::Done
    }

    /// Requests that may start now. Also drops a snapshot that was not read for long.
    pub fn due(&mut self) -> Vec<Held> {
        let is_over = |since: &Instant, most| since.elapsed() > most;
        if self.frozen.as_ref().is_some_and(|since| is_over(since, FROZEN)) {
            self.frozen = None
        }
        if self.snapshot.as_ref().is_some_and(|(_, used)| is_over(used, KEPT)) {
            self.snapshot = None
        }
        if self.is_frozen() { Vec::new() } else { std::mem::take(&mut self.held) }
    }

    pub fn page(&mut self, behind: &[u8]) -> Result<QueryReply, Error> {
        let Some((snapshot, used)) = &mut self.snapshot else {
            return Ok(QueryReply::Refused(String::from("the snapshot was not read for 60 s")));
        };
        *used = now();
        let page = snapshot(Bound::Excluded(behind), PAGE)?;
        let (page, has_more) = fitting(page, PAGE, MOST_PAGE);
        Ok(QueryReply::Rows(page, has_more))
    }
}
