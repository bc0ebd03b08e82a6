//! Which losses each layout survives, by brute force over all pairs.
use xor_protocol::{Cell, Layout, Rule, recoverable};

/// Pairs of nodes that are not recovered, and all pairs.
fn bad_pairs(layout: &Layout) -> (usize, usize) {
    let n = layout.nodes();
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let is_bad = |(a, b): &&(usize, usize)| {
        let lost: Vec<Cell> = layout.cells_of(*a).chain(layout.cells_of(*b)).collect();
        !recoverable(layout, &lost)
    };
    (pairs.iter().filter(is_bad).count(), pairs.len())
}

#[test]
fn the_general_layout_survives_all_pairs_with_two_updates_a_write() {
    for n in 4..=26 {
        let layout = Layout::new(Rule::General, n).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(bad_pairs(&layout).0, 0, "n = {n}");
        assert_eq!(layout.data(), (n - 2) * layout.rows(), "n = {n}: efficiency (n − 2)/n");
        for data in 0..layout.data() {
            let holders = layout.cells().filter(|c| layout.contents(*c).contains(&data)).count();
            assert_eq!(holders, 1 + 2, "n = {n}, data {data}: itself and two parities");
        }
    }
}

#[test]
fn the_documents_rule_holds_iff_n_is_prime() {
    // Measured before: pairs that are lost for n = 4 … 12.
    let table = [(4, 1, 6), (6, 6, 15), (8, 9, 28), (9, 7, 36), (10, 20, 45), (12, 35, 66)];
    for (n, bad, all) in table {
        assert_eq!(bad_pairs(&Layout::document_unproved(n)), (bad, all), "n = {n}");
        assert!(Layout::new(Rule::Document, n).is_err(), "n = {n} is refused");
    }
    for n in [3, 5, 7, 11, 13, 17, 19] {
        let layout = Layout::new(Rule::Document, n).expect("a prime");
        assert_eq!(bad_pairs(&layout).0, 0, "n = {n}");
    }
}

#[test]
fn the_fallback_survives_all_pairs_for_every_n() {
    for n in 3..=26 {
        let layout = Layout::new(Rule::Fallback, n).expect("any n");
        assert_eq!(bad_pairs(&layout).0, 0, "n = {n}");
        let parities = layout.cells().filter(|c| layout.data_at(*c).is_none());
        let updates: usize = parities.map(|c| layout.contents(c).len()).sum();
        // RDP: a data block is in its row, its diagonal, and the diagonal of its row parity.
        assert!(updates >= 2 * layout.data() && updates <= 3 * layout.data(), "n = {n}: {updates}");
    }
}

#[test]
fn three_nodes_survive_one_loss_and_not_two() {
    let layout = Layout::best(3).expect("a layout");
    for node in 0..3 {
        assert!(recoverable(&layout, &layout.cells_of(node).collect::<Vec<Cell>>()));
    }
    assert_eq!(bad_pairs(&layout), (3, 3));
}

#[test]
fn every_number_of_nodes_has_a_layout_or_an_error() {
    for n in 0..=65 {
        match Layout::best(n) {
            Ok(layout) => assert_eq!(layout.nodes(), n),
            Err(e) => assert!(!(3..=64).contains(&n), "{n}: {e}"),
        }
    }
    let beyond = Layout::best(28).expect("the fallback");
    assert_eq!(beyond.rule(), Rule::Fallback, "27 = 2·14 − 1, and 14 is no prime");
}

#[test]
fn equations_hold_for_contents() {
    for n in 3..=16 {
        for rule in [Rule::Single, Rule::General, Rule::Fallback] {
            let Ok(layout) = Layout::new(rule, n) else { continue };
            for equation in layout.equations() {
                let mut odd = vec![false; layout.data()];
                let all = equation.iter().flat_map(|c| layout.contents(*c));
                all.for_each(|&data| odd[data] ^= true);
                assert!(odd.iter().all(|o| !o), "n = {n} {rule:?}: {equation:?}");
            }
        }
    }
}
