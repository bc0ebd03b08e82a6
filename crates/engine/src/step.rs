//! Handling of one event, common to all schedulers.
use crate::{
    Message, Model,
    commit::PanicContext,
    cx::{Backend, Cx, View},
    pending::Entry,
    population::Slot,
    rank::Ranks,
};

/// Lets a state handle an event. `sent` is the key of the LP's last message; returns the new one.
#[inline(always)]
pub(crate) fn step<M: Model, B: Backend<M>>(
    cx: &mut Cx<B>,
    state: &mut M,
    sent: u64,
    entry: Entry,
    event: &M::Event,
) -> u64
where
    M::Event: Message<Out = M::Event>,
{
    cx.frame.enter(entry.t, entry.tie, entry.dst, sent);
    let blame = PanicContext::new(entry, event);
    state.handle(event, &View::<M, _>::new(cx));
    blame.clear();
    cx.frame.sent.get()
}

/// The same for an LP, which stores the key.
#[inline(always)]
pub(crate) fn step_lp<M: Model, B: Backend<M>>(
    cx: &mut Cx<B>,
    ranks: &Ranks,
    lp: &mut Slot<M>,
    entry: Entry,
    event: &M::Event,
) where
    M::Event: Message<Out = M::Event>,
{
    let sent = step(cx, &mut lp.state, lp.sent, entry, event);
    ranks.check(lp.sent, sent, entry.dst);
    lp.sent = sent
}
