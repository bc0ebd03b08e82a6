//! What an author implements, and what a handler may do.
use crate::{Delay, Draw, Link, Lp, Message, Says, Timer, pending::slab::prefetch_start};
use rewind::Rewind;
use units::Nanos;

/// One kind of logical process: state, and what it does with an event.
pub trait Model: Rewind<Mark: Send> + Send + Sized {
    /// The vocabulary: what it hears, and what it and its like say to one another.
    type Event: Message;
    /// What it reports.
    type Record: Message;
    /// Forward code only: whatever it changes in `self` can be rewound, whatever it does to the
    /// world goes by `cx`.
    fn handle(&mut self, event: &Self::Event, cx: &impl Context<Self::Event, Self::Record>);
    /// A hint: the event comes soon. Asks by [`prefetch`](crate::prefetch) for memory that `handle`
    /// will look at, and changes nothing.
    ///
    /// It is called for some events, for each with `step` = 0, 1, ... below [`FORESIGHT`], and for
    /// others between two of them. The LP's own cache line is there at the first step, and what was
    /// asked for at one step is at the next: so one goes a pointer further at each. A `Box` is one.
    #[inline(always)]
    fn foresee(&self, _event: &Self::Event, _step: u32) {}
    /// Once, after the end, in the order of ids.
    fn finish(&self, _cx: &impl Recorder<Self::Record>) {}
}

/// How many pointers a model may look ahead along: see [`Model::foresee`].
pub const FORESIGHT: u32 = 3;

/// What may be done after the end, too.
pub trait Recorder<R> {
    /// The present \[ns\].
    fn now(&self) -> Nanos;
    /// Reports; withheld until the event is committed.
    fn record(&self, record: R);
}

/// All that a handler may do to the world. `&self`, so that `cx.send(x, d, cx.random()…)` borrows.
pub trait Context<E: Message, R>: Recorder<R> {
    /// The address of the LP that handles the event.
    fn me(&self) -> Lp<E>;
    /// The way from here to there, as the topology knows it.
    fn link<T>(&self, to: Lp<T>) -> Link;
    /// To another LP: own vocabulary, or an interface that the vocabulary `sends(..)`.
    ///
    /// # Panics
    /// Where the delay is below the bound of the topology (a delay made of another way's link).
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        E: Says<T>;
    /// Sends a message that is under way as long as the link says, and no longer.
    #[inline(always)]
    fn tell<T>(&self, to: Lp<T>, message: T)
    where
        E: Says<T>,
    {
        self.send(to, Delay::link(self.link(to)), message)
    }
    /// To oneself; 0 is rounded up to 1 ns.
    fn after(&self, delay: Nanos, event: E);
    /// To oneself, cancellable.
    fn timer(&self, delay: Nanos, event: E) -> Timer;
    /// Whether it was still to come; then it will not. O(1).
    ///
    /// # Panics
    /// Where another LP has set it.
    fn cancel(&self, timer: Timer) -> bool;
    /// A stream keyed by this event: another at each call.
    fn random(&self) -> Draw;
    /// A stream keyed by the run's seed and these: the same whatever a policy or a setting changes.
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw;
    /// Ends the run at `at`, or sooner if another says so: events at `at` are no longer run.
    ///
    /// # Panics
    /// Before now + the bound of the longest way from here: others could have gone further
    /// already.
    fn stop(&self, at: Nanos);
}

impl<M: Model> Model for Box<M> {
    type Event = M::Event;
    type Record = M::Record;
    fn handle(&mut self, event: &M::Event, cx: &impl Context<M::Event, M::Record>) {
        (**self).handle(event, cx)
    }
    #[inline(always)]
    fn foresee(&self, event: &M::Event, step: u32) {
        match step.checked_sub(1) {
            None => prefetch_start(&**self),
            Some(step) => (**self).foresee(event, step),
        }
    }
    fn finish(&self, cx: &impl Recorder<M::Record>) {
        (**self).finish(cx)
    }
}
