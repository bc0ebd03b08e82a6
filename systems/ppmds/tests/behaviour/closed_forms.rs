//! Rates and latencies that follow from the parameters.
use super::{Sets, metric, near, rate, run, run_on};
use engine::Scheduler;

/// A server's NIC takes start-up + transmission for each answer: 512 B at 1250 MiB/s.
const AT_SERVER: f64 = 32e-6 + 512.0 / (1250.0 * 1_048_576.0);

#[test]
fn one_client_has_six_start_ups_and_the_store_to_itself() {
    let sets: Sets = &[("cluster.clients", "1"), ("cluster.servers", "1")];
    let (client, core) = (512.0 / (125.0 * 1_048_576.0), 512.0 / (1250.0 * 1_048_576.0));
    let round = 6.0 * 32e-6 + 2.0 * client + 4.0 * core + 0.5e-3;
    near(rate(sets), 1.0 / round, 1e-3);
    near(metric(sets, "latency_ms_p50"), round * 1e3, 0.017);
}

#[test]
fn the_start_up_at_the_servers_is_the_ceiling_whatever_the_store() {
    for latency in ["0.1ms", "0.5ms", "1ms"] {
        let sets: Sets = &[("cluster.clients", "352"), ("store.latency", latency)];
        near(rate(sets), 2.0 / AT_SERVER, 0.01);
    }
    near(rate(&[]), 60_500.0, 0.02);
    let metrics = run(&[("cluster.clients", "352")]).reading.metrics;
    assert!(metrics["utilisation_max_server_nic"] > 0.98, "{metrics:?}");
    assert_eq!(metrics["utilisation_max_store"], 0.0, "in mode delay the store is never occupied");
}

#[test]
fn a_shared_nic_of_a_switch_caps_every_number_of_servers() {
    let client = 512.0 / (125.0 * 1_048_576.0);
    for servers in ["4", "8"] {
        let of = |switch| {
            let sets = [("cluster.servers", servers), ("network.switch", switch)];
            rate(&sets)
        };
        near(of("single"), 1.0 / (32e-6 + client + AT_SERVER), 0.01);
        near(of("document"), 1.0 / (32e-6 + client), 0.01);
    }
}

#[test]
fn switches_that_are_lps_give_what_their_ports_give() {
    for clients in ["40", "352"] {
        let of = |switch| {
            let sets = [
                ("network.switch", switch),
                ("cluster.servers", "4"),
                ("cluster.clients", clients),
            ];
            run(&sets)
        };
        let (port, lp) = (of("port"), of("lp"));
        assert!(lp.events > 2 * port.events, "each message meets two switches");
        // A bucket of latencies is up to a 32nd wide.
        for (name, part) in
            [("operations_per_s", 0.02), ("latency_ms_p50", 0.033), ("latency_ms_p99", 0.033)]
        {
            near(lp.reading.metrics[name], port.reading.metrics[name], part);
        }
        let busy = |run: &system::SimulatedRun| run.reading.metrics["utilisation_max_switch"];
        near(busy(&lp), busy(&port), 0.02);
    }
}

#[test]
fn a_warm_start_fetches_nothing_and_ends_at_the_same_rate() {
    let of = |start| run(&[("workload.start", start), ("cluster.clients", "352")]).reading.metrics;
    let (cold, warm) = (of("cold"), of("warm"));
    // A fetch is two messages.
    assert_eq!(cold["messages"] - warm["messages"], 2.0 * 352.0);
    assert_eq!(cold["rows"], warm["rows"]);
    near(warm["operations_per_s"], cold["operations_per_s"], 0.01);
}

#[test]
fn an_open_loop_leaves_its_start_out_of_the_latency() {
    // 4 096 fetches of one inode are 133 ms of work for its server, which has 65 % of its time left
    // for creates: the fetches end after about 0.4 s.
    let of = |start| {
        run(&[
            ("workload.loop", "open"),
            ("workload.rate", "40000"),
            ("workload.duration", "8s"),
            ("workload.start", start),
            ("cluster.clients", "4096"),
        ])
        .reading
        .metrics
    };
    let (cold, warm) = (of("cold"), of("warm"));
    near(cold["latency_ms_p99"], warm["latency_ms_p99"], 0.05);
}

#[test]
fn threads_that_are_busy_are_a_ceiling_and_a_group_lifts_it() {
    let base = [
        ("store.mode", "threads"),
        ("store.threads", "2"),
        ("store.each", "4us"),
        ("cluster.clients", "64"),
    ];
    let with = |more: &[(&'static str, &'static str)]| {
        let mut sets = base.to_vec();
        sets.extend(more);
        rate(&sets)
    };
    near(with(&[]), 2.0 * 2.0 / 0.5e-3, 0.02);
    // At most 16 writes a commit of 0.5 ms and 16 · 4 µs, one commit at a time, 2 servers; not all
    // groups are full.
    let full = 2.0 * 16.0 / (0.5e-3 + 16.0 * 4e-6);
    let grouped = with(&[("store.durability", "group"), ("store.group", "16")]);
    assert!(grouped > 0.75 * full && grouped <= full, "{grouped} of {full}");
}

#[test]
fn an_open_loop_counts_latency_from_the_wish() {
    let base = [("workload.loop", "open"), ("workload.duration", "0.4s")];
    let with = |per_second: &'static str| {
        let mut sets = base.to_vec();
        sets.push(("workload.rate", per_second));
        run(&sets).reading.metrics
    };
    let calm = with("20000");
    near(calm["operations_per_s"], 20_000.0, 0.04);
    assert!(calm["latency_ms_p50"] < 0.8, "{calm:?}");
    // Twice the capacity of two servers: the last operation waits as long as the run has lasted.
    let storm = with("123000");
    near(storm["operations_per_s"], 61_700.0, 0.03);
    assert!(storm["latency_ms_p99"] > 300.0, "{storm:?}");
}

#[test]
fn a_short_way_of_computing_gives_what_a_long_one_gives() {
    // Mixes of creates alone use an event for each store, a little loss one for each NIC.
    let short = run(&[]);
    for longer in [("workload.kind", "mix"), ("network.loss", "0.000000000001")] {
        let sets = [
            longer,
            ("workload.create", "1"),
            ("workload.stat", "0"),
            ("workload.lookup", "0"),
            ("workload.unlink", "0"),
        ];
        let long = run(&sets);
        assert!(long.events > short.events, "{longer:?}");
        for name in ["operations", "messages", "rows"] {
            assert_eq!(long.reading.metrics[name], short.reading.metrics[name], "{name}");
        }
        for name in ["operations_per_s", "latency_ms_p50", "latency_ms_p99"] {
            near(long.reading.metrics[name], short.reading.metrics[name], 0.01);
        }
        near(long.simulated.0 as f64, short.simulated.0 as f64, 0.01);
    }
}

#[test]
fn every_nanosecond_of_every_operation_is_charged() {
    // A client of a closed loop always waits for an operation.
    for sets in [
        &[("cluster.clients", "1")][..],
        &[("cluster.clients", "1"), ("network.switch", "single")],
        &[("cluster.clients", "1"), ("network.loss", "0.05"), ("network.timeout", "2ms")],
        &[("cluster.clients", "1"), ("store.mode", "threads")],
    ] {
        let done = run_on(sets, 1, Scheduler::Sequential, true);
        let charged: u64 = done.trace.sums.iter().map(|sum| sum.total).sum();
        assert_eq!(charged, done.simulated.0 - 1, "{sets:?}");
        let shares: f64 = done.reading.held.iter().map(|held| held.share).sum();
        near(shares, 1.0, 1e-9);
    }
}

#[test]
fn loss_costs_timeouts_and_no_entry() {
    let sets: Sets = &[("network.loss", "0.02"), ("network.timeout", "5ms")];
    let done = run(sets).reading;
    assert_eq!(done.metrics["rows"], 88.0 * 200.0);
    assert_eq!(done.metrics["operations_failed"], 0.0);
    assert!(
        done.held.iter().any(|held| held.holder.contains("network.timeout")),
        "{:?}",
        done.held
    );
}

#[test]
fn a_directory_that_splits_ends_on_all_servers_and_clients_are_corrected() {
    let base = [("cluster.servers", "8"), ("policy.split_entries", "500")];
    let with = |policy: &'static str| {
        let mut sets = base.to_vec();
        sets.push(("policy.metadata", policy));
        run(&sets).reading.metrics
    };
    let (giga, one) = (with("giga+"), with("directory"));
    assert_eq!([giga["rows"], one["rows"]], [17_600.0; 2]);
    assert!(giga["rows_most_of_a_server"] < 17_600.0 / 8.0 * 1.3, "{giga:?}");
    assert_eq!(one["rows_most_of_a_server"], 17_600.0);
    assert!(giga["stale_answers"] > 0.0, "{giga:?}");
    // Seven splits of half of 500 entries each make eight partitions. A directory's list is one
    // row, so splits run one after the other, and partitions that wait grow in the meantime.
    let moved = giga["rows_moved"] / (7.0 * 250.0);
    assert!((1.0..1.7).contains(&moved), "{moved}: {giga:?}");
    assert!(giga["operations_per_s"] > 1.5 * one["operations_per_s"]);
}
