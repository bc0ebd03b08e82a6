//! Rollback check: every event is run, undone and run again; `depth` events are undone and replayed now and then.
use crate::{
    Message, Model, Nanos, Stamp, World,
    context::{Cx, Deeds},
    pending::Entry,
    world::commit,
};
use rewind::{Digest, Hasher};
use std::collections::VecDeque;

type Parts = Vec<(&'static str, u128)>;
struct Past<M: Model> {
    entry: Entry,
    event: M::Event,
    seq: u64,
    mark: M::Mark,
    before: Parts,
    deeds: u128,
    answers: Vec<u64>,
}

pub(crate) fn run<M: Model>(
    world: &mut World<M>,
    depth: usize,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> (u64, u128)
where
    M::Event: Message<Out = M::Event>,
{
    let World { lps, queue, cx, .. } = world;
    let (mut n, mut hash) = (0, 0u128);
    let mut pasts: Vec<VecDeque<Past<M>>> = lps
        .iter_mut()
        .map(|lp| {
            lp.state.journal(Some(0));
            VecDeque::new()
        })
        .collect();
    while let Some(e) = queue.pop(|_| ()) {
        let deeds = cx.deeds.get_mut();
        if e.t >= deeds.stop.0 {
            break;
        }
        let event = unsafe { deeds.events.take(e.place()) };
        if e.is_timer() && std::mem::take(&mut deeds.timers[e.place() as usize]) != e.tie {
            continue;
        }
        let lp = &mut lps[e.dst as usize];
        let (stop, seq, before, mark) = (deeds.stop, lp.tie, parts(&lp.state), lp.state.mark());
        step(cx, &mut lp.state, &e, &event, seq);
        let (first, once) = (fingerprint(cx.deeds.get_mut()), parts(&lp.state));
        lp.state.rewind(&mark);
        compare(&before, &parts(&lp.state), &e, &event, "was not restored by rewinding");
        undo(cx.deeds.get_mut(), stop);
        step(cx, &mut lp.state, &e, &event, seq);
        compare(&once, &parts(&lp.state), &e, &event, "differs when the event is run again");
        assert_eq!(
            first,
            fingerprint(cx.deeds.get_mut()),
            "what is sent or recorded differs when {event:?} is run again: LP {} at {}",
            e.dst,
            e.t
        );
        lp.tie = cx.seq.get();
        let deeds = cx.deeds.get_mut();
        deeds.stop = deeds.stop.min(stop);
        let answers = std::mem::take(&mut deeds.answers);
        deeds.few[..deeds.few_len].iter().chain(&deeds.more).for_each(|e| queue.push(*e));
        (deeds.few_len, n) = (0, n + 1);
        deeds.more.clear();
        deeds.cancelled.clear();
        hash = hash.wrapping_add(commit(deeds, &e, &event, sink));
        let past = &mut pasts[e.dst as usize];
        past.push_back(Past { entry: e, event, seq, mark, before, deeds: first, answers });
        if past.len() == depth {
            replay(cx, &mut lp.state, past);
            past.drain(..depth / 2);
            match past.front() {
                Some(p) => lp.state.commit(&p.mark),
                None => {
                    let now = lp.state.mark();
                    lp.state.commit(&now)
                }
            }
        }
    }
    (n, hash)
}

fn step<M: Model>(cx: &mut Cx<M>, state: &mut M, e: &Entry, event: &M::Event, seq: u64)
where
    M::Event: Message<Out = M::Event>,
{
    (cx.now, cx.me, cx.tie) = (Nanos(e.t), e.dst, e.tie);
    cx.draws.set(0);
    cx.seq.set(seq);
    cx.deeds.get_mut().stop = Nanos::MAX;
    state.handle(event, cx)
}

/// Back to the oldest mark in one go, then silently forward: what leaves is compared and dropped.
fn replay<M: Model>(cx: &mut Cx<M>, state: &mut M, past: &mut VecDeque<Past<M>>)
where
    M::Event: Message<Out = M::Event>,
{
    let now = parts(state);
    let last = past.back().map(|p| (p.entry, p.event.clone())).expect("a past");
    state.rewind(&past[0].mark);
    for p in past.iter_mut() {
        compare(
            &p.before,
            &parts(state),
            &p.entry,
            &p.event,
            "was not restored by rewinding many events",
        );
        p.mark = state.mark();
        let stop = cx.deeds.get_mut().stop;
        cx.deeds.get_mut().script = Some(p.answers.iter().copied().collect());
        step(cx, state, &p.entry, &p.event, p.seq);
        let deeds = cx.deeds.get_mut();
        deeds.script = None;
        assert_eq!(
            fingerprint(deeds),
            p.deeds,
            "what is sent or recorded differs when {:?} is replayed",
            p.event
        );
        undo(deeds, stop);
    }
    compare(&now, &parts(state), &last.0, &last.1, "differs after a replay")
}

fn parts<M: Model>(state: &M) -> Parts {
    let mut all = vec![];
    state.parts(&mut |name, digest| all.push((name, digest)));
    all
}

fn compare<E: Message>(want: &Parts, have: &Parts, e: &Entry, event: &E, what: &str) {
    for (w, h) in want.iter().zip(have) {
        assert!(w == h, "field `{}` of LP {} {what}: event {event:?} at {}", w.0, e.dst, e.t)
    }
}

fn fingerprint<M: Model>(deeds: &mut Deeds<M>) -> u128 {
    let mut h = Hasher::new(0, 0);
    for e in deeds.few[..deeds.few_len].iter().chain(&deeds.more) {
        (e.t, e.tie, e.dst as u64).digest(&mut h);
        unsafe { deeds.events.get(e.place()) }.digest(&mut h)
    }
    for r in &deeds.records {
        r.digest(&mut h)
    }
    deeds.stop.digest(&mut h);
    h.finish()
}

fn undo<M: Model>(deeds: &mut Deeds<M>, stop: Nanos) {
    for e in deeds.few[..deeds.few_len].iter().chain(&deeds.more) {
        drop(unsafe { deeds.events.take(e.place()) });
        if e.is_timer() && deeds.timers.get(e.place() as usize) == Some(&e.tie) {
            deeds.timers[e.place() as usize] = 0
        }
    }
    for t in deeds.cancelled.drain(..) {
        deeds.timers[t.slot as usize] = t.tie
    }
    (deeds.few_len, deeds.stop) = (0, stop);
    deeds.more.clear();
    deeds.records.clear();
    deeds.answers.clear()
}
