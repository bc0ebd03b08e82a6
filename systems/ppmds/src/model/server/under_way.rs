//! The cost of operations that a server has not answered at once.
use crate::model::message::{Record, StepWaits, TransactionCost};
use engine::*;
use ppmds_protocol::message::Message as ProtocolMessage;
use ppmds_protocol::{OperationKind, Timer as Wake};

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct OpenOperation {
    op: OperationKind,
    waits: StepWaits,
    came: Nanos,
    spent: TransactionCost,
}

#[derive(Rewind, Default)]
pub struct UnderWay(Table<(u32, u32), OpenOperation>);

impl UnderWay {
    pub fn begin(&mut self, key: (u32, u32), op: OperationKind, waits: StepWaits, came: Nanos) {
        if !self.0.contains(&key) {
            let spent = TransactionCost::default();
            self.0.insert(key, OpenOperation { op, waits, came, spent });
        }
    }

    pub fn contains(&self, key: &(u32, u32)) -> bool {
        !self.0.is_empty() && self.0.contains(key)
    }

    pub fn clear(&mut self) {
        self.0.clear()
    }

    /// Counts a message of an operation without an answer yet.
    pub fn note(&mut self, message: &ProtocolMessage) {
        if self.0.is_empty() {
            return;
        }
        let key = match message {
            ProtocolMessage::Open(open) => (open.meta.id.client, open.meta.id.number),
            ProtocolMessage::Opened(opened) => (opened.id.client, opened.id.number),
            ProtocolMessage::OutcomeQuery(query) => {
                (query.requester.client, query.requester.number)
            }
            ProtocolMessage::OutcomeReply(reply) => {
                (reply.query.requester.client, reply.query.requester.number)
            }
            // `Settle` with an acknowledgement: two messages.
            ProtocolMessage::Settle(meta, _, ack) => {
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
    pub fn count_wait(&mut self, wake: Wake, after: u64) {
        let key = match wake {
            Wake::Retry(client, number, ..) | Wake::NextAttempt(client, number, _) => {
                (client, number)
            }
            _ => return,
        };
        self.0.update(&key, |under| under.spent.count_wait(wake, after));
    }

    /// Ends an operation; returns where its time went, nothing for a repeated request.
    pub fn finish(
        &mut self,
        key: (u32, u32),
        came: Nanos,
        cx: &impl Recorder<Record>,
    ) -> StepWaits {
        let Some(under) = self.0.get(&key).copied() else { return StepWaits::default() };
        self.0.discard(&key);
        let OpenOperation { op, waits, came: since, spent } = under;
        spent.cost(op).into_iter().for_each(|cost| cx.record(cost));
        let (rounds, others) = spent.split(came.max(since) - since);
        StepWaits { rounds, others, ..waits }
    }
}
