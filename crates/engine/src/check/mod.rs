//! The rollback check: every event is run, undone and run again. At intervals `depth` events are
//! undone and replayed.
//!
//! It detects at once what would later be a wrong result of the optimistic scheduler: state that is
//! not restored, a handler that is not a function of event and state, a container that drops
//! history too early. It cannot detect a handler that always reads the same wrong value from
//! outside.
mod compare;
mod trial;
use crate::{
    Message, Model, Progress, Stamp,
    commit::commit,
    cx::Cx,
    exclusive::Exclusive,
    outcome::{Tally, Verdict},
    pending::{Entry, Pending},
    population::Slot,
    rank::Ranks,
    start::{RunState, Start},
    step::step,
    watch::{STRIDE, Watch},
};
use compare::{CheckBudget, Parts, compare, parts};
use std::collections::VecDeque;
use trial::Trial;

struct CheckedEvent<M: Model> {
    entry: Entry,
    event: M::Event,
    /// Key of the LP's last message before the event.
    sent: u64,
    mark: M::Mark,
    /// The state before, if it was compared.
    before: Option<Parts>,
    actions: u128,
    answers: Vec<u64>,
}

struct History<M: Model> {
    past: VecDeque<CheckedEvent<M>>,
    each: CheckBudget,
    replays: CheckBudget,
}

struct Check<'a, M: Model, S> {
    cx: Cx<Exclusive<Trial<M>>>,
    histories: Vec<History<M>>,
    ranks: Ranks,
    depth: usize,
    /// The end as known so far.
    stop: u64,
    tally: Tally,
    sink: &'a mut S,
}

pub(crate) fn run<M: Model>(
    start: Start<M>,
    depth: usize,
    sink: &mut impl FnMut(Stamp, M::Record),
    progress: impl FnMut(Progress) -> Verdict,
) -> RunState<M>
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, pending, frame, ranks } = start;
    lps.journal(Some(0));
    let histories = lps.iter().map(|_| History::default()).collect();
    let (depth, stop, tally) = (depth.max(1), frame.horizon, Tally::default());
    let cx = Cx { frame, backend: Exclusive::new(Trial::new(pending)) };
    let mut check = Check { cx, histories, ranks, depth, stop, tally, sink };
    let (mut watch, mut last) = (Watch::new(progress), 0);
    while let Some(entry) = check.pending().pop(|_, _| ()).filter(|e| e.t < check.stop) {
        if entry.key() <= last {
            entry.refuse()
        }
        last = entry.key();
        check.event(entry, lps.get(entry.dst));
        if check.tally.events.is_multiple_of(STRIDE) && watch.breaks(&check.tally, check.stop) {
            check.tally.interrupted = true;
            break;
        }
    }
    (check.tally, check.stop, lps)
}

impl<M: Model, S: FnMut(Stamp, M::Record)> Check<'_, M, S>
where
    M::Event: Message<Out = M::Event>,
{
    fn pending(&mut self) -> &mut Pending<M::Event> {
        &mut self.cx.backend.get_mut().pending
    }

    /// Runs an event, undoes it, runs it again, and commits it.
    fn event(&mut self, entry: Entry, lp: &mut Slot<M>) {
        let event = self.pending().take(&entry);
        let history = &mut self.histories[entry.dst as usize];
        let look = history.each.allows(lp.state.weight());
        let (sent, before) = (lp.sent, look.then(|| parts(&lp.state)));
        let mark = lp.state.mark();
        step(&mut self.cx, &mut lp.state, sent, entry, &event);
        let (actions, once) =
            (self.cx.backend.get_mut().fingerprint(), look.then(|| parts(&lp.state)));
        lp.state.rewind(&mark);
        compare(&before, &lp.state, &entry, &event, "was not restored by a rollback");
        self.cx.backend.get_mut().undo();
        step(&mut self.cx, &mut lp.state, sent, entry, &event);
        compare(&once, &lp.state, &entry, &event, "differs when the event is run again");
        assert_eq!(
            actions,
            self.cx.backend.get_mut().fingerprint(),
            "output differs when {event:?} is run again: LP {} at {} ns",
            entry.dst,
            entry.t
        );
        lp.sent = self.cx.frame.sent.get();
        self.ranks.check(sent, lp.sent, entry.dst);
        let answers = self.commit(&entry, &event);
        let past = CheckedEvent { entry, event, sent, mark, before, actions, answers };
        let history = &mut self.histories[entry.dst as usize];
        history.past.push_back(past);
        if history.past.len() == self.depth {
            self.replay(&mut lp.state, entry.dst);
            forget(&mut lp.state, &mut self.histories[entry.dst as usize].past, self.depth / 2)
        }
    }

    /// Makes an event's actions final. Returns the answers for replays.
    fn commit(&mut self, entry: &Entry, event: &M::Event) -> Vec<u64> {
        let trial = self.cx.backend.get_mut();
        self.stop = self.stop.min(trial.stop);
        let answers = trial.accept();
        let hash = commit(*entry, event, &mut trial.records, self.sink);
        self.tally.hash = self.tally.hash.wrapping_add(hash);
        (self.tally.events, self.tally.last) = (self.tally.events + 1, entry.t);
        answers
    }

    /// Rewinds to the oldest mark, then replays all events; their actions are compared and dropped.
    fn replay(&mut self, state: &mut M, lp: u32) {
        let History { past, replays, .. } = &mut self.histories[lp as usize];
        let now = replays.allows(state.weight()).then(|| parts(state));
        let Some(CheckedEvent { entry, event, .. }) = past.back() else { return };
        let (entry, event) = (*entry, event.clone());
        state.rewind(&past[0].mark);
        for p in past.iter_mut() {
            let what = "was not restored by a rollback of many events";
            compare(&p.before, state, &p.entry, &p.event, what);
            p.mark = state.mark();
            self.cx.backend.get_mut().script(&p.answers);
            step(&mut self.cx, state, p.sent, p.entry, &p.event);
            let trial = self.cx.backend.get_mut();
            assert_eq!(
                trial.fingerprint(),
                p.actions,
                "output differs when {:?} is replayed: LP {lp} at {} ns",
                p.event,
                p.entry.t
            );
            trial.undo()
        }
        compare(&now, state, &entry, &event, "differs after a replay")
    }
}

impl<M: Model> Default for History<M> {
    fn default() -> Self {
        History {
            past: VecDeque::new(),
            each: CheckBudget::default(),
            replays: CheckBudget::default(),
        }
    }
}

/// Commits the oldest events of an LP.
fn forget<M: Model>(state: &mut M, past: &mut VecDeque<CheckedEvent<M>>, count: usize) {
    past.drain(..count.max(1));
    if M::PLAIN {
        return;
    }
    match past.front() {
        Some(oldest) => state.commit(&oldest.mark),
        None => {
            let now = state.mark();
            state.commit(&now)
        }
    }
}
