//! Proofs and costs of schedules.
use xor_protocol::bounds::{Ratio, bounds};
use xor_protocol::schedule::{Keep, Kind, Mix, Share, Source, chain, naive, pivot};
use xor_protocol::{Flaw, Layout, Rule, check, mean_price};

fn layouts() -> impl Iterator<Item = Layout> {
    let rules = [Rule::Single, Rule::General, Rule::Fallback];
    (3..=14).flat_map(move |n| rules.into_iter().filter_map(move |r| Layout::new(r, n).ok()))
}

#[test]
fn all_schedules_store_what_the_layout_says() {
    for layout in layouts() {
        let kinds = (0..layout.nodes()).map(Kind::Pivot).chain([Kind::Naive, Kind::Chain]);
        for kind in kinds {
            let price = check(&layout, &kind.schedule(&layout));
            let price = price.unwrap_or_else(|e| panic!("n = {} {kind:?}: {e}", layout.nodes()));
            let sent = if kind == Kind::Naive { layout.cells().count() } else { layout.data() };
            assert_eq!(price.client_out, sent, "n = {} {kind:?}", layout.nodes());
            assert_eq!(Kind::from_byte(kind.to_byte(), layout.nodes()), Some(kind));
        }
    }
    assert_eq!(Kind::from_byte(5, 5), None, "no such pivot");
}

#[test]
fn the_pivot_that_takes_turns_meets_all_three_bounds() {
    for layout in layouts() {
        let all: Vec<_> = (0..layout.nodes()).map(|v| pivot(&layout, v)).collect();
        let price = mean_price(&layout, &all).expect("they are right");
        let least = bounds(layout.data(), layout.nodes(), layout.losses());
        if layout.rule() == Rule::Fallback && layout.rows() + 1 != layout.nodes() {
            // Rows do not divide evenly among nodes: the busiest is above the mean.
            assert!(price.node_in >= least.node_in && price.between >= least.between);
            continue;
        }
        assert_eq!(price.between, least.between, "n = {}", layout.nodes());
        assert_eq!(price.node_in, least.node_in, "n = {}", layout.nodes());
        assert_eq!(price.node_out, least.node_out, "n = {}", layout.nodes());
    }
}

/// Measured before: n, naive node in, chain between / node in, pivot between / in / out.
#[test]
fn prices_are_those_found_before() {
    let table = [
        (3, 1, (2, 2.0), (2.0, 1.33, 0.67)),
        (5, 4, (24, 9.0), (16.0, 5.6, 3.2)),
        (7, 6, (60, 15.0), (36.0, 9.43, 5.14)),
        (11, 10, (180, 27.0), (100.0, 17.3, 9.1)),
    ];
    let near = |ratio: Ratio, value: f64| (ratio.value() - value).abs() < 0.05;
    for (n, naive_in, (between, chain_in), pivots) in table {
        let layout = Layout::best(n).expect("a layout");
        let by_client = check(&layout, &naive(&layout)).expect("right");
        assert!(by_client.node_in.iter().all(|&blocks| blocks == naive_in), "n = {n}");
        let chained = mean_price(&layout, &[chain(&layout)]).expect("right");
        assert!(
            near(chained.between, between as f64) && near(chained.node_in, chain_in),
            "n = {n}"
        );
        let all: Vec<_> = (0..n).map(|v| pivot(&layout, v)).collect();
        let price = mean_price(&layout, &all).expect("right");
        assert!(near(price.between, pivots.0), "n = {n}: {price:?}");
        assert!(near(price.node_in, pivots.1) && near(price.node_out, pivots.2), "n = {n}");
    }
}

#[test]
fn flaws_are_found() {
    let layout = Layout::best(5).expect("a layout");
    let good = chain(&layout);
    let changed = |change: fn(&mut xor_protocol::schedule::Schedule)| {
        let mut schedule = good.clone();
        change(&mut schedule);
        check(&layout, &schedule).expect_err("a flaw")
    };
    assert!(matches!(changed(|s| s.steps[13].xor[0] = Source::Data(0)), Flaw::Missing { .. }));
    assert!(matches!(changed(|s| s.steps[12].xor.clear()), Flaw::Missing { step: 12 }));
    assert!(matches!(changed(|s| s.steps.swap(0, 3)), Flaw::Numbering { .. }));
    assert!(matches!(changed(|s| s.steps[0].to = 5), Flaw::Target { step: 0 }));
    assert!(matches!(changed(|s| s.keeps.truncate(19)), Flaw::Stored(_)));
    let twice = |s: &mut xor_protocol::schedule::Schedule| s.keeps.push(s.keeps[0].clone());
    assert!(matches!(changed(twice), Flaw::Stored(_)));
    let wrong = changed(|s| s.keeps[0] = Keep { cell: s.keeps[0].cell, xor: vec![0, 1] });
    assert!(matches!(wrong, Flaw::Wrong { .. }), "{wrong}");
}

#[test]
fn the_share_adapts_to_the_number_of_writers() {
    let five = Layout::best(5).expect("a layout");
    let share = |clients| Share::best(&five, clients);
    assert_eq!(share(1), Share::NONE);
    assert_eq!(share(2), Share::NONE);
    assert_eq!(share(3), Share { num: 3, den: 8 });
    assert_eq!(share(4), Share { num: 13, den: 18 });
    assert_eq!(share(5), Share::ALL);
    let three = Layout::best(3).expect("a layout");
    assert_eq!(Share::best(&three, 1), Share::NONE);
    assert_eq!(Share::best(&three, 2), Share { num: 2, den: 5 });
    assert_eq!(Share::best(&three, 3), Share::ALL);
}

/// At the best share, the links of clients and nodes are full together.
#[test]
fn at_the_best_share_both_sides_are_full() {
    for n in 4..=12 {
        let layout = Layout::best(n).expect("a layout");
        let least = bounds(layout.data(), n, layout.losses());
        for clients in 1..=2 * n {
            let share = Share::best(&layout, clients);
            let f = share.num as f64 / share.den as f64;
            let client = f * (n * layout.rows()) as f64 + (1.0 - f) * layout.data() as f64;
            let node = f * layout.rows() as f64 + (1.0 - f) * least.node_in.value();
            // Rates of stripes at which the clients' or nodes' links are full.
            let (by_clients, by_nodes) = (clients as f64 / client, 1.0 / node);
            match share {
                Share::NONE => assert!(by_clients <= by_nodes * 1.000001, "n {n} C {clients}"),
                Share::ALL => assert!(by_nodes <= by_clients * 1.000001, "n {n} C {clients}"),
                _ => assert!((by_clients / by_nodes - 1.0).abs() < 1e-9, "n {n} C {clients}"),
            }
        }
    }
}

#[test]
fn a_mix_deals_evenly_and_pivots_take_turns() {
    let mut mix = Mix::new(5, Share { num: 3, den: 8 }, 2);
    let dealt: Vec<Kind> = (0..80).map(|_| mix.deal()).collect();
    assert_eq!(dealt.iter().filter(|k| **k == Kind::Naive).count(), 30);
    for node in 0..5 {
        assert_eq!(dealt.iter().filter(|k| **k == Kind::Pivot(node)).count(), 10);
    }
    let most = dealt.windows(8).map(|w| w.iter().filter(|k| **k == Kind::Naive).count()).max();
    assert_eq!(most, Some(3), "never in bunches");
    assert_eq!(dealt.iter().find(|k| **k != Kind::Naive), Some(&Kind::Pivot(2)));
    mix.set_share(Share::NONE);
    assert!((0..20).all(|_| mix.deal() != Kind::Naive));
    mix.set_share(Share::ALL);
    assert!((0..20).all(|_| mix.deal() == Kind::Naive));
}
