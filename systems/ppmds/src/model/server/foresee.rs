//! Prefetching: with many servers and rows, hardly any row is in the cache.
use super::{Event, ProtocolMessage, Server};
use crate::model::message::Envelope;
use crate::model::prefetch::{soon, soon_if};
use ppmds_protocol::Operation;
use ppmds_protocol::message::{Ask, TxState};

impl Server {
    /// Each step prefetches what the step before made reachable: the message; its boxes and the
    /// index of a row; the row.
    pub(super) fn look_ahead(&self, event: &Event, step: u32) {
        match (event, step) {
            (Event::Head(envelope), 0) => {
                soon(self);
                soon(&**envelope)
            }
            (_, 0) => soon(self),
            (Event::Head(envelope), _) => self.prefetch_message(envelope, step),
            // The pending messages left the cache long ago.
            (Event::Pending, _) => self.store.foresee(step),
            _ => {}
        }
    }

    fn prefetch_message(&self, envelope: &Envelope, step: u32) {
        match (&envelope.message, step) {
            (ProtocolMessage::Ask(ask), _) => self.prefetch_row(ask, step),
            (ProtocolMessage::Open(open), 1) => soon(&**open),
            (ProtocolMessage::Open(open), _) => {
                self.prefetch_history(open.meta.id.client, 1);
                soon_if(open.requests.first())
            }
            (ProtocolMessage::Opened(opened), 1) => soon(&**opened),
            (ProtocolMessage::Opened(opened), _) => soon_if(opened.rows.first()),
            (ProtocolMessage::Settle(meta, state, _), _) => {
                self.prefetch_history(meta.id.client, step);
                match (&**state, step) {
                    (state, 1) => soon(state),
                    (TxState::Committed(writes, _), _) => soon_if(writes.first()),
                    _ => {}
                }
            }
            (ProtocolMessage::OutcomeQuery(query), 1) => soon(&**query),
            (ProtocolMessage::OutcomeReply(reply), 1) => soon(&**reply),
            _ => {}
        }
    }

    fn prefetch_row(&self, ask: &Ask, step: u32) {
        let Some(key) = ask.operation.entry() else { return };
        let store = &self.protocol().store;
        if step == 1 {
            soon_if(store.near(key))
        } else if !matches!(ask.operation, Operation::Create(..)) {
            soon_if(store.row_near(key))
        }
    }

    fn prefetch_history(&self, client: u32, step: u32) {
        let store = &self.protocol().store;
        match step {
            1 => soon_if(store.history_near(client)),
            _ => soon_if(store.history_row_near(client)),
        }
    }
}
