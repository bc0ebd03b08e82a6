//! What transactions that a server runs take.
use super::{Said, Server};
use crate::model::message::{Event, Held, Record, Spent};
use engine::*;
use ppmds_protocol::{Doing, Timer as Wake};

/// An operation that was not answered at once.
#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
pub struct UnderWay {
    op: Doing,
    held: Held,
    came: Nanos,
    spent: Spent,
}

impl Server {
    /// A request has no answer yet.
    pub(super) fn takes_longer(&mut self, key: (u32, u32), op: Doing, held: Held) {
        if !self.under_way.contains(&key) {
            let (came, spent) = (self.came, Spent::default());
            self.under_way.insert(key, UnderWay { op, held, came, spent });
        }
    }

    /// A message of a transaction that this server runs, or that is in the way of a read.
    pub(super) fn note(&mut self, said: &Said) {
        if self.under_way.is_empty() {
            return;
        }
        let key = match said {
            Said::Open(open) => (open.meta.id.client, open.meta.id.number),
            Said::Opened(opened) => (opened.id.client, opened.id.number),
            Said::Fate(asked) => (asked.who.client, asked.who.number),
            Said::Became(became) => (became.asked.who.client, became.asked.who.number),
            // Its answer says that it came.
            Said::Settle(meta, _, ack) => {
                let both = 1 + u32::from(ack.is_some());
                let key = (meta.id.client, meta.id.number);
                self.under_way.update(&key, |under| under.spent.messages += both);
                return;
            }
            _ => return,
        };
        self.under_way.update(&key, |under| under.spent.messages += 1);
    }

    /// A transaction waits so long for another, or before its next attempt.
    pub(super) fn waits(&mut self, wake: Wake, after: u64) {
        let key = match wake {
            Wake::Retry(client, number, ..) | Wake::Again(client, number, _) => (client, number),
            _ => return,
        };
        self.under_way.update(&key, |under| under.spent.waits(wake, after));
    }

    /// An operation has its answer; what held it up. A request that came again has none.
    pub(super) fn over(&mut self, key: (u32, u32), cx: &impl Context<Event, Record>) -> Held {
        let Some(under) = self.under_way.get(&key).copied() else { return Held::default() };
        self.under_way.discard(&key);
        let UnderWay { op, held, came, spent } = under;
        spent.cost(op).into_iter().for_each(|cost| cx.record(cost));
        let (rounds, others) = spent.held(self.came.max(came) - came);
        Held { rounds, others, ..held }
    }
}
