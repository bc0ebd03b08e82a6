//! The rule `reduces-by-need`.
use mapreduce_policy::{Candidate, Report, Scheduling, Thresholds};

#[test]
fn a_reduce_waits_until_it_would_hardly_wait_in_its_slot() {
    let limits = Thresholds {
        receive_rate: f64::MAX,
        reception: u64::MAX,
        outstanding: false,
        disk_rate: 1.0,
        predicted: 0.0,
        locality_wait: 0.0,
        random: 0.0,
    };
    let scheduling = Scheduling::named("fair+reduces-by-need").expect("a rule");
    let withheld =
        |task: Candidate| scheduling.withheld(&Report::default(), &task, &limits, true).is_some();
    let reduce = Candidate::default();
    assert!(!withheld(reduce));
    assert!(withheld(Candidate { early: 1.0, ..reduce }));
    assert!(!withheld(Candidate { early: -1.0, ..reduce }));
    assert!(withheld(Candidate { early: -1.0, ready_elsewhere: true, ..reduce }));
    assert!(!withheld(Candidate { map: true, early: 1.0, ..reduce }))
}
