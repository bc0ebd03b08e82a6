//! One hash under every scheduler, whatever is switched on.
use super::{Sets, run_on};
use engine::Scheduler;

const VARIANTS: [Sets; 11] = [
    &[],
    &[("network.switch", "single"), ("cluster.servers", "4")],
    &[("network.switch", "lp"), ("cluster.servers", "4"), ("workload.start", "warm")],
    &[("network.loss", "0.05"), ("network.timeout", "3ms")],
    &[("policy.metadata", "giga+"), ("policy.split_entries", "50"), ("cluster.servers", "8")],
    &[
        ("store.mode", "threads"),
        ("store.threads", "3"),
        ("store.durability", "group"),
        ("store.group", "8"),
    ],
    &[
        ("workload.kind", "mix"),
        ("workload.directories", "20"),
        ("workload.skew", "0.9"),
        ("workload.readdir", "0.02"),
        ("policy.metadata", "hash-k"),
        ("cluster.servers", "8"),
    ],
    &[
        ("workload.loop", "open"),
        ("workload.rate", "50000"),
        ("workload.duration", "20ms"),
        ("network.loss", "0.01"),
        ("network.timeout", "1ms"),
        ("policy.metadata", "giga+"),
        ("policy.split_entries", "60"),
    ],
    &[
        ("workload.kind", "mix"),
        ("workload.mkdir", "0.1"),
        ("workload.rename", "0.1"),
        ("workload.link", "0.1"),
        ("workload.rmdir", "0.1"),
        ("network.timeout", "3ms"),
        ("faults.server_mtbf", "10ms"),
        ("faults.server_down", "2ms"),
        ("faults.client_mtbf", "100ms"),
    ],
    &[
        ("workload.kind", "mix"),
        ("workload.mkdir", "0.2"),
        ("transactions.run_by", "client"),
        ("transactions.reads", "validated"),
        ("network.timeout", "3ms"),
        ("faults.server_mtbf", "10ms"),
        ("faults.server_down", "2ms"),
        ("store.mode", "threads"),
        ("store.durability", "group"),
        ("policy.metadata", "load"),
        ("policy.hot_operations", "100"),
    ],
    &[("workload.kind", "mdtest"), ("mdtest.items", "8"), ("mdtest.unique", "true")],
];

#[test]
fn all_schedulers_come_to_one_hash() {
    for variant in VARIANTS {
        let mut sets = vec![("workload.creates_per_client", "12"), ("cluster.clients", "24")];
        sets.extend(variant);
        let first = run_on(&sets, 3, Scheduler::Sequential, true);
        for scheduler in [
            Scheduler::Conservative { threads: 2 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::RollbackCheck { depth: 4 },
            Scheduler::Auto { threads: 2 },
            Scheduler::Conservative { threads: 3 },
        ] {
            let other = run_on(&sets, 3, scheduler, true);
            assert_eq!(other.trace_hash, first.trace_hash, "{scheduler}: {sets:?}");
            assert_eq!(other.reading, first.reading, "{scheduler}: {sets:?}");
            assert_eq!(other.trace, first.trace, "{scheduler}: {sets:?}");
        }
        let other = run_on(&sets, 4, Scheduler::Sequential, false);
        assert_ne!(other.trace_hash, first.trace_hash, "another seed is another run");
    }
}
