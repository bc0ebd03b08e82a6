//! Prefetching: with many servers and rows, hardly any row is in the cache.
use super::{Event, Said, Server};
use crate::model::message::Parcel;
use crate::model::prefetch::{soon, soon_if};
use ppmds_protocol::Operation;
use ppmds_protocol::message::{Ask, Fate};

impl Server {
    /// Each step prefetches what the step before made reachable: the message; its boxes and the
    /// index of a row; the row.
    pub(super) fn look_ahead(&self, event: &Event, step: u32) {
        match (event, step) {
            (Event::Head(parcel), 0) => {
                soon(self);
                soon(&**parcel)
            }
            (_, 0) => soon(self),
            (Event::Head(parcel), _) => self.look_into(parcel, step),
            // The pending messages left the cache long ago.
            (Event::Pending, _) => self.store.foresee(step),
            _ => {}
        }
    }

    fn look_into(&self, parcel: &Parcel, step: u32) {
        match (&parcel.said, step) {
            (Said::Ask(ask), _) => self.look_for(ask, step),
            (Said::Open(open), 1) => soon(&**open),
            (Said::Open(open), _) => {
                self.look_for_past(open.meta.id.client, 1);
                soon_if(open.wants.first())
            }
            (Said::Opened(opened), 1) => soon(&**opened),
            (Said::Opened(opened), _) => soon_if(opened.got.first()),
            (Said::Settle(meta, fate, _), _) => {
                self.look_for_past(meta.id.client, step);
                match (&**fate, step) {
                    (fate, 1) => soon(fate),
                    (Fate::Committed(writes, _), _) => soon_if(writes.first()),
                    _ => {}
                }
            }
            (Said::Fate(asked), 1) => soon(&**asked),
            (Said::Became(became), 1) => soon(&**became),
            _ => {}
        }
    }

    fn look_for(&self, ask: &Ask, step: u32) {
        let Some(key) = ask.operation.entry() else { return };
        let store = &self.protocol().store;
        if step == 1 {
            soon_if(store.near(key))
        } else if !matches!(ask.operation, Operation::Create(..)) {
            soon_if(store.row_near(key))
        }
    }

    fn look_for_past(&self, client: u32, step: u32) {
        let store = &self.protocol().store;
        match step {
            1 => soon_if(store.past_near(client)),
            _ => soon_if(store.past_row_near(client)),
        }
    }
}
