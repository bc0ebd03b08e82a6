use crate::{Delay, Draw, Link, Lp, Nanos, Timer};
use rewind::{Digest, Rewind};
use std::marker::PhantomData;

/// One kind of logical process: state, and what it does with an event.
pub trait Model: Rewind + Sized {
    /// The vocabulary: what it hears, and what it and its like say to one another.
    type Event: Message;
    type Record: Message;
    fn handle(&mut self, event: &Self::Event, cx: &impl Context<Self::Event, Self::Record>);
    /// Once, after the end, in the order of ids.
    fn finish(&self, _cx: &impl Recorder<Self::Record>) {}
}

pub trait Recorder<R> {
    fn now(&self) -> Nanos;
    fn record(&self, record: R);
}

/// All that a handler may do to the world. `&self`, so that `cx.send(x, d, cx.random()…)` borrows.
pub trait Context<E: Message, R>: Recorder<R> {
    fn me(&self) -> Lp<E>;
    /// To another LP: own vocabulary, or an interface that the vocabulary `sends(..)`.
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        E: Says<T>;
    /// The way from here to there, as the topology knows it.
    fn link<T>(&self, to: Lp<T>) -> Link;
    /// To oneself; 0 is rounded up to 1 ns.
    fn after(&self, delay: Nanos, event: E);
    /// To oneself, cancellable.
    fn timer(&self, delay: Nanos, event: E) -> Timer;
    /// Whether it was still to come.
    fn cancel(&self, timer: Timer) -> bool;
    /// Keyed by this event: another at each call.
    fn random(&self) -> Draw;
    /// The same whatever the policy does: the n-th draw for a purpose and an entity.
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw;
    /// Ends the run at `at`.
    fn stop(&self, at: Nanos);
}

/// An event, a record, an interface message: plain data. Use `#[derive(Message)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message",
    note = "put #[derive(Message)] on it (it brings Clone, Debug and PartialEq)"
)]
pub trait Message: Clone + PartialEq + std::fmt::Debug + Digest {
    #[doc(hidden)]
    type Out;
}
impl Message for () {
    type Out = ();
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say that its LPs send `{T}`",
    label = "not in the vocabulary",
    note = "add #[message(sends({T}))] to `{Self}`"
)]
pub trait Says<T>: Message {
    #[doc(hidden)]
    fn say(message: T) -> Self::Out;
}
/// Never made. A second implementor of `Says` and `Hears` for every vocabulary: with only one, rustc would infer it and
/// say "mismatched types" in place of our words.
pub enum Nothing {}
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hear `{T}`",
    label = "no such port",
    note = "give `{Self}` a variant `#[from] Name({T})`"
)]
pub trait Hears<T>: Sized {
    #[doc(hidden)]
    fn hear(message: T) -> Self;
}
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry `{T}`: no kind of LP in this system hears it",
    note = "in the enum with #[derive(System)], put #[hears({T})] on the kind that answers it"
)]
pub trait Carries<T> {
    #[doc(hidden)]
    fn carry(message: T) -> Self;
}
impl Carries<()> for () {
    fn carry(_: ()) {}
}
#[doc(hidden)]
pub trait Lift<O> {
    fn lift(self) -> O;
}

impl<M: Model> Model for Box<M> {
    type Event = M::Event;
    type Record = M::Record;
    fn handle(&mut self, event: &M::Event, cx: &impl Context<M::Event, M::Record>) {
        (**self).handle(event, cx)
    }
    fn finish(&self, cx: &impl Recorder<M::Record>) {
        (**self).finish(cx)
    }
}

/// A submodel's view of the context of the system around it. Compiles to nothing.
#[doc(hidden)]
pub struct Lifted<'a, C, OE, OR>(&'a C, PhantomData<fn(OE, OR)>);
impl<'a, C, OE, OR> Lifted<'a, C, OE, OR> {
    #[inline(always)]
    pub fn new(cx: &'a C) -> Self {
        Lifted(cx, PhantomData)
    }
}
impl<C: Recorder<OR>, OE, OR: Carries<R>, R> Recorder<R> for Lifted<'_, C, OE, OR> {
    fn now(&self) -> Nanos {
        self.0.now()
    }
    fn record(&self, record: R) {
        self.0.record(OR::carry(record))
    }
}
impl<C, OE, OR, E, R> Context<E, R> for Lifted<'_, C, OE, OR>
where
    C: Context<OE, OR>,
    OE: Message + Says<OE> + Carries<E>,
    OR: Carries<R>,
    E: Message<Out: Lift<OE>>,
{
    fn me(&self) -> Lp<E> {
        Lp::new(self.0.me().id())
    }
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        E: Says<T>,
    {
        self.0.send(Lp::<OE>::new(to.id()), delay, E::say(message).lift())
    }
    fn link<T>(&self, to: Lp<T>) -> Link {
        self.0.link(to)
    }
    fn after(&self, delay: Nanos, event: E) {
        self.0.after(delay, OE::carry(event))
    }
    fn timer(&self, delay: Nanos, event: E) -> Timer {
        self.0.timer(delay, OE::carry(event))
    }
    fn cancel(&self, timer: Timer) -> bool {
        self.0.cancel(timer)
    }
    fn random(&self) -> Draw {
        self.0.random()
    }
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw {
        self.0.draw(purpose, entity, n)
    }
    fn stop(&self, at: Nanos) {
        self.0.stop(at)
    }
}
