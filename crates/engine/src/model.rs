//! The trait of a model, and the context of its handlers.
use crate::{Delay, Draw, Link, Lp, Message, Says, Timer, pending::slab::prefetch_start};
use rewind::Rewind;
use units::Nanos;

/// One kind of logical process: its state and its event handler.
pub trait Model: Rewind<Mark: Send> + Send + Sized {
    /// The vocabulary: messages that it handles, and messages between its own LPs.
    type Event: Message;
    /// Records that its handlers write.
    type Record: Message;
    /// Handles an event. Changes of `self` can be rolled back; all other effects go through `cx`.
    fn handle(&mut self, event: &Self::Event, cx: &impl Context<Self::Event, Self::Record>);
    /// A hint that the event is due soon. It requests memory that `handle` will read with
    /// [`prefetch`](crate::prefetch), and changes nothing.
    ///
    /// The engine calls it for some events only: with `step` = 0, 1, … below [`FORESIGHT`], and for
    /// other events between two steps. The LP's own cache line is present at step 0. Memory
    /// requested at one step is present at the next, so each step can follow one more pointer. A
    /// `Box` is a pointer.
    #[inline(always)]
    fn foresee(&self, _event: &Self::Event, _step: u32) {}
    /// Called once after the end, in the order of LP ids.
    fn finish(&self, _cx: &impl Recorder<Self::Record>) {}
}

/// Number of steps of [`Model::foresee`]: pointers that it can follow.
pub const FORESIGHT: u32 = 3;

/// Actions of handlers and of [`Model::finish`].
pub trait Recorder<R> {
    /// Simulated time; in `finish`, the end of the run.
    fn now(&self) -> Nanos;
    /// Writes a record; it is withheld until the event is committed.
    fn record(&self, record: R);
}

/// All effects of a handler. Methods take `&self`, so that `cx.send(x, d, cx.random()…)` borrows.
pub trait Context<E: Message, R>: Recorder<R> {
    /// The address of the LP that handles the event.
    fn me(&self) -> Lp<E>;
    /// The link to another LP, with the topology's least delay.
    fn link<T>(&self, to: Lp<T>) -> Link;
    /// Sends to another LP: a message of the own vocabulary, or of an interface that it
    /// `sends(..)`.
    ///
    /// # Panics
    /// If the delay is below the bound of the topology (a delay of another link), or there is no
    /// such LP.
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        E: Says<T>;
    /// Sends a message with the least delay of the link.
    #[inline(always)]
    fn notify<T>(&self, to: Lp<T>, message: T)
    where
        E: Says<T>,
    {
        self.send(to, Delay::link(self.link(to)), message)
    }
    /// Sends an event to this LP itself; a delay of 0 becomes 1 ns.
    fn after(&self, delay: Nanos, event: E);
    /// As [`after`](Self::after), and cancellable.
    fn timer(&self, delay: Nanos, event: E) -> Timer;
    /// Cancels a timer in O(1). Returns whether it was still pending.
    ///
    /// # Panics
    /// If another LP set the timer.
    fn cancel(&self, timer: Timer) -> bool;
    /// A random stream keyed by this event; each call returns another one.
    fn random(&self) -> Draw;
    /// A random stream keyed by the run's seed and the arguments. Policies and settings do not
    /// change it.
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw;
    /// Ends the run at `at`, or at the earliest of several calls. Events at `at` are not run.
    ///
    /// # Panics
    /// If `at` is before now + the largest bound of this LP: other LPs may be that far ahead.
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
