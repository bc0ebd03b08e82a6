//! One event after the other, in the total order. Nothing is journalled.
use crate::{Message, Model, Nanos, Stamp, World, context::prefetch, world::commit};

pub(crate) fn run<M: Model>(
    world: &mut World<M>,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> (u64, u128)
where
    M::Event: Message<Out = M::Event>,
{
    let World { lps, queue, cx, .. } = world;
    let (mut n, mut hash) = (0, 0u128);
    loop {
        let (slab, states) = (&cx.deeds.get_mut().events, &lps[..]);
        let Some(e) = queue.pop(|q| {
            for s in q.soon() {
                prefetch(states, s.dst as usize);
                slab.prefetch(s.place())
            }
        }) else {
            break;
        };
        let deeds = cx.deeds.get_mut();
        if e.t >= deeds.stop.0 {
            break;
        }
        let event = unsafe {
            std::mem::ManuallyDrop::new(std::ptr::read(
                deeds.events.get(e.place()) as *const M::Event
            ))
        };
        let slot_ = e.place();
        if e.is_timer() && std::mem::take(&mut deeds.timers[e.place() as usize]) != e.tie {
            continue;
        }
        let lp = unsafe { lps.get_unchecked_mut(e.dst as usize) };
        (cx.now, cx.me, cx.tie) = (Nanos(e.t), e.dst, e.tie);
        cx.draws.set(0);
        cx.seq.set(lp.tie);
        lp.state.handle(&event, cx);
        cx.deeds.get_mut().events.give(slot_);
        lp.tie = cx.seq.get();
        let deeds = cx.deeds.get_mut();
        for i in 0..deeds.few_len {
            queue.push(deeds.few[i])
        }
        deeds.few_len = 0;
        if !deeds.more.is_empty() {
            for e in deeds.more.drain(..) {
                queue.push(e)
            }
        }

        hash = hash.wrapping_add(commit(deeds, &e, &event, sink));
        n += 1;
    }
    (n, hash)
}
