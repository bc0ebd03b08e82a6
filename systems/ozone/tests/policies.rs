//! Pipelines and leaders, by tables drawn by hand and by counting.
use ozone::policy::{self, Dice, Site, Trio, counts, leaders, pairs, placement, reopen};
use std::collections::BTreeSet;

fn place(name: &str, nodes: u32, limit: u32) -> Vec<Trio> {
    placement(name).unwrap().place(&Site::new(nodes, 1, limit), &mut Dice(7))
}

fn sets(pipelines: &[Trio]) -> usize {
    pipelines.iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn a_limit_of_4_on_5_nodes_opens_4_of_6_all_on_the_same_three() {
    let open = place("scm", 5, 4);
    assert_eq!((open.len(), sets(&open)), (4, 1));
    assert_eq!(counts(5, &open), [4, 4, 4, 0, 0]);
    assert_eq!(Site::new(5, 1, 4).max_pipelines(), 6);
    assert_eq!(place("scm-reopened", 5, 4).len(), 6, "closed and opened again, all are there");
}

#[test]
fn at_boot_scm_opens_the_limit_times_the_whole_trios() {
    for nodes in 3..=13 {
        for limit in 1..=6 {
            let open = place("scm", nodes, limit);
            let trios = nodes / 3;
            assert_eq!(open.len() as u32, limit * trios, "{nodes} nodes, limit {limit}");
            assert_eq!(sets(&open) as u32, trios, "{nodes} nodes, limit {limit}");
        }
    }
}

#[test]
fn single_raft_leaves_nodes_spare_and_a_fourth_node_brings_three_sets() {
    let of = |nodes| place("single-raft", nodes, 9);
    assert_eq!(of(8), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!((of(3).len(), of(4).len(), place("one", 8, 9).len()), (1, 1, 1));
    // A fourth node: with a limit of 3 there are four sets of three in place of one.
    assert_eq!(sets(&place("even", 4, 3)) - sets(&place("even", 3, 3)), 3);
    assert_eq!((place("even", 3, 3).len(), place("even", 4, 3).len()), (3, 4), "one more by count");
}

#[test]
fn even_is_a_balanced_design_where_one_exists() {
    // Fano's plane, the affine plane of order 3, and triple systems of 13 and 15: each pair once.
    for (nodes, limit, pipelines) in [(7, 3, 7), (9, 4, 12), (13, 6, 26), (15, 7, 35)] {
        let all = place("even", nodes, limit);
        assert_eq!(all.len(), pipelines);
        assert_eq!(counts(nodes, &all), vec![limit; nodes as usize]);
        assert!(pairs(nodes, &all).iter().all(|&met| met == 1), "{nodes}: {all:?}");
    }
    assert_eq!(
        place("even", 7, 3),
        [[0, 1, 3], [1, 2, 4], [2, 3, 5], [3, 4, 6], [0, 4, 5], [1, 5, 6], [0, 2, 6]]
    );
}

#[test]
fn even_differs_by_one_at_most_per_node() {
    for nodes in 3..=40 {
        for limit in 1..=10 {
            let all = place("even", nodes, limit);
            let counts = counts(nodes, &all);
            assert_eq!(all.len() as u32, limit * nodes / 3);
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(most - least <= 1 && *most <= limit, "{nodes}, {limit}: {counts:?}");
        }
    }
}

#[test]
fn two_racks_are_both_in_every_pipeline() {
    let site = Site::new(8, 2, 3);
    for name in ["scm-reopened", "even"] {
        for trio in placement(name).unwrap().place(&site, &mut Dice(3)) {
            let racks: BTreeSet<u32> = trio.iter().map(|&n| site.racks[n as usize]).collect();
            assert_eq!(racks.len(), 2, "{name}: {trio:?}");
        }
    }
}

#[test]
fn nobody_leads_more_than_he_must() {
    for (nodes, limit) in [(5, 3), (6, 3), (8, 4), (9, 4), (20, 7)] {
        let all = place("scm-reopened", nodes, limit);
        let led = leaders("even", nodes, &all, &mut Dice(1));
        let mut leads = vec![0; nodes as usize];
        all.iter().zip(&led).for_each(|(trio, &l)| leads[trio[l as usize] as usize] += 1);
        let must = (all.len() as u32).div_ceil(nodes);
        assert_eq!(*leads.iter().max().unwrap(), must, "{nodes}, {limit}: {leads:?}");
    }
}

#[test]
fn choices() {
    use policy::{Choice, Volume};
    let open = [(4, 2), (5, 0), (6, 1)];
    assert_eq!(Choice::LeastQueued.next(&open, 0, u64::MAX), 1);
    assert_eq!([0, 1, 2, 3].map(|turn| Choice::RoundRobin.next(&open, turn, 9)), [0, 1, 2, 0]);
    assert_eq!(Choice::Random.next(&open, 0, u64::MAX / 2), 1);
    let used = [5, 1, 9];
    assert_eq!(Volume::BetterOfTwo.next(&used, 0, [0, u64::MAX / 2]), 1);
    assert_eq!(Volume::BetterOfTwo.next(&used, 0, [u64::MAX, 0]), 0);
    assert_eq!(Volume::RoundRobin.next(&used, 4, [0, 0]), 1);
}

#[test]
fn after_a_loss_no_node_is_in_more_than_its_limit() {
    // Of 8 nodes single-Raft leaves two spare; they and two of the broken pipeline make a new one.
    // At boot SCM's pipelines share their nodes: two are left over, which make none.
    let table = [("single-raft", 6, 2, 0), ("single-raft", 8, 2, 1), ("scm", 9, 3, 0)];
    for (name, nodes, limit, opened) in table {
        let policy = placement(name).unwrap();
        let site = Site::new(nodes, 1, limit);
        let all = policy.place(&site, &mut Dice(1));
        let left: Vec<Trio> = all.into_iter().filter(|trio| !trio.contains(&0)).collect();
        let (limited, most) = (policy.limited(&site), policy.max_pipelines(&site));
        let new = reopen(&limited, left.clone(), 0, most, &mut Dice(1));
        let counts = counts(nodes, &[left, new.clone()].concat());
        assert!(counts.iter().all(|n| *n <= limited.limit), "{name}, {nodes} nodes: {counts:?}");
        assert!(new.iter().all(|trio| !trio.contains(&0)), "{name}: the lost node is in none");
        assert_eq!(new.len(), opened, "{name}, {nodes} nodes: {new:?}");
    }
}
