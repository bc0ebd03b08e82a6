//! A real SCM's pipelines are those of Tenbin's policies: `make test-twin`.
use ozone_twin::cases::{Case, OPEN, SPREAD};
use ozone_twin::scm::Stage;

/// The first three do not depend on SCM's random choice.
#[test]
#[ignore = "needs root, Maven, Java and 300 MB of Ozone: make test-real"]
fn twin_of_scm_opens_what_its_policy_opens() {
    let stage = Stage::make().expect("hosts and jars");
    let of = |one_by_one, racks, nodes, limit| Case { one_by_one, racks, nodes, limit };
    for (case, expected) in [
        (of(false, 1, 6, 1), [2, 2, 1, 1, 1, 0]),
        (of(true, 1, 5, 4), [4, 1, 0, 4, 2, 0]),
        (of(true, 1, 8, 3), [6, 2, 0, 3, 1, 0]),
    ] {
        let opened = stage.run(&case).expect("SCM runs");
        assert_eq!(opened, expected, "{}", case.name());
        assert!(case.ours().iter().all(|ours| *ours == expected), "the policy: {}", case.name())
    }
    let case = of(false, 2, 8, 3);
    let opened = stage.run(&case).expect("SCM runs");
    assert_eq!(opened[SPREAD], opened[OPEN], "each pipeline is on two racks: {opened:?}");
    let ours: Vec<u32> = case.ours().iter().map(|ours| ours[OPEN]).collect();
    assert!(ours.contains(&opened[OPEN]), "{opened:?}, policy {ours:?}")
}
