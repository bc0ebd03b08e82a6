//! Rollback of an LP's events, and of what followed from them.
use super::Member;
use crate::{
    Message, Model,
    cx::Cx,
    optimistic::{
        ledger::Ledger,
        log::Action,
        traffic::{Letter, Traffic},
    },
    parallel::merge::Outlet,
    pending::Entry,
};

impl<M: Model, O: Outlet<M::Record>> Member<'_, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// Cancels a received message and undoes what followed from it.
    pub(super) fn take_back(&mut self, entry: Entry) {
        if !self.traffic().drop_pending(&entry) {
            self.undo_from(entry.dst, entry.key());
            assert!(self.traffic().drop_pending(&entry), "an undone event is pending: {entry:?}")
        }
    }

    /// Undoes an LP's events from `key` on, and all that followed from them on this thread.
    pub(super) fn undo_from(&mut self, lp: u32, key: u128) {
        let (mut to_do, mut doomed) = (vec![(lp, key)], vec![]);
        while let Some((lp, key)) = to_do.pop() {
            self.undo_own(lp, key, |traffic, sent| {
                if !traffic.drop_pending(&sent) {
                    to_do.push((sent.dst, sent.key()));
                    doomed.push(sent)
                }
            })
        }
        // All of them are pending now; some were dropped since, as messages of undone receivers.
        for sent in doomed {
            self.traffic().drop_pending(&sent);
        }
    }

    /// Undoes an LP's events from `key` on. `unsend` receives what they sent on this thread.
    fn undo_own(
        &mut self,
        lp: u32,
        key: u128,
        mut unsend: impl FnMut(&mut Traffic<M::Event>, Entry),
    ) {
        let Member { cx, stops, faults, failed, lps, undone, .. } = self;
        let Cx { frame, backend } = cx;
        let Ledger { log, traffic, .. } = backend.get_mut();
        loop {
            let undo = |action| match action {
                Action::Here(sent) => unsend(traffic, sent),
                Action::There { t, tie, dst } => traffic.away(t, tie, dst, Letter::Never),
                Action::Cancelled(timer) => traffic.revive(timer),
                Action::Chained(before) => frame.livelock.put_back(lp, before),
            };
            let Some((past, mark)) = log.undo_last(lp, key, undo) else { return };
            traffic.revive(past.entry);
            let slot = lps.get(lp);
            slot.state.rewind(mark);
            slot.sent = past.sent;
            *undone += 1;
            let of = past.entry.key();
            stops.retain(|(key, _)| *key != of);
            if faults.extract_if(.., |(key, _)| *key == of).next().is_some()
                && !failed.contains(&of)
            {
                failed.push(of)
            }
        }
    }

    pub(super) fn undo_since(&mut self, t: u64) {
        for lp in self.cx.backend.get_mut().log.active() {
            self.undo_from(lp, (t as u128) << 64)
        }
    }

    /// Undoes what is not certain. At the end of the run it keeps an event that panicked.
    pub(super) fn undo_the_rest(&mut self, is_over: bool) {
        if self.faults.is_empty() || !is_over {
            self.undo_since(0)
        }
        self.rolled_back += std::mem::take(&mut self.undone)
    }
}
