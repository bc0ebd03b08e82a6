//! The cost of operations that a server has not answered at once.
use crate::model::message::{Held, Record, Spent};
use engine::*;
use ppmds_protocol::message::Message as Said;
use ppmds_protocol::{Doing, Timer as Wake};

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct OpenOperation {
    op: Doing,
    held: Held,
    came: Nanos,
    spent: Spent,
}

#[derive(Rewind, Default)]
pub struct UnderWay(Table<(u32, u32), OpenOperation>);

impl UnderWay {
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

    /// Counts a message of an operation without an answer yet.
    pub fn note(&mut self, said: &Said) {
        if self.0.is_empty() {
            return;
        }
        let key = match said {
            Said::Open(open) => (open.meta.id.client, open.meta.id.number),
            Said::Opened(opened) => (opened.id.client, opened.id.number),
            Said::Fate(asked) => (asked.who.client, asked.who.number),
            Said::Became(became) => (became.asked.who.client, became.asked.who.number),
            // `Settle` with an acknowledgement: two messages.
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

    /// Counts a wait \[ns\] for another transaction, or before the next attempt.
    pub fn waits(&mut self, wake: Wake, after: u64) {
        let key = match wake {
            Wake::Retry(client, number, ..) | Wake::Again(client, number, _) => (client, number),
            _ => return,
        };
        self.0.update(&key, |under| under.spent.waits(wake, after));
    }

    /// Ends an operation; returns where its time went, nothing for a repeated request.
    pub fn over(&mut self, key: (u32, u32), came: Nanos, cx: &impl Recorder<Record>) -> Held {
        let Some(under) = self.0.get(&key).copied() else { return Held::default() };
        self.0.discard(&key);
        let OpenOperation { op, held, came: since, spent } = under;
        spent.cost(op).into_iter().for_each(|cost| cx.record(cost));
        let (rounds, others) = spent.held(came.max(since) - since);
        Held { rounds, others, ..held }
    }
}
