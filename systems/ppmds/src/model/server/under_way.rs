//! What transactions that a server runs take.
use crate::model::message::{Held, Record, Spent};
use engine::*;
use ppmds_protocol::message::Message as Said;
use ppmds_protocol::{Doing, Timer as Wake};

/// An operation that was not answered at once.
#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct OpenOperation {
    op: Doing,
    held: Held,
    came: Nanos,
    spent: Spent,
}

/// Operations that take a transaction, by client and number.
#[derive(Rewind, Default)]
pub struct UnderWay(Table<(u32, u32), OpenOperation>);

impl UnderWay {
    /// A request has no answer yet.
    pub fn begin(&mut self, key: (u32, u32), op: Doing, held: Held, came: Nanos) {
        if !self.0.contains(&key) {
            let spent = Spent::default();
            self.0.insert(key, OpenOperation { op, held, came, spent });
        }
    }

    pub fn contains(&self, key: &(u32, u32)) -> bool {
        !self.0.is_empty() && self.0.contains(key)
    }

    pub fn clear(&mut self) {
        self.0.clear()
    }

    /// A message of a transaction that this server runs, or that is in the way of a read.
    pub fn note(&mut self, said: &Said) {
        if self.0.is_empty() {
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
                self.0.update(&key, |under| under.spent.messages += both);
                return;
            }
            _ => return,
        };
        self.0.update(&key, |under| under.spent.messages += 1);
    }

    /// A transaction waits so long for another, or before its next attempt.
    pub fn waits(&mut self, wake: Wake, after: u64) {
        let key = match wake {
            Wake::Retry(client, number, ..) | Wake::Again(client, number, _) => (client, number),
            _ => return,
        };
        self.0.update(&key, |under| under.spent.waits(wake, after));
    }

    /// An operation has its answer; what held it up. A request that came again has none.
    pub fn over(&mut self, key: (u32, u32), came: Nanos, cx: &impl Recorder<Record>) -> Held {
        let Some(under) = self.0.get(&key).copied() else { return Held::default() };
        self.0.discard(&key);
        let OpenOperation { op, held, came: since, spent } = under;
        spent.cost(op).into_iter().for_each(|cost| cx.record(cost));
        let (rounds, others) = spent.held(came.max(since) - since);
        Held { rounds, others, ..held }
    }
}
