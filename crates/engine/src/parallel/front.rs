//! The first thread's delivery of progress and records.
use super::merge::{Direct, Merge, Outlet};
use crate::{
    Progress, Sink, Stamp,
    outcome::{Lead, Verdict},
    watch::Watch,
};

/// `O`: the outlet of records while other threads work.
pub(crate) trait Front<R, O: Outlet<R>> {
    /// Reports progress. Returns whether the run continues.
    fn lead(&mut self, lead: Lead) -> Verdict;
    /// Takes a record while one thread works alone: it need not wait for other threads.
    fn take(&mut self, outlet: &mut O, stamp: Stamp, record: R);
}

/// All records go to one sink, in order.
pub(crate) struct MergedFront<'m, R, S, P> {
    pub(crate) merge: &'m mut Merge<R>,
    pub(crate) sink: &'m mut S,
    pub(crate) watch: Watch<P>,
    /// This process merges the records of all.
    pub(crate) is_first: bool,
}

impl<R, O, S, P> Front<R, O> for MergedFront<'_, R, S, P>
where
    O: Outlet<R>,
    S: FnMut(Stamp, R),
    P: FnMut(Progress) -> Verdict,
{
    fn lead(&mut self, lead: Lead) -> Verdict {
        if self.is_first {
            self.merge.deliver_before((lead.frontier, lead.tie), self.sink)
        }
        self.watch.look(lead)
    }
    #[inline(always)]
    fn take(&mut self, _: &mut O, stamp: Stamp, record: R) {
        (self.sink)(stamp, record)
    }
}

/// Each thread's records go to a sink of its own.
pub(crate) struct DirectFront<P>(pub(crate) Watch<P>);

impl<R, S, P> Front<R, Direct<S>> for DirectFront<P>
where
    S: Sink<R> + Send,
    P: FnMut(Progress) -> Verdict,
{
    fn lead(&mut self, lead: Lead) -> Verdict {
        self.0.look(lead)
    }
    #[inline(always)]
    fn take(&mut self, outlet: &mut Direct<S>, stamp: Stamp, record: R) {
        outlet.put(stamp, record)
    }
}
