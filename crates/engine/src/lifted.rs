//! Adapts the context of a system to a submodel's vocabulary.
use crate::{Carries, Context, Delay, Draw, Lift, Link, Lp, Message, Recorder, Says, Timer};
use std::marker::PhantomData;
use units::Nanos;

/// Wraps a submodel's events and records into those of the system. Compiles to nothing.
#[doc(hidden)]
pub struct WrappedContext<'a, C, OE, OR>(&'a C, PhantomData<fn(OE, OR)>);

impl<'a, C, OE, OR> WrappedContext<'a, C, OE, OR> {
    #[inline(always)]
    pub fn new(cx: &'a C) -> Self {
        WrappedContext(cx, PhantomData)
    }
}

impl<C: Recorder<OR>, OE, OR: Carries<R>, R> Recorder<R> for WrappedContext<'_, C, OE, OR> {
    #[inline(always)]
    fn now(&self) -> Nanos {
        self.0.now()
    }
    #[inline(always)]
    fn record(&self, record: R) {
        self.0.record(OR::carry(record))
    }
}

impl<C, OE, OR, E, R> Context<E, R> for WrappedContext<'_, C, OE, OR>
where
    C: Context<OE, OR>,
    OE: Message + Says<OE> + Carries<E>,
    OR: Carries<R>,
    E: Message<Out: Lift<OE>>,
{
    #[inline(always)]
    fn me(&self) -> Lp<E> {
        Lp::new(self.0.me().id())
    }
    #[inline(always)]
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        E: Says<T>,
    {
        self.0.send(Lp::<OE>::new(to.id()), delay, E::say(message).lift())
    }
    #[inline(always)]
    fn link<T>(&self, to: Lp<T>) -> Link {
        self.0.link(to)
    }
    #[inline(always)]
    fn after(&self, delay: Nanos, event: E) {
        self.0.after(delay, OE::carry(event))
    }
    fn timer(&self, delay: Nanos, event: E) -> Timer {
        self.0.timer(delay, OE::carry(event))
    }
    fn cancel(&self, timer: Timer) -> bool {
        self.0.cancel(timer)
    }
    #[inline(always)]
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
