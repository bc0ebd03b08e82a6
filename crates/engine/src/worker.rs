//! One thread's share of a run: its events in the total order.
//!
//! A sequential run has one worker. The conservative scheduler has several, and each stops at its
//! safe time. All actions of a handler are final, so nothing is journalled.
use crate::{
    Message, Model, Stamp, Timer,
    commit::{Records, commit},
    cx::{Backend, Cx, Frame},
    exclusive::Exclusive,
    model::FORESIGHT,
    outcome::Tally,
    parallel::slots::Slots,
    pending::{Entry, Pending, slab::Slab},
    rank::Ranks,
    step::step_lp,
};

/// Routes messages to LPs of other threads.
pub(crate) trait Post<E> {
    fn is_here(&self, lp: u32) -> bool;
    fn send(&mut self, t: u64, tie: u64, to: u32, event: E);
}

/// All LPs belong to this worker.
pub(crate) struct SingleThread;

impl<E> Post<E> for SingleThread {
    #[inline(always)]
    fn is_here(&self, _: u32) -> bool {
        true
    }
    fn send(&mut self, _: u64, _: u64, _: u32, _: E) {
        unreachable!("all LPs are here")
    }
}

/// Receives the actions of handlers.
pub(crate) struct WorkerActions<M: Model, P> {
    pub(crate) pending: Pending<M::Event>,
    records: Records<M::Record>,
    /// The end as known so far \[ns\].
    pub(crate) stop: u64,
    pub(crate) post: P,
}

type WorkerBackend<M, P> = Exclusive<WorkerActions<M, P>>;

impl<M: Model, P: Post<M::Event>> Backend<M> for WorkerBackend<M, P> {
    #[inline(always)]
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event) {
        self.with(|d| match d.post.is_here(to) {
            true => d.pending.push(t, tie, to, event),
            false => d.post.send(t, tie, to, event),
        })
    }
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32 {
        self.with(|d| {
            let entry = d.pending.hold_timer(t, tie, me, event);
            d.pending.enter(entry);
            entry.place()
        })
    }
    fn cancel(&self, _: u32, timer: Timer) -> bool {
        self.with(|d| {
            let timer = d.pending.find(timer);
            let live = d.pending.stun(timer);
            if live {
                d.pending.bury(timer)
            }
            live
        })
    }
    #[inline(always)]
    fn record(&self, record: M::Record) {
        self.with(|d| d.records.push(record))
    }
    fn stop(&self, at: u64) {
        self.with(|d| d.stop = d.stop.min(at))
    }
}

pub(crate) struct Worker<'a, M: Model, P: Post<M::Event>> {
    cx: Cx<WorkerBackend<M, P>>,
    lps: Slots<'a, M>,
    ranks: Ranks,
    pub(crate) tally: Tally,
    /// Key of the last event that began.
    last: u128,
}

impl<'a, M: Model, P: Post<M::Event>> Worker<'a, M, P>
where
    M::Event: Message<Out = M::Event>,
{
    pub(crate) fn new(
        frame: Frame,
        mut pending: Pending<M::Event>,
        lps: Slots<'a, M>,
        ranks: Ranks,
        post: P,
    ) -> Self {
        pending.pin();
        let actions = WorkerActions { pending, records: Records::new(), stop: frame.horizon, post };
        let cx = Cx { frame, backend: Exclusive::new(actions) };
        Worker { cx, lps, ranks, tally: Tally::default(), last: 0 }
    }

    #[inline(always)]
    pub(crate) fn actions(&mut self) -> &mut WorkerActions<M, P> {
        self.cx.backend.get_mut()
    }

    /// The remaining work, to distribute it to several workers.
    pub(crate) fn into_parts(self) -> (Frame, Pending<M::Event>, Tally) {
        let Cx { mut frame, backend } = self.cx;
        let actions = backend.into_inner();
        // Messages at or after the end are numbered and dropped, as beyond the horizon.
        frame.horizon = actions.stop;
        (frame, actions.pending, self.tally)
    }

    pub(crate) fn key(&self) -> u128 {
        self.last
    }

    /// Clears the heartbeat; also needed after a panic.
    pub(crate) fn set_idle(&self) {
        self.cx.frame.heartbeat.set_idle()
    }

    /// Handles up to `most` events before `limit` \[ns\] and the end. Returns whether there may be
    /// more.
    #[inline(always)]
    pub(crate) fn work(
        &mut self,
        limit: u64,
        most: u64,
        sink: &mut impl FnMut(Stamp, M::Record),
    ) -> bool {
        for _ in 0..most {
            let lps = &self.lps;
            let actions = self.cx.backend.get_mut();
            let limit = limit.min(actions.stop);
            let soon = |entry: &Entry, slab: &Slab<M::Event>| {
                lps.prefetch(entry.dst);
                slab.prefetch(entry.place())
            };
            let near = |pending: &Pending<M::Event>| {
                (0..FORESIGHT).for_each(|step| {
                    pending.for_near(|lp, event| {
                        if let Some(lp) = lps.peek(lp) {
                            lp.state.foresee(event, step)
                        }
                    })
                })
            };
            let next = actions.pending.pop_before(limit, soon, near);
            let Some(entry) = next else { return false };
            if entry.key() <= self.last {
                entry.refuse()
            }
            self.last = entry.key();
            // SAFETY: it is read until `release`, below, and what is sent until then leaves it
            // where it is.
            let event = unsafe { &*actions.pending.lend(&entry) };
            let lp = self.lps.get(entry.dst);
            step_lp(&mut self.cx, &self.ranks, lp, entry, event);
            let records = &mut self.cx.backend.get_mut().records;
            self.tally.hash = self.tally.hash.wrapping_add(commit(entry, event, records, sink));
            self.cx.backend.get_mut().pending.release(&entry);
            (self.tally.events, self.tally.last) = (self.tally.events + 1, entry.t)
        }
        true
    }
}
