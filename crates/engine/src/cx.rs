//! The context behind every model. It checks and numbers the actions of a handler and passes them
//! to the scheduler, a `Backend`.
use crate::{
    Context, Delay, Draw, Link, Lp, Message, Model, Recorder, Says, Timer, Topology,
    livelock::{Chain, Livelock},
    watchdog::{Heartbeat, Heartbeats},
};
use rewind::Shared;
use std::{cell::Cell, sync::Arc};
use units::Nanos;

/// A scheduler's treatment of a handler's actions. Times and keys are final here.
pub(crate) trait Backend<M: Model> {
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event);
    /// Returns the slot of the timer's payload.
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32;
    fn cancel(&self, me: u32, timer: Timer) -> bool;
    fn record(&self, record: M::Record);
    fn stop(&self, at: u64);
    /// A call that sends nothing; a handler that never returns may make many of them.
    #[inline(always)]
    fn called(&self) {}
    /// The event extended its LP's chain of zero-delay events. The argument is the chain before.
    fn chained(&self, _: Chain) {}
}

/// The event being handled, and the constants of the run.
pub(crate) struct Frame {
    pub(crate) now: u64,
    pub(crate) me: u32,
    /// Second half of the event's key.
    pub(crate) tie: u64,
    /// Key of the last message that this LP sent.
    pub(crate) sent: Cell<u64>,
    /// Offset of the handler's next random stream.
    pub(crate) draws: Cell<u64>,
    /// The run's seed after `mix`.
    pub(crate) seed: u64,
    /// Events at or after it are dropped \[ns\].
    pub(crate) horizon: u64,
    pub(crate) lps: u32,
    pub(crate) topology: Shared<Topology>,
    /// Bits of the sequence number in a key.
    pub(crate) shift: u32,
    /// Least delay between any two LPs \[ns\]; 0 if it varies.
    pub(crate) uniform: u64,
    /// The event in progress for the watchdog, of this thread and of all threads.
    pub(crate) heartbeat: Arc<Heartbeat>,
    pub(crate) heartbeats: Heartbeats,
    pub(crate) livelock: Livelock,
}

impl Frame {
    pub(crate) fn fork(&self) -> Frame {
        let (sent, draws) = (Cell::new(0), Cell::new(0));
        let (heartbeats, livelock) = (self.heartbeats.clone(), self.livelock.clone());
        let (heartbeat, topology) = (heartbeats.add(), self.topology.clone());
        Frame { sent, draws, topology, heartbeat, heartbeats, livelock, ..*self }
    }

    /// Begins an event of LP `me`; `sent` is the key of its last message.
    #[inline(always)]
    pub(crate) fn enter(&mut self, now: u64, tie: u64, me: u32, sent: u64) {
        (self.now, self.tie, self.me) = (now, tie, me);
        self.heartbeat.beat(now, me);
        self.sent.set(sent);
        self.draws.set(0)
    }

    /// Checks that this LP set the timer: the key contains its rank.
    ///
    /// # Panics
    /// If another LP set it; that LP may be on another thread.
    #[inline(always)]
    fn check_own(&self, timer: Timer) {
        if (timer.tie ^ self.sent.get()) >> self.shift != 0 {
            self.refuse_timer()
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_timer(&self) -> ! {
        let (me, now) = (self.me, self.now);
        panic!(
            "LP {me} at {now} ns cancels a timer of another LP: only its owner can; send the owner \
             a message"
        )
    }

    #[inline(always)]
    fn next_tie(&self) -> u64 {
        let tie = self.sent.get() + 1;
        self.sent.set(tie);
        tie
    }

    /// Least delay of a message to `to` \[ns\].
    #[inline(always)]
    fn bound(&self, to: u32) -> u64 {
        if self.uniform != 0 { self.uniform } else { self.bound_in_tree(to) }
    }

    #[inline(never)]
    fn bound_in_tree(&self, to: u32) -> u64 {
        if to >= self.lps {
            self.refuse(to, Nanos::ZERO)
        }
        self.topology.bound(self.me, to).0
    }

    #[cold]
    #[inline(never)]
    fn refuse(&self, to: u32, delay: Nanos) -> ! {
        let (me, now) = (self.me, self.now);
        if to >= self.lps {
            panic!("LP {me} at {now} ns sends to LP {to}, which does not exist")
        }
        panic!(
            "LP {me} at {now} ns sends to LP {to} with a delay of {} ns, less than the topology's \
             bound of {} ns: use the delay of cx.link(receiver)",
            delay.0,
            self.topology.bound(me, to).0
        )
    }
}

pub(crate) struct Cx<B> {
    pub(crate) frame: Frame,
    pub(crate) backend: B,
}

/// The context as a model sees it. `M` is in the type, so that each model has one context.
pub(crate) struct View<'a, M, B>(pub(crate) &'a Cx<B>, pub(crate) std::marker::PhantomData<fn(M)>);

impl<'a, M, B> View<'a, M, B> {
    #[inline(always)]
    pub(crate) fn new(cx: &'a Cx<B>) -> Self {
        View(cx, std::marker::PhantomData)
    }
}

impl<M: Model, B: Backend<M>> View<'_, M, B> {
    /// Due time of an event to this LP itself \[ns\].
    #[inline(always)]
    fn soon(&self, delay: Nanos) -> u64 {
        let Cx { frame, backend } = self.0;
        if delay == Nanos::ZERO {
            backend.chained(frame.livelock.note(frame.me, frame.now, frame.sent.get()))
        }
        frame.now.saturating_add(delay.0.max(1))
    }
}

impl<M: Model, B: Backend<M>> Recorder<M::Record> for View<'_, M, B> {
    #[inline(always)]
    fn now(&self) -> Nanos {
        Nanos(self.0.frame.now)
    }
    #[inline(always)]
    fn record(&self, record: M::Record) {
        self.0.backend.record(record)
    }
}

impl<M: Model, B: Backend<M>> Context<M::Event, M::Record> for View<'_, M, B>
where
    M::Event: Message<Out = M::Event>,
{
    #[inline(always)]
    fn me(&self) -> Lp<M::Event> {
        Lp::new(self.0.frame.me)
    }
    #[inline(always)]
    fn link<T>(&self, to: Lp<T>) -> Link {
        self.0.backend.called();
        Link(Nanos(self.0.frame.bound(to.id())))
    }
    #[inline(always)]
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        M::Event: Says<T>,
    {
        let (frame, to, delay) = (&self.0.frame, to.id(), delay.0);
        if to >= frame.lps || delay.0 < frame.bound(to) {
            frame.refuse(to, delay)
        }
        let at = frame.now.saturating_add(delay.0);
        let tie = frame.next_tie();
        // A message beyond the end is numbered, so that keys do not depend on the horizon, and
        // dropped.
        match at < frame.horizon {
            true => self.0.backend.send(at, tie, to, M::Event::say(message)),
            false => self.0.backend.called(),
        }
    }
    #[inline(always)]
    fn after(&self, delay: Nanos, event: M::Event) {
        let frame = &self.0.frame;
        let at = self.soon(delay);
        let tie = frame.next_tie();
        match at < frame.horizon {
            true => self.0.backend.send(at, tie, frame.me, event),
            false => self.0.backend.called(),
        }
    }
    fn timer(&self, delay: Nanos, event: M::Event) -> Timer {
        let frame = &self.0.frame;
        let at = self.soon(delay);
        let tie = frame.next_tie();
        Timer { tie, slot: self.0.backend.timer(at, tie, frame.me, event) }
    }
    fn cancel(&self, timer: Timer) -> bool {
        self.0.frame.check_own(timer);
        self.0.backend.cancel(self.0.frame.me, timer)
    }
    #[inline(always)]
    fn random(&self) -> Draw {
        let Cx { frame, backend } = self.0;
        backend.called();
        let offset = frame.draws.get();
        frame.draws.set(offset.wrapping_add(Draw::APART));
        Draw::of_event(frame.seed, frame.now, frame.tie, offset)
    }
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw {
        self.0.backend.called();
        Draw::keyed(self.0.frame.seed, purpose, entity, n)
    }
    fn stop(&self, at: Nanos) {
        let frame = &self.0.frame;
        let soonest = frame.now.saturating_add(frame.topology.most_from(frame.me).0);
        assert!(
            at.0 >= soonest,
            "LP {} at {} ns stops the run at {} ns: expected at least {soonest} ns, since other \
             LPs may have advanced to there",
            frame.me,
            frame.now,
            at.0
        );
        self.0.backend.stop(at.0)
    }
}
