//! Claims C3.1 to C3.6 of Li Cheng 2020.
use super::cases::{KeyValues, MULTI, PRODUCTION, SINGLE, cases};
use super::drawn::{LARGEST, LOADS, given_up, metric_by_draw, mixed, small, written};
use crate::policy::{Dice, Site, placement};
use page::words::num;
use std::collections::BTreeSet;
use system::claims::{Alternative, Band, Count, Estimates, Figure, Row, Value};

fn of(case: &str, metric: &'static str) -> Value {
    let found = cases().into_iter().find(|(name, _)| *name == case);
    found.expect("a case").1.metric(metric)
}

fn has(band: Band, value: f64) -> bool {
    (band.low..=band.high).contains(&value)
}

/// "3 of 60 draws (5 %)".
fn of_draws(Count { holds, of }: Count) -> String {
    format!("{holds} of {of} draws ({:.0} %)", 100.0 * holds as f64 / of.max(1) as f64)
}

pub fn rows() -> Vec<Row> {
    vec![c3_1(), c3_2a(), c3_2b(), c3_3a(), c3_3b(), c3_3c(), c3_4a(), c3_4b(), c3_5(), c3_6()]
}

/// Number of pipelines that a policy opens, and number of node sets they use.
fn opened(policy: &str, nodes: u32, limit: u32) -> (u32, usize) {
    let all = placement(policy).expect("known").place(&Site::new(nodes, 1, limit), &mut Dice(1));
    (units::u32_of(all.len()), all.iter().collect::<BTreeSet<_>>().len())
}

/// Counts without simulation.
fn c3_1() -> Row {
    let is =
        |found: f64, expected: f64| Value::exactly(found).named("count").within(expected, expected);
    let more = opened("even", 4, 3).1 - opened("even", 3, 3).1;
    // Three node sets more, but by the formula one pipeline more.
    let pipelines = Site::new(4, 1, 3).max_pipelines() - Site::new(3, 1, 3).max_pipelines();
    let mut figures = vec![is(more as f64, 3.0), is(pipelines.into(), 3.0)];
    for nodes in 3..=30 {
        figures.push(is(opened("single-raft", nodes, 2).0.into(), (nodes / 3).into()));
        for limit in 1..=6 {
            let formula = limit * nodes / 3;
            figures.push(is(opened("even", nodes, limit).0.into(), formula.into()))
        }
    }
    let ((boot, sets), formula) = (opened("scm", 5, 4), Site::new(5, 1, 4).max_pipelines());
    Row {
        id: "C3.1",
        claim: "N/3 pipelines, with multi-Raft M·N/3; a 4th node adds 3",
        document: "⌊N/3⌋, ⌊M·N/3⌋; +3",
        unit: "sets of nodes more",
        figures,
        alternatives: vec![Alternative::of(
            "pipelines opened at SCM's boot, 5 nodes, limit 4",
            format!("{boot} of {formula}, on {sets} set of nodes"),
            &[is(boot.into(), formula.into())],
        )],
        reason: |_| {
            "by construction: Tenbin's policy `even` opens the formula's number for 3–30 nodes and \
             limits of 1–6. Its 4th node adds 3 sets of nodes and, by the formula, 1 pipeline at M \
             = 3. For a real SCM the formula is a maximum, often missed by one at M = 3"
                .into()
        },
        decides: "the SCM of its version; that of 2.2: `tenbin reproduce s3 --real`",
        ..Row::default()
    }
}

const FAST: &str = "share_below_200ms";
const LATE: &str = "share_2_to_3s";

/// C3.2a: single-Raft's writes below 0.2 s \[%\].
fn fast() -> Band {
    Band::near(68.0, 0.15)
}

/// C3.2a: single-Raft's writes in 2–3 s \[%\].
fn plateau() -> Band {
    Band::above(20.0)
}

/// C3.2a: multi-Raft's writes below 0.2 s \[%\].
fn multi() -> Band {
    Band::above(98.0)
}

/// Both fractions of a single-Raft draw fit the paper's.
fn is_shape(soon: f64, late: f64) -> bool {
    has(fast(), 100.0 * soon) && has(plateau(), 100.0 * late)
}

fn c3_2a() -> Row {
    let share = |key, case, metric| of(case, metric).named(key).percent();
    let [soon, late] = [FAST, LATE].map(|metric| metric_by_draw(mixed, SINGLE, metric));
    let all = metric_by_draw(mixed, MULTI, FAST);
    let shape = Value::each([soon.clone(), late.clone()], |[s, late]| is_shape(s, late).into());
    let whole = [soon, late, all.clone()];
    let whole = Value::each(whole, |[soon, late, all]| {
        f64::from(is_shape(soon, late) && has(multi(), 100.0 * all))
    });
    let all = Value::each([all], |[all]| has(multi(), 100.0 * all).into());
    Row {
        id: "C3.2a",
        claim: "single-Raft 68 % < 0.2 s and > 20 % in 2–3 s, multi-Raft 98 % < 0.2 s",
        document: "68 % / > 20 % / 98 %",
        unit: "% below 0.2 s, single-Raft",
        figures: vec![
            share("single", "mixed single", FAST).is(fast()),
            share("late", "mixed single", LATE).is(plateau()),
            share("multi", "mixed multi", FAST).is(multi()),
            share("told", "mixed single, told at once", LATE),
            shape.named("drawn single"),
            all.named("drawn multi"),
            whole.named("drawn"),
        ],
        alternatives: c3_2a_open(),
        verdict: |of| of.verdict().and_drawn(of.count("drawn")),
        reason: c3_2a_reason,
        ..Row::default()
    }
}

fn c3_2a_reason(of: &Estimates) -> String {
    format!(
        "single-Raft: {:#} % below 0.2 s, {:#} % in 2–3 s; multi-Raft: {:#} % below 0.2 s. Writes \
         of 2–3 s wait for the notice of their commit: it comes with the heartbeat, half of the 5 \
         s election timeout later, if an entry that carries a commit was committed last (before \
         RATIS-1042); with notice at once {:.1} % are in 2–3 s. Values that Li Cheng 2020 leaves \
         open were drawn: single-Raft has this shape in {}, multi-Raft 98 % in {}, both in {}",
        of["single"],
        of["late"],
        of["multi"],
        of["told"],
        of_draws(of.count("drawn single")),
        of_draws(of.count("drawn multi")),
        of_draws(of.count("drawn"))
    )
}

fn c3_2a_open() -> Vec<Alternative> {
    let row = |what, value, (case, metric), band| {
        Alternative::of(what, value, &[of(case, metric).named("").percent().is(band)])
    };
    let single = "mixed single, bursts of 20";
    let seldom =
        |way| format!("added after a search: a burst of 20 in 20 s, exponential flushes ({way})");
    let [of_single, of_multi] = ["single", "multi"].map(seldom);
    let long = "single, seldom, long flushes";
    let (watch, majority) = ("hdds.ratis.client.request.watch.type (single)", "MAJORITY_COMMITTED");
    vec![
        row("sizes (single)", "10 B to 1 GB", ("mixed single, 10 B to 1 GB", FAST), fast()),
        row("sizes (multi)", "10 B to 1 GB", ("mixed multi, 10 B to 1 GB", FAST), multi()),
        row("workload.burst (single)", "20", (single, FAST), fast()),
        row("workload.burst (2–3 s, single)", "20", (single, LATE), plateau()),
        row("workload.burst (multi)", "20", ("mixed multi, bursts of 20", FAST), multi()),
        row(&of_single, "below 0.2 s", (long, FAST), fast()),
        row(&of_single, "2–3 s", (long, LATE), plateau()),
        row(&of_multi, "below 0.2 s", ("multi, seldom, long flushes", FAST), multi()),
        row(
            "policy.commit_notice (single)",
            "at-once",
            ("mixed single, told at once", FAST),
            fast(),
        ),
        row(watch, majority, ("mixed single, majority knows", FAST), fast()),
    ]
}

/// The number of disks used, and that these are saturated.
fn c3_2b() -> Row {
    let nodes = PRODUCTION.parse().expect("a number");
    let used = |key, case| of(case, "disks_used").named(key).per(nodes);
    let busy = || of("mixed single", "disk_busy_max").named("busy");
    let saturated = busy().above(0.95);
    Row {
        id: "C3.2b",
        claim: "single-Raft uses 4 of 10 disks, 3 of them saturated",
        document: "4 of 10",
        unit: "disks a node",
        figures: vec![
            used("single", "mixed single").within(3.0, 4.0),
            used("multi", "mixed multi"),
            busy().percent().above(95.0),
        ],
        alternatives: vec![Alternative::of(
            "disk_busy_max, at 20 writes/s",
            "saturated from 0.95",
            &[saturated],
        )],
        reason: |of| {
            format!(
                "by construction {:#.1} of 10 disks a node are used by single-Raft: three open \
                 containers and one log, some of them on one disk; multi-Raft uses {:.1}. At 20 \
                 writes/s the busiest disk is busy {:#} % of the time",
                of["single"], of["multi"], of["busy"]
            )
        },
        ..Row::default()
    }
}

/// C3.3a: latency of multi-Raft over that of single-Raft.
fn third() -> Band {
    Band::new(0.25, 0.42)
}

/// C3.3b: latency of single-Raft \[s\].
fn second() -> Band {
    Band::near(1.02, 0.25)
}

const LATENCY: &str = "latency_ms_mean";

/// 1 for each draw in which `is` holds for the latencies \[ms\] of single-Raft and multi-Raft.
fn drawn_latency(is: fn([f64; 2]) -> f64) -> Value {
    Value::each([SINGLE, MULTI].map(|way| metric_by_draw(small, way, LATENCY)), is)
}

fn c3_3a() -> Row {
    let ratio = |writers| {
        let of = |kind| of(&format!("small {kind}, {writers}"), LATENCY);
        (of("multi") / of("single")).at("ratio", writers).is(third())
    };
    let [some, one, many] = ["64 writers", "1 writer", "1024 writers"].map(ratio);
    Row {
        id: "C3.3a",
        claim: "100 KB: multi-Raft's latency is a third of single-Raft's",
        document: "1/3",
        unit: "of single-Raft's latency",
        alternatives: vec![
            Alternative::of("workload.clients", "1", std::slice::from_ref(&one)),
            Alternative::of(
                "workload.clients, om.time",
                "1024, 0.05ms",
                std::slice::from_ref(&many),
            ),
        ],
        figures: vec![
            some,
            one,
            many,
            drawn_latency(|[single, multi]| has(third(), multi / single).into()).named("drawn"),
            drawn_latency(|[single, multi]| {
                f64::from(has(third(), multi / single) && has(second(), single / 1e3))
            })
            .named("drawn, both"),
        ],
        verdict: |of| of.verdict().and_drawn(of.count("drawn")),
        reason: |of| {
            format!(
                "multi-Raft's mean latency over single-Raft's, 60 000 objects on 8 nodes: {:#.2} \
                 with 64 writers, {:#.2} with one, {:#.2} with 1024 and a fast OM. It is a third \
                 in {}; single-Raft also takes the 1 s an object of Li Cheng 2020 in {}",
                of.at("ratio", "64 writers"),
                of.at("ratio", "1 writer"),
                of.at("ratio", "1024 writers"),
                of_draws(of.count("drawn")),
                of_draws(of.count("drawn, both"))
            )
        },
        ..Row::default()
    }
}

/// Log disks that other programs use, or without a write cache.
const LONG_FLUSHES: KeyValues =
    &[("hardware.flush_time", "150ms"), ("hardware.flush_shape", "exponential")];
const HEARTBEATS: KeyValues = &[("policy.commit_notice", "next-entry")];

fn c3_3b() -> Row {
    let seconds = |case| of(case, LATENCY).named("each").per(1e3).is(second());
    let one = || seconds("small single, 1 writer");
    let with = |what, value, sets| Alternative::of(what, value, &[one()]).with(sets).seeds(1);
    Row {
        id: "C3.3b",
        claim: "single-Raft took 17 h for 60 000 objects of 100 KB",
        document: "1.02 s each",
        unit: "s each",
        figures: vec![
            one(),
            drawn_latency(|[single, _]| has(second(), single / 1e3).into()).named("drawn"),
        ],
        alternatives: vec![
            Alternative::of("workload.clients", "64", &[seconds("small single, 64 writers")]),
            with("every flush", "mean 150 ms, exponential", LONG_FLUSHES),
            with("every commit", "known at the next heartbeat", HEARTBEATS),
        ],
        verdict: |of| of.verdict().and_drawn(of.count("drawn")),
        reason: |of| {
            let each = &of["each"];
            format!(
                "60 000 objects in sequence take {} h: {each:#.2} s each; about 1 s in {}. \
                 Slower flushes, or later notices of commits, give 1 s and more: see the \
                 alternatives",
                num(each.stat.mean * 60_000.0 / 3600.0, 1),
                of_draws(of.count("drawn"))
            )
        },
        ..Row::default()
    }
}

/// Objects of a load that lasts three times as long.
const LONGER: &str = "200000";

/// Every object is written to the end, unless a client of S3 gives up on it.
fn c3_3c() -> Row {
    let single = |rate: u32| given_up(rate, SINGLE).at("single", rate).percent();
    let only = |rate: u32| {
        let both = [SINGLE, MULTI].map(|way| given_up(rate, way));
        Value::each(both, |[single, multi]| f64::from(single > 0.0 && multi == 0.0))
    };
    let loads = Value::mean(LOADS.map(only).into());
    let sustained = [("workload.objects", LONGER)];
    let longer = only(LARGEST).named("").above(0.5);
    let figures = [
        given_up(LARGEST, SINGLE).named("ours").percent(),
        loads.named("only multi-Raft").above(0.0_f64.next_up()),
        given_up(LARGEST, MULTI).named("multi").percent(),
        written(LARGEST, SINGLE).named("written"),
    ];
    Row {
        id: "C3.3c",
        claim: "100 KB: loads that single-Raft could not finish, multi-Raft finishes (an object \
                that takes longer than the 60 s of S3's usual client is not finished)",
        document: "finished",
        unit: "% given up by clients of single-Raft at the largest load",
        figures: figures.into_iter().chain(LOADS.map(single)).collect(),
        alternatives: vec![
            Alternative::of("workload.objects", LONGER, &[longer]).with(&sustained).seeds(1),
        ],
        reason: |of| {
            let all = of.list("single", |at| format!("{at:.1} % at {}", at.place));
            format!(
                "60 000 objects of 100 kB offered on 8 nodes, written to the end with the \
                 client's retries. Given up with single-Raft, by objects/s: {all}; with \
                 multi-Raft {:.1} % at the largest load. Single-Raft writes {:.0} a second of the \
                 {LARGEST} offered, so its backlog reaches a minute only with more objects",
                of["multi"], of["written"]
            )
        },
        decides: "the load and the client of Li Cheng 2020, which it does not state",
        ..Row::default()
    }
}

fn c3_4a() -> Row {
    let cv = |key, case| of(case, "disk_busy_cv").named(key);
    let uneven = |key, case| cv(key, case).above(1.0);
    let even = |key, case| cv(key, case).below(0.4);
    Row {
        id: "C3.4a",
        claim: "1 GB files: disks uneven with 1 pipeline, even with 12",
        document: "uneven / even",
        unit: "CV with 1 pipeline",
        figures: vec![
            uneven("one", "1 GB, 1 pipeline, 9 nodes"),
            even("many", "1 GB, limit 4, 9 nodes"),
        ],
        alternatives: vec![
            Alternative::of(
                "\"1 pipeline\" read as single-Raft",
                "3 pipelines",
                &[uneven("", "1 GB, single-Raft, 9 nodes")],
            ),
            Alternative::of(
                "cluster.nodes, 1 pipeline",
                "8, as Li Cheng 2020 states elsewhere",
                &[uneven("", "1 GB, 1 pipeline")],
            ),
            Alternative::of(
                "cluster.nodes, limit 4",
                "8: 10 pipelines",
                &[even("", "1 GB, limit 4")],
            ),
        ],
        reason: |of| {
            format!(
                "coefficient of variation of the disks' use, 1 000 × 1 GB on the 9 nodes that 12 \
                 pipelines need: {:#.2} with 1 pipeline (by construction: six nodes are in none, \
                 which makes 1.41 at least), {:#.2} with a limit of 4",
                of["one"], of["many"]
            )
        },
        ..Row::default()
    }
}

fn c3_4b() -> Row {
    let moves = |case: &str| of(case, "writes_per_s");
    let worse = |five, four| (moves(five) / moves(four)).named("moves").below(0.95);
    let busy = |key, case| of(case, "disk_busy_max").named(key).percent();
    let eight = worse("1 GB, limit 5", "1 GB, limit 4");
    Row {
        id: "C3.4b",
        claim: "15 pipelines overload the disks",
        document: "overloaded",
        unit: "of a limit of 4's throughput",
        figures: vec![
            worse("1 GB, limit 5, 9 nodes", "1 GB, limit 4, 9 nodes"),
            busy("busy, 5", "1 GB, limit 5, 9 nodes"),
            busy("busy, 4", "1 GB, limit 4, 9 nodes"),
        ],
        alternatives: vec![Alternative::of("cluster.nodes", "8: 13 pipelines of 10", &[eight])],
        reason: |of| {
            format!(
                "on 9 nodes a limit of 5 (15 pipelines) moves {:#.2} of what a limit of 4 (12) \
                 moves; the busiest disk is busy for {} and {} % of the time",
                of["moves"], of["busy, 5"], of["busy, 4"]
            )
        },
        ..Row::default()
    }
}

/// Throughput of a case over that of another.
fn gain(key: &'static str, case: &str, than: &str) -> Figure {
    (of(case, "writes_per_s") / of(than, "writes_per_s")).at(key, case)
}

/// The second goal of Li Cheng 2020.
fn c3_5() -> Row {
    let more = |case: &str, than| gain("more", case, than).above(1.0);
    let leaders = |case: &str, than| gain("leaders", case, than);
    Row {
        id: "C3.5",
        claim: "balancing the load of disks and network gives more write bandwidth: multi-Raft \
                over single-Raft",
        document: "higher; no number",
        unit: "times single-Raft's throughput, 1 GB files",
        figures: vec![
            more("1 GB, limit 4", "1 GB, single-Raft"),
            more("small multi, 64 writers", "small single, 64 writers"),
            leaders("1 GB, limit 4, even leaders", "1 GB, limit 4, leaders as elected"),
            leaders(
                "small multi, 64 writers, even leaders",
                "small multi, 64 writers, leaders as elected",
            ),
        ],
        reason: |of| {
            let list = |key| of.list(key, |gain| format!("{gain:#.2} ({})", gain.place));
            format!(
                "times single-Raft's throughput: {}. Leaders spread evenly, the paper's future \
                 work, over leaders as elected: {}",
                list("more"),
                list("leaders")
            )
        },
        ..Row::default()
    }
}

/// The third goal of Li Cheng 2020.
fn c3_6() -> Row {
    Row {
        id: "C3.6",
        claim: "no machine is left over: with 8 nodes instead of 6 multi-Raft writes more (more \
                than 5 %), single-Raft does not",
        document: "up to two spare machines with single-Raft",
        unit: "times the throughput of 6 nodes, multi-Raft",
        figures: vec![
            gain("multi", "1 GB, limit 4", "1 GB, limit 4, 6 nodes").above(1.05),
            gain("single", "1 GB, single-Raft", "1 GB, single-Raft, 6 nodes").within(0.95, 1.05),
        ],
        reason: |of| {
            format!(
                "8 nodes over 6, 1 GB files: multi-Raft {:#.2} times, single-Raft {:#.2} times",
                of["multi"], of["single"]
            )
        },
        ..Row::default()
    }
}
