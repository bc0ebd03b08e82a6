//! Crashes: a server loses all but its log, and comes back with what that held.
use super::Server;
use crate::model::message::{Event, Record};
use engine::*;
use ppmds_protocol::Server as Protocol;

impl Server {
    /// It stops, and starts again after a while. The next crash is drawn as long as there is
    /// anything to do: a service that nobody asks ends its run.
    pub(super) fn crash(&mut self, cx: &impl Context<Event, Record>) {
        if self.heard == 0 {
            return;
        }
        self.heard = 0;
        self.crashes += 1;
        self.start += 1;
        self.down = true;
        self.under_way.clear();
        let counted = self.protocol().counted();
        self.counted.0 += counted.transactions;
        self.counted.1 += counted.moved;
        let mut store = self.settings.first_store(self.me);
        for records in self.log.iter() {
            records.iter().for_each(|record| store.apply(record.clone()))
        }
        self.protocol.insert(0, Protocol::new(store));
        self.store.crash(&self.settings);
        cx.after(self.settings.down, Event::Restart)
    }

    pub(super) fn restart(&mut self, cx: &impl Context<Event, Record>) {
        self.down = false;
        self.came = self.came.max(cx.now());
        let mean = self.settings.server_mtbf;
        let mut draw = cx.draw("crash", u64::from(self.me), u64::from(self.crashes) + 1);
        cx.after(draw.exponential(mean), Event::Crash);
        self.work(None, cx, |protocol, rules, out| protocol.start(rules, out))
    }
}
