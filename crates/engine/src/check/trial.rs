//! Actions of a handler on trial: none is final yet.
use crate::{
    Model, Timer,
    commit::Records,
    cx::Backend,
    exclusive::Exclusive,
    pending::{Entry, Pending},
};
use rewind::{Digest, Hasher};
use std::collections::VecDeque;

pub(super) struct Trial<M: Model> {
    pub(super) pending: Pending<M::Event>,
    /// Keys of messages whose payloads are in the slab already.
    sent: Vec<Entry>,
    pub(super) records: Records<M::Record>,
    cancelled: Vec<Timer>,
    /// Timers that the handler tried to cancel, and whether they were live.
    tried: Vec<(u64, bool)>,
    /// The end that this event requested \[ns\].
    pub(super) stop: u64,
    /// Results of `timer` and `cancel`; a replay gets the same.
    answers: Vec<u64>,
    script: Option<VecDeque<u64>>,
}

impl<M: Model> Trial<M> {
    pub(super) fn new(pending: Pending<M::Event>) -> Self {
        Trial {
            pending,
            sent: vec![],
            records: Records::new(),
            cancelled: vec![],
            tried: vec![],
            stop: u64::MAX,
            answers: vec![],
            script: None,
        }
    }

    pub(super) fn fingerprint(&self) -> u128 {
        let mut h = Hasher::new(self.sent.len() as u64, self.records.iter().count() as u64);
        for e in &self.sent {
            (e.t, e.tie, e.dst).digest(&mut h);
            self.pending.payload(e).digest(&mut h)
        }
        self.records.iter().for_each(|r| r.digest(&mut h));
        self.tried.iter().for_each(|t| t.digest(&mut h));
        self.stop.digest(&mut h);
        h.finish()
    }

    pub(super) fn undo(&mut self) {
        self.cancelled.drain(..).for_each(|timer| self.pending.revive(timer));
        self.sent.drain(..).for_each(|e| self.pending.discard(&e));
        self.records.clear();
        self.clear()
    }

    /// Makes messages and cancellations final; the caller takes the records. Returns the answers
    /// for replays.
    pub(super) fn accept(&mut self) -> Vec<u64> {
        self.cancelled.drain(..).for_each(|timer| self.pending.bury(timer));
        self.sent.drain(..).for_each(|e| self.pending.enter(e));
        let answers = std::mem::take(&mut self.answers);
        self.clear();
        answers
    }

    fn clear(&mut self) {
        self.tried.clear();
        self.answers.clear();
        (self.stop, self.script) = (u64::MAX, None)
    }

    /// The next event is a replay with these answers.
    pub(super) fn script(&mut self, answers: &[u64]) {
        self.script = Some(answers.iter().copied().collect())
    }

    fn cancel(&mut self, timer: Timer) -> bool {
        let live = match &mut self.script {
            Some(script) => script.pop_front() == Some(1),
            None => {
                let live = self.pending.stun(timer);
                if live {
                    self.cancelled.push(timer)
                }
                self.answers.push(live as u64);
                live
            }
        };
        self.tried.push((timer.tie, live));
        live
    }

    fn timer(&mut self, mut entry: Entry, event: M::Event) -> u32 {
        let Some(script) = &mut self.script else {
            let entry = self.pending.hold_timer(entry.t, entry.tie, entry.dst, event);
            self.answers.push(entry.place() as u64);
            self.sent.push(entry);
            return entry.place();
        };
        let answer = script.pop_front();
        entry.slot = self.pending.hold(event);
        self.sent.push(entry);
        // None: the replay makes more calls than the first run, which the fingerprint shows.
        u32::try_from(answer.unwrap_or_default()).unwrap_or(u32::MAX)
    }
}

impl<M: Model> Backend<M> for Exclusive<Trial<M>> {
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event) {
        self.with(|d| {
            let slot = d.pending.hold(event);
            d.sent.push(Entry { t, tie, dst: to, slot })
        })
    }
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32 {
        self.with(|d| d.timer(Entry { t, tie, dst: me, slot: 0 }, event))
    }
    fn cancel(&self, _: u32, timer: Timer) -> bool {
        self.with(|d| d.cancel(timer))
    }
    fn record(&self, record: M::Record) {
        self.with(|d| d.records.push(record))
    }
    fn stop(&self, at: u64) {
        self.with(|d| d.stop = d.stop.min(at))
    }
}
