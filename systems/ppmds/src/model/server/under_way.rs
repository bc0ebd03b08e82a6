//! What transactions that a server runs take.
use super::{Said, Server};
use crate::model::message::{Cost, Event, Held, Record};
use engine::*;
use ppmds_protocol::{Doing, Timer as Wake};

/// An operation that was not answered at once.
#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
pub struct UnderWay {
    op: Doing,
    held: Held,
    came: Nanos,
    /// Messages to and from other servers.
    messages: u32,
    /// Attempts without effect, waits for others, and how long those were \[ns\].
    aborts: u32,
    retries: u32,
    others: u64,
}

impl Server {
    /// A request has no answer yet.
    pub(super) fn takes_longer(&mut self, key: (u32, u32), op: Doing, held: Held) {
        if !self.under_way.contains(&key) {
            let (came, messages, aborts, retries, others) = (self.came, 0, 0, 0, 0);
            self.under_way
                .insert(key, UnderWay { op, held, came, messages, aborts, retries, others });
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
                self.under_way.update(&key, |under| under.messages += both);
                return;
            }
            _ => return,
        };
        self.under_way.update(&key, |under| under.messages += 1);
    }

    /// A transaction waits so long for another, or before its next attempt.
    pub(super) fn waits(&mut self, wake: Wake, after: u64) {
        let (key, again) = match wake {
            Wake::Retry(client, number, ..) => ((client, number), false),
            Wake::Again(client, number, _) => ((client, number), true),
            _ => return,
        };
        self.under_way.update(&key, |under| {
            under.others += after;
            match again {
                true => under.aborts += 1,
                false => under.retries += 1,
            }
        });
    }

    /// An operation has its answer; what held it up. A request that came again has none.
    pub(super) fn over(&mut self, key: (u32, u32), cx: &impl Context<Event, Record>) -> Held {
        let Some(under) = self.under_way.get(&key).copied() else { return Held::default() };
        self.under_way.discard(&key);
        let UnderWay { op, held, came, messages, aborts, retries, others } = under;
        if messages > 0 || aborts > 0 || retries > 0 {
            let (messages, aborts, retries) = (messages.into(), aborts.into(), retries.into());
            cx.record(Record::Cost(Cost { op, messages, aborts, retries }))
        }
        let whole = (self.came.max(came) - came).0;
        let others = others.min(whole);
        Held { rounds: whole - others, others, ..held }
    }
}
