//! Each claim, judged.
use super::base::{Bench, PRODUCTION};
use super::open::{LOADS, Open, Pairs};
use crate::policy::{Dice, Site, placement};
use analysis::Stat;
use std::collections::BTreeSet;
use system::claims::{Band, Claim, Count, Sensitivity, Verdict};

/// A value with its verdict.
fn claim(
    (id, claim, document): (&'static str, &'static str, &str),
    (ours, unit): (&Stat, &'static str),
    verdict: Verdict,
    reason: String,
    sensitivity: Vec<Sensitivity>,
) -> Claim {
    let document = document.to_string();
    let (ours, spread) = (Some(ours.mean), Some(ours.ci95));
    Claim { id, claim, document, ours, spread, unit, verdict, reason, sensitivity }
}

fn other(what: &str, value: &str, ours: &Stat, band: Band) -> Sensitivity {
    let verdict = Verdict::of([band.holds(ours)]);
    Sensitivity { what: what.into(), value: value.into(), ours: ours.mean, verdict }
}

fn percent(stat: &Stat) -> Stat {
    Stat {
        mean: stat.mean * 100.0,
        ci95: stat.ci95 * 100.0,
        min: stat.min * 100.0,
        max: stat.max * 100.0,
    }
}

fn opened(policy: &str, nodes: u32, limit: u32) -> (usize, usize) {
    let all = placement(policy).expect("known").place(&Site::new(nodes, 1, limit), &mut Dice(1));
    (all.len(), all.iter().collect::<BTreeSet<_>>().len())
}

/// Counts, which need no simulation.
pub(super) fn c31() -> Claim {
    let mut holds = Vec::new();
    for nodes in 3..=30 {
        holds.push(Some(units::u32_of(opened("single-raft", nodes, 2).0) == nodes / 3));
        for limit in 1..=6 {
            holds.push(Some(units::u32_of(opened("even", nodes, limit).0) == limit * nodes / 3))
        }
    }
    let more = opened("even", 4, 3).1 - opened("even", 3, 3).1;
    // Three sets of nodes more; by the formula one pipeline more.
    let pipelines = Site::new(4, 1, 3).most() - Site::new(3, 1, 3).most();
    holds.extend([Some(more == 3), Some(pipelines == 3)]);
    let (boot, sets) = opened("scm", 5, 4);
    let formula = Site::new(5, 1, 4).most();
    let at_boot = Sensitivity {
        what: "pipelines opened at SCM's boot, 5 nodes, limit 4".into(),
        value: format!("{boot} of {formula}, on {sets} set of nodes"),
        ours: boot as f64,
        verdict: Verdict::of([Some(units::u32_of(boot) == formula)]),
    };
    Claim {
        id: "C3.1",
        claim: "N/3 pipelines, with multi-Raft M·N/3; a 4th node brings 3 more",
        document: "⌊N/3⌋, ⌊M·N/3⌋; +3".into(),
        ours: Some(more as f64),
        spread: None,
        unit: "sets of nodes more",
        verdict: Verdict::of(holds),
        reason: "by construction, for the policies open what the formula says: counted for 3–30 \
                 nodes and limits of 1–6; the 4th node brings 3 sets of nodes more and, by the \
                 formula, 1 pipeline more at M = 3"
            .into(),
        sensitivity: vec![at_boot],
    }
}

/// What C3.2 says \[%\]: single-Raft's writes below 0.2 s and in 2–3 s, multi-Raft's below 0.2 s.
fn shape() -> [Band; 3] {
    [Band::near(68.0, 0.15), Band::above(20.0), Band::above(98.0)]
}

/// What C3.3 says: multi-Raft's latency over single-Raft's, and single-Raft's \[s\].
fn halves() -> [Band; 2] {
    [Band::new(0.25, 0.42), Band::near(1.02, 0.25)]
}

fn has(band: Band, value: f64) -> bool {
    (band.low..=band.high).contains(&value)
}

/// Shares of single-Raft below 0.2 s and in 2–3 s, and of multi-Raft.
pub(super) fn c32_latency(bench: &Bench, open: &Open) -> Claim {
    let share = |case: &str, metric: &str| percent(&bench.stat(case, metric));
    let [fast, plateau, multi] = shape();
    let below = "share_below_200ms";
    let (single, late) = (share("mixed single", below), share("mixed single", "share_2_to_3s"));
    let all = share("mixed multi", below);
    let set = Verdict::of([fast.holds(&single), plateau.holds(&late), multi.holds(&all)]);
    let (shape, soon, whole) = drawn_shapes(&open.mixed);
    let draws = open.mixed.all.len();
    let verdict = set.and_drawn(Count { holds: whole, of: draws });
    let told = share("mixed single, told at once", "share_2_to_3s");
    let reason = format!(
        "single-Raft: {:.0} ± {:.0} % below 0.2 s, {:.0} ± {:.0} % in 2–3 s; multi-Raft: {:.0} ± \
         {:.0} % below 0.2 s. What takes 2–3 s waits to be told of its commit: by the heartbeat, \
         half of the 5 s election timeout later, where an entry that tells a commit is the last \
         that was committed (before RATIS-1042); told at once {:.1} % are in 2–3 s. What the \
         document leaves open was drawn: single-Raft has this shape in {}, multi-Raft 98 % in {}, \
         both in {}",
        single.mean,
        single.ci95,
        late.mean,
        late.ci95,
        all.mean,
        all.ci95,
        told.mean,
        of_draws(shape, draws),
        of_draws(soon, draws),
        of_draws(whole, draws)
    );
    let head = (
        "C3.2a",
        "single-Raft 68 % < 0.2 s and > 20 % in 2–3 s, multi-Raft 98 % < 0.2 s",
        "68 % / > 20 % / 98 %",
    );
    let rows = c32_rows(bench);
    claim(head, (&single, "% below 0.2 s, single-Raft"), verdict, reason, rows)
}

/// C3.2a where something is otherwise that the document does not say.
fn c32_rows(bench: &Bench) -> Vec<Sensitivity> {
    let share = |case: &str, metric: &str| percent(&bench.stat(case, metric));
    let ([fast, plateau, multi], below) = (shape(), "share_below_200ms");
    let burst = |case: &str| share(case, below);
    vec![
        other("workload.burst (single)", "20", &burst("mixed single, bursts of 20"), fast),
        other(
            "workload.burst (2–3 s, single)",
            "20",
            &share("mixed single, bursts of 20", "share_2_to_3s"),
            plateau,
        ),
        other("workload.burst (multi)", "20", &burst("mixed multi, bursts of 20"), multi),
        other(
            "added after a search: a burst of 20 in 20 s, exponential flushes (single)",
            "below 0.2 s",
            &burst("single, seldom, long flushes"),
            fast,
        ),
        other(
            "added after a search: a burst of 20 in 20 s, exponential flushes (single)",
            "2–3 s",
            &share("single, seldom, long flushes", "share_2_to_3s"),
            plateau,
        ),
        other(
            "added after a search: a burst of 20 in 20 s, exponential flushes (multi)",
            "below 0.2 s",
            &burst("multi, seldom, long flushes"),
            multi,
        ),
        other(
            "policy.commit_notice (single)",
            "at-once",
            &burst("mixed single, told at once"),
            fast,
        ),
        other(
            "hdds.ratis.client.request.watch.type (single)",
            "MAJORITY_COMMITTED",
            &burst("mixed single, majority knows"),
            fast,
        ),
    ]
}

/// In how many draws single-Raft has the document's two shares, multi-Raft its one, and all three.
fn drawn_shapes(pairs: &Pairs) -> (usize, usize, usize) {
    let (soon, late) = (pairs.both("share_below_200ms"), pairs.both("share_2_to_3s"));
    let each = soon.iter().zip(&late).map(|(soon, late)| {
        let [fast, plateau, multi] = shape();
        let single = has(fast, 100.0 * soon[0]) && has(plateau, 100.0 * late[0]);
        (single, has(multi, 100.0 * soon[1]))
    });
    let all: Vec<(bool, bool)> = each.collect();
    let count = |of: &dyn Fn(&(bool, bool)) -> bool| all.iter().filter(|one| of(one)).count();
    (count(&|one| one.0), count(&|one| one.1), count(&|one| one.0 && one.1))
}

/// "3 of 60 draws (5 %)".
fn of_draws(some: usize, draws: usize) -> String {
    format!("{some} of {draws} draws ({:.0} %)", 100.0 * some as f64 / draws.max(1) as f64)
}

/// Loads that single-Raft falls behind.
pub(super) fn c33_loads(open: &Open) -> Claim {
    let (found, decided) = open.unfinished();
    let reason = match &found {
        Some((load, [single, multi])) => format!(
            "with the assumption that who falls behind does not finish: offered {load:.0} writes/s \
             of 100 kB for two minutes on 8 nodes, single-Raft ends {:.0} ± {:.0} a second, \
             multi-Raft {:.0} ± {:.0}",
            single.mean, single.ci95, multi.mean, multi.ci95
        ),
        None => format!(
            "with the assumption that who falls behind does not finish: no load up to {} writes/s \
             of 100 kB surely was finished by multi-Raft alone",
            LOADS[LOADS.len() - 1]
        ),
    };
    Claim {
        id: "C3.3c",
        claim: "100 KB: loads that single-Raft could not finish, multi-Raft finishes",
        document: "finished".into(),
        ours: found.as_ref().map(|(load, _)| *load),
        spread: None,
        unit: "writes/s, the first such load",
        verdict: Verdict::of([decided]),
        reason,
        sensitivity: Vec::new(),
    }
}

/// Disks that single-Raft uses, of ten.
pub(super) fn c32_disks(bench: &Bench) -> Claim {
    let per_node = |case: &str| {
        let s = bench.stat(case, "disks_used");
        let nodes: f64 = PRODUCTION.parse().expect("a number");
        let [mean, ci95, min, max] = [s.mean, s.ci95, s.min, s.max].map(|n| n / nodes);
        Stat { mean, ci95, min, max }
    };
    let band = Band::new(3.0, 4.0);
    let ours = per_node("mixed single");
    // The statement has two halves: how many disks are used, and that these have no time left.
    let (busy, full) = (bench.stat("mixed single", "disk_busy_max"), Band::above(0.95));
    let reason = format!(
        "by construction {:.1} ± {:.1} of 10 disks a node are used by single-Raft: three open \
         containers and one log, some of them on one disk; multi-Raft uses {:.1}. At 20 writes/s \
         the busiest disk is busy {:.0} ± {:.0} % of the time",
        ours.mean,
        ours.ci95,
        per_node("mixed multi").mean,
        100.0 * busy.mean,
        100.0 * busy.ci95
    );
    let saturated = other("disk_busy_max, at 20 writes/s", "saturated from 0.95", &busy, full);
    let verdict = Verdict::of([band.holds(&ours), full.holds(&busy)]);
    let head = ("C3.2b", "single-Raft uses 4 of 10 disks, 3 of them saturated", "4 of 10");
    claim(head, (&ours, "disks a node"), verdict, reason, vec![saturated])
}

/// Latency of multi-Raft over that of single-Raft, 100 kB.
pub(super) fn c33_ratio(bench: &Bench, open: &Open) -> Claim {
    let ratio = |writers: &str| {
        let name = |kind: &str| format!("small {kind}, {writers}");
        bench.ratio("latency_ms_mean", &name("multi"), &name("single"))
    };
    let [band, _] = halves();
    let (one, some, many) = (ratio("1 writer"), ratio("64 writers"), ratio("1024 writers"));
    let (third, _, both) = drawn_halves(&open.small);
    let draws = open.small.all.len();
    let set = Verdict::of([&one, &some, &many].map(|r| band.holds(r)));
    let verdict = set.and_drawn(Count { holds: third, of: draws });
    let reason = format!(
        "multi-Raft's mean latency over single-Raft's, 60 000 objects on 8 nodes: {:.2} ± {:.2} \
         with 64 writers, {:.2} ± {:.2} with one, {:.2} ± {:.2} with 1024 and a fast OM. It is a \
         third in {}; single-Raft takes the document's 1 s an object as well in {}",
        some.mean,
        some.ci95,
        one.mean,
        one.ci95,
        many.mean,
        many.ci95,
        of_draws(third, draws),
        of_draws(both, draws)
    );
    let sensitivity = vec![
        other("workload.clients", "1", &one, band),
        other("workload.clients, om.time", "1024, 0.05ms", &many, band),
    ];
    let head = ("C3.3a", "100 KB: multi-Raft's latency is a third of single-Raft's", "1/3");
    claim(head, (&some, "of single-Raft's latency"), verdict, reason, sensitivity)
}

/// How long single-Raft takes for one 100 kB object.
pub(super) fn c33_absolute(bench: &Bench, open: &Open) -> Claim {
    let seconds = |case: &str| {
        let s = bench.stat(case, "latency_ms_mean");
        Stat { mean: s.mean / 1e3, ci95: s.ci95 / 1e3, min: s.min / 1e3, max: s.max / 1e3 }
    };
    let [_, band] = halves();
    let ours = seconds("small single, 1 writer");
    let some = seconds("small single, 64 writers");
    let (_, slow, _) = drawn_halves(&open.small);
    let draws = open.small.all.len();
    let drawn = Count { holds: slow, of: draws };
    let verdict = Verdict::of([band.holds(&ours)]).and_drawn(drawn);
    let reason = format!(
        "60 000 objects one after the other take {:.1} h: {:.2} ± {:.2} s each; about 1 s in {}",
        ours.mean * 60_000.0 / 3600.0,
        ours.mean,
        ours.ci95,
        of_draws(slow, draws)
    );
    let sensitivity = vec![other("workload.clients", "64", &some, band)];
    let head = ("C3.3b", "single-Raft took 17 h for 60 000 objects of 100 KB", "1.02 s each");
    claim(head, (&ours, "s each"), verdict, reason, sensitivity)
}

/// In how many draws multi-Raft takes a third, single-Raft a second an object, and both.
fn drawn_halves(pairs: &Pairs) -> (usize, usize, usize) {
    let half = |[single, multi]: &[f64; 2]| {
        let [third, second] = halves();
        (has(third, multi / single), has(second, single / 1e3))
    };
    let all: Vec<(bool, bool)> = pairs.both("latency_ms_mean").iter().map(half).collect();
    let count = |of: &dyn Fn(&(bool, bool)) -> bool| all.iter().filter(|one| of(one)).count();
    (count(&|one| one.0), count(&|one| one.1), count(&|one| one.0 && one.1))
}

/// Evenness of disks with one pipeline and with a limit of four.
pub(super) fn c34_even(bench: &Bench) -> Claim {
    let cv = |case: &str| bench.stat(case, "disk_busy_cv");
    let (one, many) = (cv("1 GB, 1 pipeline"), cv("1 GB, limit 4"));
    let (uneven, even) = (Band::above(1.0), Band::below(0.4));
    let verdict = Verdict::of([uneven.holds(&one), even.holds(&many)]);
    let reason = format!(
        "coefficient of variation of the disks' use, 1 000 × 1 GB on 8 nodes: {:.2} ± {:.2} with 1 \
         pipeline (by construction: five nodes are in none, which makes 1.29 at least), {:.2} ± \
         {:.2} with a limit of 4, which is 10 pipelines there (12 on 9 nodes)",
        one.mean, one.ci95, many.mean, many.ci95
    );
    let rows = vec![
        other(
            "\"1 pipeline\" read as single-Raft",
            "2 pipelines",
            &cv("1 GB, single-Raft"),
            uneven,
        ),
        other("cluster.nodes, limit 4", "9: 12 pipelines", &cv("1 GB, limit 4, 9 nodes"), even),
    ];
    let head = ("C3.4a", "1 GB files: disks uneven with 1 pipeline, even with 12", "uneven / even");
    claim(head, (&one, "CV with 1 pipeline"), verdict, reason, rows)
}

/// Whether a limit of five is too much.
pub(super) fn c34_over(bench: &Bench) -> Claim {
    let ours = bench.ratio("writes_per_s", "1 GB, limit 5", "1 GB, limit 4");
    let nine = bench.ratio("writes_per_s", "1 GB, limit 5, 9 nodes", "1 GB, limit 4, 9 nodes");
    let worse = Band::below(0.95);
    let reason = format!(
        "on 8 nodes a limit of 5 (13 pipelines) moves {:.2} ± {:.2} of what a limit of 4 (10) \
         moves; the busiest disk is busy for {:.0} and {:.0} % of the time",
        ours.mean,
        ours.ci95,
        bench.stat("1 GB, limit 5", "disk_busy_max").mean * 100.0,
        bench.stat("1 GB, limit 4", "disk_busy_max").mean * 100.0
    );
    let head = ("C3.4b", "15 pipelines overload the disks", "overloaded");
    claim(
        head,
        (&ours, "of a limit of 4's throughput"),
        Verdict::of([worse.holds(&ours)]),
        reason,
        vec![other("cluster.nodes", "9: 15 pipelines of 12", &nine, worse)],
    )
}
