//! The claims of Higai et al. 2014.
use super::assumptions::{
    Assumption, IN_ONE_RACK, JOINED, alternatives, common_reason, count_outcomes, extremes,
    format_estimate, waiting,
};
use super::cell::{Cell, DISKS, FAST, Link, ONE_RACK, SLOW, TWO_RACKS, cells};
use analysis::stat::SAME;
use system::claims::{Alternative, Band, Figure, Row, Value};

/// 105 MB/s over 65 MB/s.
const RATIO: f64 = 105.0 / 65.0;
/// Where the paper's curves end \[MB/s\].
pub const LEVEL: f64 = 385.0;
const DEFAULT: &str = "default";
const RING: &str = "ring";
const PRIORITY: &str = "ring-priority";

/// An open interval.
fn within(low: f64, high: f64) -> Band {
    Band::new(low.next_up(), high.next_down())
}

fn above(low: f64) -> Band {
    Band::above(low.next_up())
}

fn below(high: f64) -> Band {
    Band::below(high.next_down())
}

/// Less than 5 % from `value`.
fn about(value: f64) -> Band {
    within(value * (1.0 - SAME), value * (1.0 + SAME))
}

/// For a ratio to a rival: less than 5 % above it.
fn no_advantage() -> Band {
    below(1.0 + SAME)
}

/// Name of a place where a statement is checked, and the value there.
type Place = (String, Value);

/// Throughput of each cell over that of its rival.
fn gains(cells: Vec<Cell>, rival: impl Fn(Cell) -> Cell) -> Vec<Place> {
    let gain = |cell: Cell| (cell.label(), cell.throughput() / rival(cell).throughput());
    cells.into_iter().map(gain).collect()
}

/// Throughput from each N to the next, under each policy and disk.
fn steps(link: Option<Link>, sizes: &[u32], policies: &[&'static str]) -> Vec<Place> {
    let mut places = Vec::new();
    for pair in sizes.windows(2) {
        let before = |cell: Cell| Cell { nodes: pair[0], ..cell };
        for (name, value) in gains(cells(&pair[1..], &DISKS, link, policies), before) {
            places.push((format!("{} → {name}", pair[0]), value))
        }
    }
    places
}

fn places(key: &'static str, all: &[Place], band: Band) -> Vec<Figure> {
    all.iter().map(|(name, value)| value.clone().at(key, name).is(band)).collect()
}

/// Tenbin's value: the mean over places.
fn pooled(all: &[Place], band: Band) -> Vec<Figure> {
    let values = all.iter().map(|(_, value)| value.clone()).collect();
    vec![Value::mean(values).named("ours").shown_in(band)]
}

fn usual(all: &[Place], band: Band) -> Vec<Figure> {
    [pooled(all, band), places("place", all, band)].concat()
}

fn ruled(reason: String, rule: &str) -> String {
    format!("{reason}. Rule: {rule}.")
}

/// `assumptions`, and a default that waits for busy sources.
fn tried(
    assumptions: &[Assumption],
    figures: impl Fn(&'static str) -> Vec<Figure>,
) -> Vec<Alternative> {
    let mut all = alternatives(assumptions, &figures(DEFAULT));
    all.push(waiting(figures));
    all
}

pub fn rows() -> Vec<Row> {
    vec![c0_1(), c0_2(), c0_3(), c0_4(), c0_5(), c0_6(), c0_7(), c0_8(), c0_9()]
}

fn c0_1() -> Row {
    let figures = usual(&steps(None, &ONE_RACK, &[DEFAULT, RING]), above(1.0));
    Row {
        id: "C0.1",
        claim: "one rack: throughput grows with N, for both schemes and both disks",
        document: "> 1",
        unit: "throughput at an N / at the N before",
        alternatives: alternatives(&IN_ONE_RACK, &figures),
        figures,
        reason: |of| {
            let reason = common_reason(of, "throughput over that of the N before");
            ruled(reason, "the ratio of a step of N, above 1")
        },
        ..Row::default()
    }
}

fn c0_2() -> Row {
    let fast = cells(&ONE_RACK, &[105], None, &[DEFAULT, RING]);
    let figures = usual(&gains(fast, |cell| cell.with_disk(65)), about(RATIO));
    Row {
        id: "C0.2",
        claim: "throughput at 105 over that at 65 MB/s is about 105/65: the disk is the limit",
        document: "1.62",
        unit: "throughput at 105 MB/s / at 65 MB/s",
        alternatives: alternatives(&IN_ONE_RACK, &figures),
        figures,
        reason: |of| {
            let what = "throughput with the faster disk over that with the slower one";
            let rule = "the ratio at an N, within 5 % of 105/65";
            ruled(common_reason(of, what), rule)
        },
        ..Row::default()
    }
}

fn c0_3() -> Row {
    let figures = |default| {
        let rings = cells(&ONE_RACK, &DISKS, None, &[RING]);
        // Percents are printed whole.
        usual(&gains(rings, |cell| cell.with_policy(default)), within(1.195, 1.255))
    };
    Row {
        id: "C0.3",
        claim: "one rack: the ring is 20–25 % above the default, at every N",
        document: "1.20–1.25",
        unit: "throughput of ring / of default",
        figures: figures(DEFAULT),
        alternatives: tried(&IN_ONE_RACK, figures),
        reason: |of| {
            let reason = common_reason(of, "the ring's throughput over the default's");
            ruled(reason, "the ratio at an N, within 1.20–1.25 as printed")
        },
        ..Row::default()
    }
}

fn c0_4() -> Row {
    let largest = |policy| cells(&[32], &DISKS, Some(SLOW), &[policy]);
    let schemes: Vec<Cell> = [DEFAULT, RING].into_iter().flat_map(largest).collect();
    let level = |cell: &Cell| (cell.label(), cell.throughput());
    let levels: Vec<Place> = schemes.iter().map(level).collect();
    let last = gains(schemes, |cell| Cell { nodes: 16, ..cell });
    let rivals = cells(&TWO_RACKS, &DISKS, Some(SLOW), &[RING, PRIORITY]);
    let over = |(name, value): Place| (format!("{name} over default"), value);
    let over: Vec<Place> =
        gains(rivals, |cell| cell.with_policy(DEFAULT)).into_iter().map(over).collect();
    let mut figures = pooled(&levels, about(LEVEL));
    figures.extend(places("level", &levels, about(LEVEL)));
    figures.extend(places("last step", &last, about(1.0)));
    figures.extend(places("over default", &over, no_advantage()));
    Row {
        id: "C0.4",
        claim: "two racks, 125 MB/s between them: saturates at about 385 MB/s as N grows, no clear \
                advantage of the proposal",
        document: "385",
        unit: "MB/s at the largest N",
        alternatives: alternatives(&JOINED, &figures),
        figures,
        reason: |of| {
            let ((least, most), (_, best)) = (extremes(of, "level"), extremes(of, "over default"));
            let reason = format!(
                "at 2 × 32 nodes {} to {} MB/s; a third of the blocks must cross the link, so 3 × \
                 125 MB/s is the cap; the proposal's largest ratio to the default is {} ({}); the \
                 statement {}",
                format_estimate(least),
                format_estimate(most),
                format_estimate(best),
                best.place,
                count_outcomes(of.places()),
            );
            let rule = "the default and the ring without priority (for that with it see C0.5) at \
                        2 × 32 nodes, within 5 % of 385 MB/s; the ratio of the last step of N, \
                        within 5 % of 1; the ratio of each ring to the default at every N, less \
                        than 5 % above 1";
            ruled(reason, rule)
        },
        ..Row::default()
    }
}

fn c0_5() -> Row {
    let rivals = cells(&TWO_RACKS, &DISKS, Some(SLOW), &[PRIORITY]);
    let figures = usual(&gains(rivals, |cell| cell.with_policy(DEFAULT)), below(1.0));
    Row {
        id: "C0.5",
        claim: "two racks, 125 MB/s between them: with priority is below the default",
        document: "< 1",
        unit: "throughput of ring-priority / of default",
        alternatives: alternatives(&JOINED, &figures),
        figures,
        reason: |of| {
            let reason = common_reason(of, "throughput with priority over the default's");
            ruled(reason, "the ratio at an N, below 1")
        },
        ..Row::default()
    }
}

fn c0_6() -> Row {
    let schemes = [DEFAULT, RING, PRIORITY];
    let fast = cells(&TWO_RACKS, &[105], Some(FAST), &schemes);
    let ratios = gains(fast, |cell| cell.with_disk(65));
    let growth = steps(Some(FAST), &TWO_RACKS, &schemes);
    let mut figures = pooled(&ratios, about(RATIO));
    figures.extend(places("disks", &ratios, about(RATIO)));
    figures.extend(places("growth", &growth, above(1.0)));
    Row {
        id: "C0.6",
        claim: "two racks, 1.25 GB/s between them: throughput grows with N, and the disks' ratio \
                is as in C0.2",
        document: "1.62",
        unit: "throughput at 105 MB/s / at 65 MB/s",
        alternatives: alternatives(&JOINED, &figures),
        figures,
        reason: |of| {
            let ((least, most), (slowest, _)) = (extremes(of, "disks"), extremes(of, "growth"));
            let reason = format!(
                "the ratio of disks is {} ({}) to {} ({}); the smallest growth of a step of N is \
                 {} ({}); the statement {}",
                format_estimate(least),
                least.place,
                format_estimate(most),
                most.place,
                format_estimate(slowest),
                slowest.place,
                count_outcomes(of.places()),
            );
            let rule = "the ratio of disks at an N, within 5 % of 105/65; the ratio of a step of \
                        N, above 1";
            ruled(reason, rule)
        },
        ..Row::default()
    }
}

fn c0_7() -> Row {
    let figures = |default| {
        let over = |policy| {
            let cells = cells(&TWO_RACKS, &DISKS, Some(FAST), &[policy]);
            gains(cells, |cell| cell.with_policy(default))
        };
        let (without, with) = (over(RING), over(PRIORITY));
        let with = places("with", &with, about(1.0));
        [pooled(&without, about(1.30)), places("without", &without, about(1.30)), with].concat()
    };
    Row {
        id: "C0.7",
        claim: "two racks, 1.25 GB/s between them: without priority about 30 % above the default, \
                with priority about equal to it",
        document: "1.30",
        unit: "throughput of ring (without priority) / of default",
        figures: figures(DEFAULT),
        alternatives: tried(&JOINED, figures),
        reason: |of| {
            let one = |key| {
                let (least, most) = extremes(of, key);
                format!(
                    "{key} priority {} to {} times the default (the statement {})",
                    format_estimate(least),
                    format_estimate(most),
                    count_outcomes(of.all(key)),
                )
            };
            let rule = "the ratio at an N, without priority within 5 % of 1.30, with priority \
                        within 5 % of 1";
            ruled(["without", "with"].map(one).join("; "), rule)
        },
        ..Row::default()
    }
}

fn c0_8() -> Row {
    let (mut times, mut costs) = (Vec::new(), Vec::new());
    for link in [SLOW, FAST] {
        for cell in cells(&TWO_RACKS, &DISKS, Some(link), &[PRIORITY]) {
            let (rival, name) =
                (cell.with_policy(RING), format!("{}, link {}", cell.label(), link[0]));
            let time = cell.one_rack_only() / rival.one_rack_only();
            times.push((format!("{name}, time"), time));
            let cost = cell.throughput() / rival.throughput();
            costs.push((format!("{name}, throughput"), cost))
        }
    }
    let costs = places("throughput", &costs, no_advantage());
    let figures = [pooled(&times, below(1.0)), places("time", &times, below(1.0)), costs].concat();
    Row {
        id: "C0.8",
        claim: "the time during which some block has all its survivors in one rack gets shorter \
                with priority, at equal or lower throughput (what priority is for; not measured \
                there)",
        document: "< 1",
        unit: "time at one rack, ring-priority / ring",
        alternatives: alternatives(&JOINED, &figures),
        figures,
        reason: |of| {
            let ((least, most), costs) = (extremes(of, "time"), extremes(of, "throughput"));
            let reason = format!(
                "with priority the time is {} to {} of that without, at {} to {} of the \
                 throughput; the statement {}",
                format_estimate(least),
                format_estimate(most),
                format_estimate(costs.0),
                format_estimate(costs.1),
                count_outcomes(of.places()),
            );
            let rule = "the ratio of times at an N, below 1; the ratio of throughputs there, less \
                        than 5 % above 1";
            ruled(reason, rule)
        },
        ..Row::default()
    }
}

fn c0_9() -> Row {
    let rings = cells(&[6], &DISKS, None, &[RING]);
    let figures = usual(&gains(rings, |cell| cell.with_policy("optimised")), about(1.0));
    Row {
        id: "C0.9",
        claim: "real cluster, 6 DataNodes, one removed: the heuristic equals the optimised scheme \
                in throughput",
        document: "1",
        unit: "throughput of ring / of optimised",
        alternatives: alternatives(&IN_ONE_RACK, &figures),
        figures,
        // The claim is about a real cluster.
        verdict: |of| of.verdict().with_these_assumptions(),
        decides: "real daemons: `tenbin reproduce s0 --real --jar FILE`",
        reason: |of| {
            let reason = common_reason(of, "the ring's throughput over the optimised scheme's");
            let rule = "the ratio at 6 nodes in one rack for a disk, within 5 % of 1";
            ruled(reason, rule)
        },
        ..Row::default()
    }
}
