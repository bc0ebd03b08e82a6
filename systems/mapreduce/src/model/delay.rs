//! Waits of jobs for data-local slots, as in Hadoop 1.x's FairScheduler.
use engine::*;

#[derive(Clone, Copy, Debug, Default, Scalar)]
pub(super) struct LocalityWait {
    /// Time between heartbeats at which the job was passed over, since its last map.
    waited: Nanos,
    passed_over: bool,
    /// The last map had no block on its node: the next one need not, either.
    anywhere: bool,
}

impl LocalityWait {
    /// Seconds; infinite if maps may start anywhere.
    pub(super) fn waited(&self) -> f64 {
        if self.anywhere { f64::INFINITY } else { self.waited.as_secs() }
    }

    /// No map at this heartbeat: the time until the next one counts, whichever node's it is.
    pub(super) fn pass_over(&mut self) {
        self.passed_over = true
    }

    pub(super) fn is_passed_over(&self) -> bool {
        self.passed_over
    }

    pub(super) fn count(&mut self, since: Nanos) {
        self.waited += since;
        self.passed_over = false
    }

    pub(super) fn start_map(&mut self, local: bool) {
        *self = LocalityWait { anywhere: !local, ..LocalityWait::default() }
    }
}
