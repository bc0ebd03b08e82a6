//! Crashes: a server loses all but its log, and restarts from that.
use super::Server;
use crate::model::message::{Event, Record};
use engine::*;
use ppmds_protocol::Server as Protocol;

impl Server {
    /// Stops the server until its restart. A server without messages since its last crash draws no
    /// other, so that an idle service ends the run.
    pub(super) fn crash(&mut self, cx: &impl Context<Event, Record>) {
        if self.received == 0 {
            return;
        }
        self.received = 0;
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
