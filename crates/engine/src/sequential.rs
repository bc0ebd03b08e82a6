//! One event after the other, in the total order. Nothing is journalled.
use crate::{
    Message, Model, Progress, Stamp, Timer,
    commit::{Blame, Records, commit},
    cx::{Back, Cx, View},
    outcome::{Tally, Verdict},
    own::Own,
    pending::{Entry, Pending, slab::prefetch},
    watch::{STRIDE, Watch},
    world::{Slot, Start},
};

/// What the handlers of a sequential run write to: all of it is final at once.
struct Deeds<M: Model> {
    pending: Pending<M::Event>,
    records: Records<M::Record>,
    stop: u64,
}

type Desk<M> = Own<Deeds<M>>;

impl<M: Model> Back<M> for Desk<M> {
    #[inline(always)]
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event) {
        self.with(|d| d.pending.push(t, tie, to, event))
    }
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32 {
        self.with(|d| {
            let slot = d.pending.hold_timer(tie, event);
            d.pending.enter(Entry { t, tie, dst: me, slot: slot | Entry::TIMER });
            slot
        })
    }
    fn cancel(&self, timer: Timer) -> bool {
        self.with(|d| {
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

pub(crate) fn run<M: Model>(
    start: Start<M>,
    sink: &mut impl FnMut(Stamp, M::Record),
    progress: impl FnMut(Progress) -> Verdict,
) -> (Tally, u64, Vec<Slot<M>>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    pending.pin();
    let deeds = Deeds { pending, records: Records::new(), stop: frame.horizon };
    let mut cx: Cx<Desk<M>> = Cx { frame, back: Own::new(deeds) };
    let (mut tally, mut watch, mut last) = (Tally::default(), Watch::new(progress), 0u128);
    'run: loop {
        for _ in 0..STRIDE {
            let deeds = cx.back.get_mut();
            let states = &lps[..];
            let next = deeds.pending.pop(|entry, slab| {
                prefetch(states, entry.dst as usize);
                slab.prefetch(entry.place())
            });
            let Some(entry) = next.filter(|e| e.t < deeds.stop) else { break 'run };
            if entry.key() <= last {
                entry.refuse()
            }
            last = entry.key();
            // SAFETY: it is read until `release`, below, and what is sent until then leaves it
            // where it is.
            let event = unsafe { &*deeds.pending.lend(&entry) };
            let lp = &mut lps[entry.dst as usize];
            cx.frame.enter(entry.t, entry.tie, entry.dst, lp.sent);
            let blame = Blame::new(entry, event);
            lp.state.handle(event, &View::<M, _>::new(&cx));
            blame.clear();
            ranks.check(lp.sent, cx.frame.sent.get(), entry.dst);
            lp.sent = cx.frame.sent.get();
            let records = &mut cx.back.get_mut().records;
            tally.hash = tally.hash.wrapping_add(commit(entry, event, records, sink));
            cx.back.get_mut().pending.release(&entry);
            (tally.events, tally.last) = (tally.events + 1, entry.t)
        }
        cx.back.get_mut().pending.tidy();
        if watch.breaks(&tally, cx.back.get_mut().stop) {
            tally.interrupted = true;
            break;
        }
    }
    let stop = cx.back.get_mut().stop;
    (tally, stop, lps)
}
