//! Optimistic (Time Warp, Jefferson 1985): go ahead, and take back what turns out to be wrong.
//!
//! ```text
//!               ┌ committed ┐ GVT
//!   LP 7        ──■────■────┼──■───■──────■───►       its history: what can still be undone
//!                           │      ▲
//!                           │      └ a straggler: ■ ■ behind it are undone, what they sent is
//!                           │        taken back (■ pending: dropped, ■ done: undone in turn),
//!                           │        and all of it is done again, in the right order
//! ```
//!
//! Threads have LPs of their own, and run their events in order, as far as a batch goes, without
//! asking whether something may still come. Then they meet. From what is pending or under way
//! anywhere (the first of it is the global virtual time, GVT) and the least delays between threads
//! follows what can no longer be undone: that is committed, its records let out, its history
//! forgotten. A thread whose work is undone too often makes shorter batches.
//!
//! The same bound says, before they are run, that the next events cannot be undone: for these
//! nothing is logged, and what they send is final. So history costs only those events that are
//! ahead of what the others may still send; where lookahead is large there are none.
//!
//! Rollback is per LP. Payloads stay where they are from being sent to being committed, so that an
//! undone event only gets its key back, and a timer keeps its place.
mod adversary;
mod coordinator;
mod ledger;
mod log;
mod member;
mod room;
mod traffic;
use crate::{
    Message, Model, Stress,
    cx::Cx,
    outcome::{Lead, Verdict},
    own::Own,
    parallel::{
        balance::Balance, loan::Loans, merge::Outlet, pace::Pace, rebalance::Rebalance,
        shared::Shared, slots::Slots, threads::all_go,
    },
    profile::Profiler,
    start::{Ended, Start, Team},
};
use adversary::Adversary;
use coordinator::{Coordinator, NOBODY};
use ledger::Ledger;
use member::{Member, sum_up};
use room::Room;
use std::sync::Arc;
use traffic::Traffic;

/// What a run is besides what its model says.
#[derive(Default)]
pub(crate) struct Manner<'t> {
    /// Messages are held back.
    pub(crate) stress: Option<Stress>,
    /// With a pace, nobody goes ahead while that is faster.
    pub(crate) pace: Option<Pace>,
    /// With one, the first thread goes on alone while that is faster; not beside other processes.
    pub(crate) alone: Option<Pace>,
    /// With a balance, LPs are rebalanced where one thread has more to do than the others; not
    /// where messages are held back.
    pub(crate) balance: Option<Balance>,
    /// One thread does the work of all, and times each one's.
    pub(crate) profiler: Option<&'t mut Profiler>,
}

/// Runs on as many threads as there are outlets, of which the caller's is the first.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    manner: Manner<'_>,
    outlets: Vec<O>,
    hook: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let crowd = team.crowd();
    let Team { partition, here, mut exchange } = team;
    let Manner { stress, pace, alone, balance, mut profiler } = manner;
    let mut shared = Shared::new(Arc::new(partition), here, crowd);
    let others = shared.deal(&mut pending);
    let shares = std::iter::once(pending).chain(others).zip(outlets);
    let (count, room) = (frame.lps as usize, Room::new(shared.here.len()));
    let slots = Slots::new(&mut lps);
    let member = |(me, (pending, outlet))| {
        let ledger = Ledger::new(count, Traffic::new(me, &shared.partition, pending));
        let cx = Cx { frame: frame.fork(), back: Own::new(ledger) };
        // SAFETY: an LP's events go to its owner, and nobody handles an event of another's.
        let lps = unsafe { slots.share() };
        let adversary = |stress| Adversary::new(stress, me, &shared.partition);
        let adversary = stress.map(adversary);
        Member::new(me, (cx, lps, ranks), (&shared, &room), adversary, outlet)
    };
    let mut members: Vec<_> = shared.here.clone().zip(shares).map(member).collect();
    let (crossed, rebalance) = (exchange.as_deref_mut(), Rebalance::new(balance));
    let mut leader = Coordinator {
        hook,
        exchange: crossed,
        pace,
        alone,
        is_alone: false,
        rounds_alone: 0,
        rebalance,
        events: 0,
        let_out: 0,
    };
    // SAFETY: it is asked only while all threads have come back.
    let mut idle = unsafe { slots.share() };
    loop {
        members = match &mut profiler {
            Some(profiler) => in_turn(members, &mut leader, profiler),
            None => {
                let loans = Loans::new(shared.partition.threads());
                all_go(
                    members.into_iter(),
                    |first| first.go(&loans, Some(&mut leader)),
                    |other| other.go(&loans, NOBODY),
                )
            }
        };
        let sent = |lp| idle.sent(lp, &ranks);
        let Some(dealt) = leader.rebalance.deal(&shared.partition, &frame.topology, sent) else {
            let_out_before_fault(&mut leader, &members);
            let (alone, deals) = (leader.rounds_alone, leader.rebalance.deals);
            let (mut tally, end, outlets) = sum_up(members, exchange);
            (tally.effort.deals, tally.effort.alone) = (deals, alone);
            lps.journal(None);
            return ((tally, end, lps), outlets);
        };
        let pending = |member| &mut Member::traffic(member).pending;
        shared = dealt.shared(&shared, members.iter_mut().map(pending));
        members.iter_mut().for_each(|member| member.join(&shared))
    }
}

/// All of them in turn, on the caller's thread, as if each had a core of its own.
fn in_turn<'a, M: Model, O: Outlet<M::Record>, L: FnMut(Lead) -> Verdict>(
    mut members: Vec<Member<'a, M, O>>,
    leader: &mut Coordinator<'_, '_, L>,
    profiler: &mut Profiler,
) -> Vec<Member<'a, M, O>>
where
    M::Event: Message<Out = M::Event>,
{
    let shared = Arc::clone(&members[0].shared);
    members.iter_mut().for_each(|member| member.post(NOBODY));
    loop {
        let known = shared.barrier.known(members[0].round);
        let first = &mut members[0];
        first.quit |= leader.tell(&known, &mut first.faults);
        profiler.led();
        if known.is_over() {
            return members.into_iter().map(|member| member.leave(&known)).collect();
        }
        profiler.begin();
        for (at, member) in members.iter_mut().enumerate() {
            member.take_turn(&known);
            member.post(NOBODY);
            if at == 0 { profiler.did_first() } else { profiler.did() }
        }
        profiler.end_round()
    }
}

/// What was recorded before a handler panicked is let out before the panic is told; not where
/// other processes may have one that comes first.
fn let_out_before_fault<M: Model, O, L: FnMut(Lead) -> Verdict>(
    leader: &mut Coordinator<'_, '_, L>,
    members: &[Member<'_, M, O>],
) {
    let faults = members.iter().flat_map(|member| &member.faults);
    let first = faults.map(|(key, _)| *key).min();
    let is_whole = leader.exchange.is_none() && members.iter().all(|member| !member.quit);
    if let Some(key) = first.filter(|_| is_whole) {
        let _ = (leader.hook)(Lead::before_fault(key, leader.events));
    }
}
