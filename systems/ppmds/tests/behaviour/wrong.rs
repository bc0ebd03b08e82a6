//! Bad input is refused with the key and what was expected.
use super::{Sets, read};

#[test]
fn what_makes_no_sense_is_refused_by_its_key() {
    let cases: [(Sets, &str, &str); 10] = [
        (&[("cluster.clients", "0")], "cluster.clients", "1"),
        (&[("cluster.servers", "0")], "cluster.servers", "1"),
        (&[("network.startup", "0us")], "network.startup", "above 0"),
        (&[("network.loss", "1")], "network.loss", "less than 1"),
        (&[("policy.metadata", "gigo+")], "policy.metadata", "giga+"),
        (&[("faults.server_mtbf", "1ns")], "faults.server_mtbf", "or more"),
        (&[("workload.kind", "trace")], "workload.trace", "trace.jsonl"),
        (
            &[("workload.kind", "mdtest"), ("workload.directories", "4")],
            "workload.directories",
            "of the workload itself",
        ),
        (
            &[("workload.kind", "mdtest"), ("workload.loop", "open")],
            "workload.loop",
            "wait for their answers",
        ),
        (
            &[
                ("workload.kind", "mix"),
                ("workload.create", "0"),
                ("workload.stat", "0"),
                ("workload.lookup", "0"),
                ("workload.unlink", "0"),
            ],
            "workload.create",
            "the sum is 0",
        ),
    ];
    for (sets, key, word) in cases {
        let error = read(sets).map(|_| ()).expect_err(key);
        assert!(error.contains(key) && error.contains(word), "{sets:?}: {error}");
    }
}
