//! One thread works for all: while others take cores, a barrier costs one of their time slices.
use super::Member;
use crate::{
    Message, Model,
    effort::Timing,
    optimistic::coordinator::{Coordinator, NO_LEADER},
    outcome::{Lead, Verdict},
    parallel::{idle::Idle, loan::Loans, merge::Outlet},
};
use std::sync::Arc;

impl<M: Model, O: Outlet<M::Record>> Member<'_, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// Lends this member to the first thread and waits until it is returned.
    pub(super) fn lend(mut self, loans: &Loans<Self>) -> Self {
        let (shared, me) = (Arc::clone(&self.shared), self.me);
        let mut timing = std::mem::replace(&mut self.timing, Timing::start());
        let back = timing.wait(|| loans.lend(&shared.barrier, me, me, self));
        Member { timing, ..back }
    }

    /// The first thread works alone with the borrowed members, until several threads are faster or
    /// the run ends.
    pub(super) fn run_alone<L: FnMut(Lead) -> Verdict>(
        mut self,
        loans: &Loans<Self>,
        lead: &mut Coordinator<'_, '_, L>,
    ) -> Self {
        let shared = Arc::clone(&self.shared);
        let (barrier, others) = (&shared.barrier, shared.here.clone().skip(1));
        let mut borrowed: Vec<Self> = others.map(|o| loans.borrow(barrier, self.me, o)).collect();
        let mut known = barrier.known(self.round);
        lead.is_alone = true;
        let mut idle = Idle::new(shared.partition.threads());
        while known.alone && !known.is_over() {
            let round = self.round;
            for other in &mut borrowed {
                let meeting = (&*shared, round, &known);
                if !idle.leaves_out(other.me, meeting, || other.is_clear()) {
                    other.round = round;
                    other.take_turn(&known);
                    other.post(NO_LEADER)
                }
            }
            self.take_turn(&known);
            self.post(Some(lead));
            lead.rounds_alone += 1;
            known = barrier.known(self.round);
            self.quit |= lead.tell(&known, &mut self.faults)
        }
        lead.is_alone = false;
        for other in borrowed {
            let round = self.round;
            loans.give_back(barrier, other.me, Member { round, ..other })
        }
        self
    }

    /// It has nothing to undo and no records to deliver.
    fn is_clear(&mut self) -> bool {
        let has_log = self.cx.backend.get_mut().log.len() > 0;
        !has_log && !self.has_speculated && self.rows.is_empty() && self.adversary.is_none()
    }
}
