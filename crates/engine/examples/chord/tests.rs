//! The figures of the paper, and one hash under every scheduler.
use super::*;

#[test]
fn without_churn_every_answer_is_right_after_half_log_n_hops() {
    let (_, all) = run(1024, Nanos::secs(60), Nanos::ZERO, Scheduler::Sequential);
    assert_eq!((all.wrong, all.unanswered), (0, 0));
    let hops = all.hops as f64 / all.right as f64;
    // (log2 n) / 2: section V.B of the paper.
    assert!((hops - 5.0).abs() < 0.2, "{hops} hops")
}

#[test]
fn the_ring_survives_churn_under_every_scheduler() {
    let one = |scheduler| run(300, Nanos::secs(300), Nanos::secs(300), scheduler);
    let (outcome, all) = one(Scheduler::Sequential);
    let lost = (all.wrong + all.unanswered) as f64 / all.right as f64;
    assert!(lost > 0.0 && lost < 0.2, "{all:?}");
    for scheduler in [
        Scheduler::RollbackCheck { depth: 4 },
        Scheduler::Conservative { threads: 2 },
        Scheduler::Optimistic { threads: 2 },
    ] {
        assert_eq!(one(scheduler).0.trace_hash, outcome.trace_hash, "{scheduler:?}")
    }
}
