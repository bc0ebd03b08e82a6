//! The optimistic scheduler (Time Warp, Jefferson 1985): threads speculate and roll back wrong
//! events.
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
//! Each thread owns LPs and handles a batch of their events in order. It does not wait for messages
//! that may still arrive. Then all threads meet at a barrier. The earliest event that is pending or
//! in transit anywhere is the global virtual time (GVT). GVT and the least delays between threads
//! bound what can still be undone. Events before this bound are committed: their records are
//! delivered and their history is dropped. A thread that undoes too many events makes shorter
//! batches.
//!
//! The same bound shows which events cannot be undone before they run. They are not logged, and
//! what they send is final. Only speculative events need a history; a large lookahead leaves none.
//!
//! Rollback is per LP. Payloads stay in place from send to commit, so an undone event only gets its
//! key back, and a timer keeps its slot.
mod adversary;
mod coordinator;
mod ledger;
mod log;
mod member;
mod memory;
mod traffic;
use crate::{
    Message, Model, Stress,
    cx::Cx,
    exclusive::Exclusive,
    outcome::{Lead, Verdict},
    parallel::{
        balance::Balance, loan::Loans, merge::Outlet, pace::Pace, rebalance::Rebalance,
        shared::Shared, slots::Slots, threads::run_all,
    },
    profile::Profiler,
    start::{RunState, Start, Team},
};
use adversary::Adversary;
use coordinator::{Coordinator, NO_LEADER};
use ledger::Ledger;
use member::{Member, sum_up};
use memory::HistoryMemory;
use std::sync::Arc;
use traffic::Traffic;

/// Options of a run that do not depend on its model.
#[derive(Default)]
pub(crate) struct OptimisticOptions<'t> {
    /// Delays messages, to test rollback.
    pub(crate) stress: Option<Stress>,
    /// Pauses speculation while that is faster; `None` always speculates.
    pub(crate) pace: Option<Pace>,
    /// The first thread works alone while that is faster; `None` with several processes.
    pub(crate) alone: Option<Pace>,
    /// Rebalances LPs if one thread has more work than the others; `None` under `stress`.
    pub(crate) balance: Option<Balance>,
    /// One thread does the work of all and times each.
    pub(crate) profiler: Option<&'t mut Profiler>,
}

/// Runs one thread per outlet; the first is the calling thread.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    options: OptimisticOptions<'_>,
    outlets: Vec<O>,
    hook: impl FnMut(Lead) -> Verdict,
) -> (RunState<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let crowd = team.crowd();
    let Team { partition, here, mut exchange } = team;
    let OptimisticOptions { stress, pace, alone, balance, mut profiler } = options;
    let mut shared = Shared::new(Arc::new(partition), here, crowd);
    let others = shared.deal(&mut pending);
    let shares = std::iter::once(pending).chain(others).zip(outlets);
    let (count, room) = (frame.lps as usize, HistoryMemory::new(shared.here.len()));
    let slots = Slots::new(&mut lps);
    let member = |(me, (pending, outlet))| {
        let ledger = Ledger::new(count, Traffic::new(me, &shared.partition, pending));
        let cx = Cx { frame: frame.fork(), backend: Exclusive::new(ledger) };
        // SAFETY: an LP's events go to its owner, and no thread handles an event of another's.
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
                run_all(
                    members.into_iter(),
                    |first| first.run(&loans, Some(&mut leader)),
                    |other| other.run(&loans, NO_LEADER),
                )
            }
        };
        let sent = |lp| idle.sent(lp, &ranks);
        let Some(dealt) = leader.rebalance.deal(&shared.partition, &frame.topology, sent) else {
            let_out_before_fault(&mut leader, &members);
            let (alone, rebalances) = (leader.rounds_alone, leader.rebalance.rebalances);
            let (mut tally, end, outlets) = sum_up(members, exchange);
            (tally.effort.rebalances, tally.effort.alone) = (rebalances, alone);
            lps.journal(None);
            return ((tally, end, lps), outlets);
        };
        let pending = |member| &mut Member::traffic(member).pending;
        shared = dealt.shared(&shared, members.iter_mut().map(pending));
        members.iter_mut().for_each(|member| member.join(&shared))
    }
}

/// Does the work of all members in turn on the calling thread, as if each had a core of its own.
fn in_turn<'a, M: Model, O: Outlet<M::Record>, L: FnMut(Lead) -> Verdict>(
    mut members: Vec<Member<'a, M, O>>,
    leader: &mut Coordinator<'_, '_, L>,
    profiler: &mut Profiler,
) -> Vec<Member<'a, M, O>>
where
    M::Event: Message<Out = M::Event>,
{
    let shared = Arc::clone(&members[0].shared);
    members.iter_mut().for_each(|member| member.post(NO_LEADER));
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
            member.post(NO_LEADER);
            if at == 0 { profiler.did_first() } else { profiler.did() }
        }
        profiler.end_round()
    }
}

/// Delivers the records before a handler's panic, ahead of the report. With several processes it
/// delivers none: another process may have an earlier panic.
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
