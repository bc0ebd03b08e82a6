//! Means over seeds, verdicts on differences, and which variant is proposed.
use hdfs_reading::Context;
use hdfs_reading::advice::{Apply, apply, change, recommend};
use hdfs_reading::sentences::doing::not_enough;
use hdfs_reading::sentences::gains::Gains;
use hdfs_reading::sentences::held::held_up;
use hdfs_reading::spans::plain;
use hdfs_reading::stat::{Verdict, judge};
use hdfs_reading::{Attribution, AttributionKind, Held, Run, Stat, VariantRuns, compare, stat};
use page::Kind;

const MULTIPLIER: &str = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
const STREAMS: &str = "hdfs-site.dfs.namenode.replication.max-streams";

#[test]
fn intervals_are_students() {
    // Quantiles of t as every table has them: 12.706, 4.303, 2.262 for 1, 2, 9 degrees of freedom.
    let cases: [(&[f64], f64, f64); 4] = [
        (&[5.0], 5.0, 0.0),
        (&[4.0, 6.0], 5.0, 12.706),
        (&[1.0, 2.0, 3.0], 2.0, 4.3027 / 1.732_050_8),
        (&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 4.5, 2.2622 * 0.957_427_1),
    ];
    for (values, mean, ci95) in cases {
        let found = stat(values);
        assert!((found.mean - mean).abs() < 1e-12);
        assert!((found.ci95 - ci95).abs() < 5e-4, "{values:?}: {} not {ci95}", found.ci95);
    }
}

#[test]
fn a_difference_counts_from_five_percent_and_outside_its_interval() {
    let of = |mean, ci95| judge(&Stat { mean, ci95, min: 0.0, max: 0.0 }, 100.0);
    assert_eq!(of(-4.9, 0.1), Verdict::NoDifference);
    assert_eq!(of(-5.1, 0.1), Verdict::Faster);
    assert_eq!(of(-20.0, 20.0), Verdict::Undecided);
    assert_eq!(of(-4.9, 0.2), Verdict::Undecided, "up to 5.1");
    assert_eq!(of(-20.0, 19.9), Verdict::Faster);
    assert_eq!(of(20.0, 3.0), Verdict::Slower);
    assert_eq!(of(0.0, 0.0), Verdict::NoDifference);
}

/// A variant of one run a value.
fn variant(name: &str, set: &[&str], recoveries: &[f64]) -> VariantRuns {
    let run = |(seed, &recovery): (usize, &f64)| {
        let mut metrics = hdfs_reading::Metrics::new();
        metrics.insert("blocks_lost".into(), 0.0);
        if recovery.is_finite() {
            metrics.insert("recovery_s".into(), recovery);
        }
        Run {
            seed: seed as u64,
            metrics,
            attribution: Attribution::default(),
            moments: Default::default(),
            at_risk: Default::default(),
            made: Default::default(),
            carried: Vec::new(),
            live_nodes: 9,
        }
    };
    VariantRuns {
        name: name.into(),
        set: set.iter().map(|key| (key.to_string(), "4".into())).collect(),
        runs: recoveries.iter().enumerate().map(run).collect(),
    }
}

fn proposed(variants: &[VariantRuns]) -> Option<&str> {
    let rows = compare(&[], variants);
    recommend(&[], variants, &rows).map(|place| variants[place].name.as_str())
}

#[test]
fn settings_only_and_few_before_many() {
    let now = variant("now", &[], &[48.0, 50.0, 49.0]);
    let one = variant("one", &[MULTIPLIER], &[30.0, 31.0, 32.0]);
    let two = variant("two", &[MULTIPLIER, STREAMS], &[29.5, 30.0, 31.5]);
    let best = variant("best", &[MULTIPLIER, STREAMS], &[20.0, 21.0, 20.0]);
    let near = variant("ring", &["policy.rereplication"], &[19.0, 20.0, 19.5]);
    let far = variant("optimised", &["policy.rereplication"], &[17.0, 18.0, 17.5]);
    let world = variant("more nodes", &["cluster.nodes_per_rack"], &[1.0, 1.0, 1.0]);
    let same = variant("same", &[STREAMS], &[47.0, 49.0, 50.0]);
    let slow = variant("slow", &[STREAMS], &[60.0, 61.0, 62.0]);
    let all = |others: &[&VariantRuns]| {
        std::iter::once(&now).chain(others.iter().copied()).cloned().collect::<Vec<_>>()
    };
    assert_eq!(proposed(&all(&[&two, &one])), Some("one"), "within 5 %: the one that changes less");
    assert_eq!(proposed(&all(&[&one, &best])), Some("best"));
    assert_eq!(proposed(&all(&[&best, &far])), Some("best"), "HDFS has no code for a policy");
    assert_eq!(proposed(&all(&[&near])), None);
    assert_eq!(proposed(&all(&[&world])), None, "another cluster is no proposal");
    assert_eq!(proposed(&all(&[&same, &slow])), None);
}

#[test]
fn what_chance_may_do_is_no_proposal() {
    let now = variant("now", &[], &[48.0, 50.0, 49.0, 52.0]);
    let lucky = variant("lucky", &[STREAMS], &[44.0, 48.9, 46.0, 48.0]);
    assert_eq!(proposed(&[now.clone(), lucky.clone()]), Some("lucky"), "alone it is beyond chance");
    let same = |name| variant(name, &[MULTIPLIER], &[48.1, 50.0, 49.0, 52.0]);
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let mut many = vec![now, lucky];
    many.extend(names.map(same));
    assert_eq!(proposed(&many), None, "of eight one gains so much by chance");
    let rows = compare(&[], &many);
    let text = plain(&not_enough(&Context::default(), &many, &rows).done()).replace('\u{a0}', " ");
    assert!(text.starts_with("Lucky: perhaps chance, −3.0 ± "), "{text}");
}

#[test]
fn one_seed_proposes_nothing() {
    let all = [variant("now", &[], &[48.0]), variant("one", &[STREAMS], &[30.0])];
    assert_eq!(proposed(&all), None);
    let text = plain(&not_enough(&Context::default(), &all, &compare(&[], &all)).done());
    assert!(text.contains("Add --seeds 5"), "{text}");
}

#[test]
fn what_loses_blocks_is_not_proposed_and_what_ends_at_last_is() {
    let now = variant("now", &[], &[48.0, 50.0]);
    let mut loses = variant("loses", &[STREAMS], &[20.0, 20.5]);
    loses.runs[1].metrics.insert("blocks_lost".into(), 1.0);
    assert_eq!(proposed(&[now, loses]), None);
    let never = variant("now", &[], &[48.0, f64::NAN]);
    let ends = variant("ends", &[STREAMS], &[50.0, 51.0]);
    assert_eq!(proposed(&[never, ends]), Some("ends"));
}

#[test]
fn how_a_setting_takes_effect() {
    let of = |keys: &[&str]| apply(&variant("", keys, &[1.0]), None);
    assert_eq!(of(&[MULTIPLIER, STREAMS]), Apply::Live);
    assert_eq!(of(&["hdfs-site.dfs.namenode.redundancy.interval.seconds"]), Apply::NameNode);
    assert_eq!(of(&[MULTIPLIER, "hdfs-site.dfs.heartbeat.interval"]), Apply::DataNodes);
    assert_eq!(of(&["hdfs-site.dfs.datanode.data.transfer.bandwidthPerSec"]), Apply::LiveDataNodes);
    let settings = variant("", &[MULTIPLIER], &[1.0]);
    let both = variant("", &[MULTIPLIER, "policy.rereplication"], &[1.0]);
    assert!(change(&settings) < change(&both));
}

#[test]
fn the_next_limit_is_the_one_whose_wait_grew() {
    let held = |key: &str, waited_s: f64, total: f64| Held {
        holder: key.into(),
        kind: AttributionKind::Setting,
        share: waited_s / total,
        waited_s,
        hottest: None,
        hue: Kind::Setting,
        behind: Vec::new(),
    };
    let blame = |variant: &mut VariantRuns, multiplier: (&str, f64), streams: f64| {
        let total = multiplier.1 + streams;
        for run in &mut variant.runs {
            run.attribution = Attribution {
                block: None,
                total_s: total,
                shares: vec![
                    held(multiplier.0, multiplier.1, total),
                    held("dfs.namenode.replication.max-streams = 2", streams, total),
                ],
            };
        }
    };
    let mut now = variant("now", &[], &[48.0, 49.0, 48.5]);
    let mut alone = variant("multiplier 4 alone", &[MULTIPLIER], &[42.0, 42.5, 42.4]);
    let best = variant("both limits 4", &[MULTIPLIER, STREAMS], &[25.0, 25.5, 25.4]);
    let slow =
        variant("slow heartbeats", &["hdfs-site.dfs.heartbeat.interval"], &[60.0, 61.0, 60.6]);
    let key = "dfs.namenode.replication.work.multiplier.per.iteration";
    blame(&mut now, (&format!("{key} = 2"), 40.0), 8.0);
    blame(&mut alone, (&format!("{key} = 4"), 28.0), 14.0);
    let variants = [now, alone, best, slow];
    let text = plain(&not_enough(&Context::default(), &variants, &compare(&[], &variants)).done());
    let text = text.replace('\u{a0}', " ");
    assert_eq!(
        text,
        "Multiplier 4 alone: −6.2 ± 0.7 s, then …replication.max-streams holds up 33 %. \
         Slow heartbeats: slower, +12.0 ± 0.1 s."
    );
}

/// A variant of one policy.
fn policy(name: &str, recoveries: &[f64]) -> VariantRuns {
    let set = vec![("policy.rereplication".to_string(), name.to_string())];
    VariantRuns { set, ..variant(name, &[], recoveries) }
}

#[test]
fn a_policy_that_the_jar_has_can_be_installed_and_others_name_what_comes_near() {
    let variants = [
        variant("now", &[], &[48.0, 50.0, 49.0]),
        policy("ring", &[19.0, 20.0, 19.5]),
        policy("optimised", &[18.0, 19.0, 18.5]),
        policy("ring+jar", &[30.0, 31.0, 30.5]),
    ];
    let rows = compare(&[], &variants);
    let context = Context { pacing: "hdfs3".into(), ..Context::default() };
    assert_eq!(recommend(&[], &variants, &rows), Some(3));
    let text = plain(&not_enough(&context, &variants, &rows).done()).replace('\u{a0}', " ");
    assert!(
        text.ends_with("HDFS has no code for them; what tenbin-hdfs.jar can do of them: ring+jar."),
        "{text}"
    );
}

#[test]
fn what_fares_alike_stands_together_and_what_is_faster_does_not_stand() {
    let now = variant("now", &[], &[48.0, 50.0, 49.0]);
    let best = variant("both", &[MULTIPLIER, STREAMS], &[20.0, 21.0, 20.0]);
    let near = variant("ring", &["policy.rereplication"], &[19.0, 20.0, 19.5]);
    let three = variant("three, ring", &[MULTIPLIER], &[40.0, 41.0, 42.0]);
    let four = variant("four", &[MULTIPLIER], &[30.0, 31.0, 32.0]);
    let same = variant("same", &[STREAMS], &[47.0, 49.0, 50.0]);
    let alike = variant("alike", &[STREAMS], &[48.0, 50.0, 49.0]);
    let mut loses = variant("one stream", &[STREAMS], &[15.0, 15.5, 15.0]);
    loses.runs[0].metrics.insert("blocks_lost".into(), 2.0);
    let never = variant("no streams", &[STREAMS], &[f64::NAN; 3]);
    let variants = [now, best, near, three, four, same, alike, loses, never];
    let rows = compare(&[], &variants);
    assert_eq!(recommend(&[], &variants, &rows), Some(1));
    let text =
        plain(&not_enough(&Context::default(), &variants, &rows).done()).replace('\u{a0}', " ");
    assert_eq!(
        text,
        "Alone, four saves 18.0 s; three, ring saves 8.0 s. One stream: more blocks are lost. \
         Alike: no difference. Same: not decided with 3 seeds; more would tell. \
         No streams: not all blocks become safe. \
         Research: ring, −29.5 ± 1.2 s; HDFS has no code for it."
    );
}

/// Of settings that are alike within noise those that change least, whatever their order.
#[test]
fn far_beyond_the_knee_nothing_is_proposed() {
    let set = |name: &str, values: [&str; 2], recoveries: &[f64]| {
        let set = [MULTIPLIER, STREAMS].map(String::from).into_iter().zip(values.map(String::from));
        VariantRuns { set: set.collect(), ..variant(name, &[], recoveries) }
    };
    let settings = [(MULTIPLIER, "2"), (STREAMS, "4")]
        .map(|(key, value)| (key.trim_start_matches("hdfs-site.").to_string(), value.to_string()));
    let variants = [
        variant("now", &[], &[252.0, 254.0, 251.0]),
        set("24 and 64", ["24", "64"], &[71.0, 72.5, 71.0]),
        set("8 and 16", ["8", "16"], &[72.0, 73.0, 73.0]),
        set("4 and 4", ["4", "4"], &[150.0, 151.0, 149.0]),
    ];
    let rows = compare(&settings, &variants);
    assert_eq!(recommend(&settings, &variants, &rows), Some(2));
}

/// What is waited for most is not what holds the repair up, where nothing is gained without it.
#[test]
fn what_gains_most_comes_first_and_what_gains_nothing_is_said() {
    let with = |metrics: &[(&str, f64)]| {
        let mut now = variant("now", &[], &[20.0, 20.0]);
        for run in &mut now.runs {
            run.metrics.extend(metrics.iter().map(|(name, value)| (name.to_string(), *value)))
        }
        now
    };
    let held = |holder: &str, share: f64| Held {
        holder: holder.into(),
        kind: AttributionKind::Setting,
        share,
        waited_s: 20.0 * share,
        hottest: None,
        hue: Kind::Setting,
        behind: Vec::new(),
    };
    let all = Attribution {
        block: None,
        total_s: 20.0,
        shares: vec![
            held("dfs.namenode.replication.max-streams = 2", 0.6),
            held("dfs.heartbeat.interval = 3s", 0.3),
            held("dfs.namenode.redundancy.interval.seconds = 3s", 0.1),
        ],
    };
    let lines = |variants: &[VariantRuns]| {
        let gains = Gains::of(variants, &compare(&[], variants));
        let lines = held_up(&all, &gains, false);
        lines.iter().map(|line| plain(&line.text).replace('\u{a0}', " ")).collect::<Vec<_>>()
    };
    let replayed = with(&[
        ("without_max_streams_s", 19.9),
        ("without_heartbeat_s", 18.0),
        ("without_redundancy_interval_s", 14.0),
    ]);
    assert_eq!(
        lines(std::slice::from_ref(&replayed)),
        [
            "30 % less without dfs.namenode.redundancy.interval.seconds = 3s (10 % of the wait)",
            "10 % less without …heartbeat.interval = 3s (30 % of the wait)",
            "Nothing is gained wholly without …replication.max-streams = 2, 60 % of the wait: what \
             stands behind it is …redundancy.interval.seconds = 3s; another value may gain",
        ]
    );
    // Another value may gain what no limit at all does not.
    let four = variant("max-streams 4", &[STREAMS], &[10.0, 10.1]);
    assert!(lines(&[replayed, four])[0].starts_with("50 % less without dfs.namenode.replication"));
    let unknown = lines(&[with(&[])]);
    assert_eq!(unknown[0], "60 % dfs.namenode.replication.max-streams = 2");
    assert_eq!(unknown.len(), 2);
}
