//! mdtest's phases: what they find, what bounds them, and their measured rates.
use super::{Sets, near, read, run};
use ppmds::PPMDS;
use system::lab::{Lab, SeedRun};
use system::measured::MeasuredRates;

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut sets = vec![("workload.kind", "mdtest")];
    sets.extend(more);
    sets
}

#[test]
fn what_no_phase_makes_was_there_before() {
    for more in [
        &[("mdtest.create", "false")][..],
        &[("mdtest.create", "false"), ("mdtest.unique", "true"), ("mdtest.stride", "1")],
        &[("mdtest.create", "false"), ("mdtest.depth", "2"), ("mdtest.branch", "3")],
        &[("mdtest.create", "false"), ("mdtest.iterations", "2")],
        &[("mdtest.remove", "false"), ("mdtest.iterations", "2")],
        &[("mdtest.rename", "true"), ("mdtest.stride", "1")],
        &[("mdtest.rename", "true"), ("mdtest.unique", "true"), ("mdtest.depth", "1")],
        &[("mdtest.rename", "true"), ("mdtest.create", "false"), ("mdtest.stonewall", "1s")],
    ] {
        for servers in ["1", "4"] {
            let base = [("mdtest.items", "9"), ("cluster.clients", "6")];
            let mut sets = with(&[&base[..], more].concat());
            sets.push(("cluster.servers", servers));
            let metrics = run(&sets).reading.metrics;
            assert_eq!(metrics["operations_failed"], 0.0, "{sets:?}: {metrics:?}");
            assert!(metrics["operations"] >= 9.0 * 6.0 * 4.0, "{sets:?}: {metrics:?}");
        }
    }
}

#[test]
fn a_stonewall_bounds_a_run_and_not_the_items() {
    let of = |items, wall| {
        let sets = with(&[
            ("cluster.servers", "1"),
            ("cluster.clients", "640"),
            ("mdtest.items", items),
            ("mdtest.stonewall", wall),
        ]);
        Lab::of(&PPMDS).expect("it is simulated").footprint(&read(&sets).expect("it is right"))
    };
    let bytes = |items, wall| of(items, wall).expect("it is known").bytes;
    assert_eq!(bytes("1000000", "1s"), bytes("4000000000", "1s"));
    assert!(bytes("1000000", "1s") < 20_000_000, "{:?}", of("1000000", "1s"));
    assert!(bytes("1000000", "0s") > 100_000_000_000);
    assert_eq!(bytes("10", "1s"), bytes("10", "0s"), "all are made");
    let sets = with(&[
        ("cluster.servers", "1"),
        ("cluster.clients", "64"),
        ("mdtest.items", "1000000"),
        ("mdtest.items_are", "files"),
        ("mdtest.stonewall", "50ms"),
    ]);
    let made = run(&sets).reading.metrics["operations"] / 4.0;
    // 30 900 creates a second; the fastest client is a little faster than the mean.
    assert!((0.9..1.5).contains(&(made / (30_900.0 * 0.05))), "{made}");
}

fn measured(sets: Sets<'_>) -> MeasuredRates {
    let lab = Lab::of(&PPMDS).expect("it is simulated");
    let sheet = read(sets).expect("it is right");
    lab.reporter().measured(&sheet, &[SeedRun::of(1, &run(sets))]).expect("it was measured")
}

#[test]
fn what_would_explain_a_measurement_brings_the_model_to_it() {
    let cases: [(&str, &str, &str, &[&str]); 4] = [
        ("File creation", "4000", "64", &["store.latency", "network.startup"]),
        ("File creation", "110000", "640", &["cluster.servers", "network.startup"]),
        ("File stat", "5000", "64", &["store.read_latency", "network.startup"]),
        ("File removal", "9000", "8", &[]),
    ];
    for (name, rate, clients, keys) in cases {
        let text = format!("{name} {rate}, Tree creation 1");
        let base = [
            ("cluster.clients", clients),
            ("mdtest.items", "100"),
            ("mdtest.items_are", "files"),
            ("mdtest.measured", &text),
        ];
        let alone = [&[("cluster.servers", "1")][..], &base].concat();
        let now = measured(&with(&alone));
        assert_eq!(now.far().is_some(), !keys.is_empty(), "{now:?}");
        assert_eq!(now.explains.1.iter().map(|one| &*one.0).collect::<Vec<_>>(), keys, "{now:?}");
        for (key, value) in &now.explains.1 {
            let mut sets = with(&base);
            let others = alone.iter().filter(|one| one.0 == "cluster.servers" && key != one.0);
            sets.extend(others);
            sets.push((key.as_str(), value.as_str()));
            let then = measured(&sets);
            let of = then.rates.iter().find(|one| one.name == name).expect("it is simulated");
            near(of.simulated, of.measured, 0.25);
            assert_eq!(then.far(), None, "{key} = {value}: {then:?}");
        }
    }
}

#[test]
fn the_events_of_a_run_are_known_before() {
    for more in [
        &[("mdtest.items", "50")][..],
        &[("mdtest.items", "100000"), ("mdtest.stonewall", "20ms"), ("mdtest.unique", "true")],
        &[("mdtest.items", "50"), ("mdtest.create", "false"), ("mdtest.items_are", "files")],
    ] {
        let sets = with(more);
        let lab = Lab::of(&PPMDS).expect("it is simulated");
        let before = lab.events(&read(&sets).expect("it is right")).expect("they are known");
        let ratio = run(&sets).events as f64 / before as f64;
        assert!((0.5..2.0).contains(&ratio), "{sets:?}: {ratio}");
    }
}
