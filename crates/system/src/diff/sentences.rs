//! Sentences about two runs.
use super::cause::{self, both_of};
use super::data::{
    ChangedSetting, CurveGap, Diff, FirstRecord, HolderPair, NodePair, Pair, Parts, Record,
    RunSummary,
};
use crate::figures::{Difference, PairedDifference};
use crate::reporter::{figure, hue, interval, measured, with_noun};
use page::words::{NB, count, decimals, duration, list, num, percent};
use page::{Kind, Sentence, Unit, say, strong};
use trace::reading::{End, Objective};

/// The command that makes a band.
const SEVERAL: &str = "tenbin run SCENARIO --seeds 20";

/// Most changed keys that the answer names.
const NAMED: usize = 2;

const HOLDERS: usize = 4;

/// A warning if the runs differ only in their seeds: the difference is no gain.
pub(super) fn chance(
    runs: &[RunSummary; 2],
    settings: Option<&[ChangedSetting]>,
    against: Option<&PairedDifference>,
) -> Sentence {
    let is_run = |run: &RunSummary| run.origin != "logged" && run.seeds == 1;
    let is_same = settings.is_some_and(<[ChangedSetting]>::is_empty);
    match against.filter(|against| against.mean != 0.0) {
        Some(_) if is_same && runs.iter().all(is_run) => {
            say("Same settings: the difference is chance.")
        }
        _ => Sentence::new(),
    }
}

/// Which run is better, by how much, and with which settings.
pub(super) fn answer(
    objective: &Objective,
    runs: &[RunSummary; 2],
    settings: &[ChangedSetting],
    against: Option<&PairedDifference>,
) -> Sentence {
    let Some(against) = against else { return unended(objective, runs) };
    let [first, second] = runs;
    let with = with(settings);
    let is_plain = matches!(against.verdict, Difference::Better | Difference::Worse);
    let the = if with.is_empty() && is_plain { "The" } else { "the" };
    let (subject, word, other) = match objective.metric.strip_suffix("_per_s") {
        Some(what) => {
            let word = if against.mean > 0.0 { "more" } else { "fewer" };
            let what = what.replace('_', " ");
            (format!("{} does", second.name), format!("{what}/s {word}"), first.name.clone())
        }
        None => {
            let word = match (objective.unit.as_str(), against.mean > 0.0) {
                ("s" | "ms", true) => "longer",
                ("s" | "ms", false) => "shorter",
                (_, true) => "more",
                (_, false) => "less",
            };
            let subject = format!("{the} {} of {} is", measured(objective), second.name);
            (subject, word.to_string(), format!("that of {}", first.name))
        }
    };
    let ci95 = Some(against.ci95).filter(|ci95| *ci95 > 0.0);
    let by = interval(objective, against.mean.abs(), ci95);
    let part = match first.value.map(|value| percent((against.mean / value.mean).abs())) {
        Some(part) if !part.starts_with('0') && part.starts_with(|c: char| c.is_ascii_digit()) => {
            format!(" ({part})")
        }
        _ => String::new(),
    };
    let than = format!("{word} than {other}{part}");
    let no = |word: &str| if with.is_empty() { page::words::capital(word) } else { word.into() };
    match against.verdict {
        Difference::Better | Difference::Worse => {
            with.say(format!("{subject} ")).number(by).say(format!(" {than}."))
        }
        Difference::None if against.mean == 0.0 => {
            let no = no("no difference");
            with.number(no).say(format!(": {} in both.", said(objective, first)))
        }
        Difference::None => {
            let no = no("no difference");
            with.number(no).say(format!(": {subject} {by} {than}."))
        }
        Difference::Open => {
            let no = no("not decided");
            with.number(no).say(format!(": {subject} {by} {than}. Add seeds."))
        }
    }
}

/// "With policy.queue = lifo instead of fifo, "; empty without a change.
fn with(settings: &[ChangedSetting]) -> Sentence {
    let named = settings.iter().take(NAMED).enumerate();
    let all = named.fold(Sentence::new(), |said, (place, changed)| {
        let said = said.say(if place == 0 { "With " } else { " and " });
        match &changed.values {
            [Some(old), Some(new)] => {
                said.key(format!("{} = {new}", changed.key)).say(format!(" instead of {old}"))
            }
            [None, Some(new)] => said.key(format!("{} = {new}", changed.key)),
            [_, None] => said.say("no ").key(changed.key.clone()),
        }
    });
    match settings.len() {
        0 => all,
        n if n > NAMED => {
            let more = count((n - NAMED) as u64, "other key");
            all.say(format!(" (and {more}), "))
        }
        _ => all.say(", "),
    }
}

fn unended(objective: &Objective, runs: &[RunSummary; 2]) -> Sentence {
    let one = |ended: &RunSummary, value: f64, other: &RunSummary| {
        say(format!("{} has a {} of ", ended.name, measured(objective)))
            .number(Unit::from(objective.unit.as_str()).write(value))
            .say(format!("; {} does not end.", other.name))
    };
    match (runs[0].value, runs[1].value) {
        (Some(value), _) => one(&runs[0], value.mean, &runs[1]),
        (_, Some(value)) => one(&runs[1], value.mean, &runs[0]),
        _ => Sentence::new()
            .number("Neither")
            .say(format!(" {} nor {} ends.", runs[0].name, runs[1].name)),
    }
}

/// "26.7 s (25.1 s–28.0 s)"
fn said(objective: &Objective, run: &RunSummary) -> String {
    let unit = Unit::from(objective.unit.as_str());
    match run.value {
        None if run.seeds > 1 => "at least one seed does not end".into(),
        None => "does not end".into(),
        Some(stat) if stat.min == stat.max => with_noun(objective, stat.mean),
        Some(stat) => {
            let end = |value: f64| match objective.unit.as_str() {
                "1/s" => figure(value),
                _ => unit.write(value),
            };
            let (low, high) = (end(stat.min), end(stat.max));
            format!("{} ({low}–{high})", with_noun(objective, stat.mean))
        }
    }
}

/// Both values, the changed bottleneck, each log's own verdict, and whether to trust the model.
pub(super) fn sub(diff: &Diff) -> Sentence {
    let Diff { objective, runs, .. } = diff;
    let one = |run: &RunSummary| {
        let how = match (run.origin.as_str(), run.seeds) {
            ("logged", _) => "as logged".into(),
            (_, n) => count(u64::from(n), "seed"),
        };
        format!("{}: {}, {how}", run.name, said(objective, run))
    };
    let both = say(format!("{}; {}.", one(&runs[0]), one(&runs[1])));
    let changed = match diff.not_comparable.is_empty() {
        true => cause::sentence(diff),
        false => Sentence::new(),
    };
    both.then(changed).then(by_itself(runs)).then(trusted(runs))
}

fn by_itself(runs: &[RunSummary; 2]) -> Sentence {
    let of = |run: &RunSummary| {
        let verdict = &run.finished.as_ref()?.verdict;
        Some(format!("{} on its own: {verdict}", run.name))
    };
    say(runs.iter().filter_map(of).collect::<Vec<_>>().join(" "))
}

/// One line per bottleneck, with its hue.
pub(super) fn held_up(held: &[HolderPair]) -> Vec<(Kind, Sentence)> {
    let is_much = |pair: &&HolderPair| pair.shares[0].max(pair.shares[1]) >= 0.005;
    let line = |pair: &HolderPair| {
        let [a, b] = pair.shares.map(percent);
        let line = cause::named(strong(format!("{a} → {b} ")), pair);
        let seconds = pair.seconds.map_or(String::new(), |_| format!(": {}", both_of(pair)));
        (hue(pair.role), line.say(seconds))
    };
    held.iter().filter(is_much).take(HOLDERS).map(line).collect()
}

/// Largest relative error of a model that still counts as near.
const NEAR: f64 = 0.1;

/// For a log and a model of it: whether to rely on the model.
fn trusted(runs: &[RunSummary; 2]) -> Sentence {
    let is_logged = |run: &&RunSummary| run.origin == "logged";
    let (Some(log), Some(model)) =
        (runs.iter().find(is_logged), runs.iter().find(|run| !is_logged(run)))
    else {
        return Sentence::new();
    };
    let (Some(real), Some(ours)) = (log.value, model.value) else { return Sentence::new() };
    if real.mean == 0.0 {
        return Sentence::new();
    }
    let off = ours.mean / real.mean - 1.0;
    let within = model.seeds > 1 && (ours.min..=ours.max).contains(&real.mean);
    let (by, way) = (percent(off.abs()), if off < 0.0 { "low" } else { "high" });
    say(match () {
        () if within => "The log is within the seeds’ range: the model holds here.".into(),
        () if off.abs() <= NEAR => format!("The model is {by} too {way} here: close enough."),
        () => format!("The model is {by} too {way} here: do not use it."),
    })
}

/// One sentence per curve, and the first different record.
pub(super) fn parting(
    runs: &[RunSummary; 2],
    curves: &[Pair],
    record: Option<&FirstRecord>,
) -> Vec<Sentence> {
    let of_curve = |pair: &Pair| {
        let words = match &pair.parts {
            None => farthest(runs, pair),
            Some(parts) if parts.bands.len() == 2 => bands(runs, parts),
            Some(parts) => leaves(runs, parts),
        };
        strong(format!("{}: ", pair.title)).say(words)
    };
    let mut all: Vec<Sentence> = curves.iter().map(of_curve).collect();
    let is_run = |run: &RunSummary| run.origin != "logged";
    if curves.iter().any(|pair| pair.parts.is_none()) && runs.iter().any(is_run) {
        let none = "Neither has several seeds, so chance is unknown: make a band with ";
        all.push(say(none).code(SEVERAL).say("."))
    }
    all.extend(record.map(|record| first_record(runs, record)));
    all
}

fn first_record(runs: &[RunSummary; 2], record: &FirstRecord) -> Sentence {
    let one = |(run, record): (&RunSummary, &Option<Record>)| match record {
        Some(Record { what, start_s, end_s }) => {
            format!("{}, {what} from {} to {}", run.name, moment(*start_s), moment(*end_s))
        }
        None => format!("{}, no more records", run.name),
    };
    let both: Vec<String> = runs.iter().zip(&record.records).map(one).collect();
    strong("First different record: ").say(format!(
        "at {}; in {}; in {}.",
        moment(record.at_s),
        both[0],
        both[1]
    ))
}

/// "48.0 s", "0.64 ms", "12.0 us".
fn moment(seconds: f64) -> String {
    let scaled =
        |by: f64, unit: &str| format!("{}{NB}{unit}", num(by * seconds, decimals(by * seconds)));
    match seconds {
        0.0 => "0".into(),
        s if s < 1e-4 => scaled(1e6, "us"),
        s if s < 0.1 => scaled(1e3, "ms"),
        s => duration(s),
    }
}

fn farthest(runs: &[RunSummary; 2], pair: &Pair) -> String {
    let [a, b] = pair.farthest.values;
    if a == b {
        return "the same at all times.".into();
    }
    let apart = match pair.apart_from_s {
        Some(from) => format!("they differ by 5{NB}% from {} on and ", at(from)),
        None => "they never differ by 5 %; they ".into(),
    };
    let is_whole = [a, b].iter().all(|value| value % 1.0 == 0.0);
    let digits = if is_whole { 0 } else { decimals(a.abs().max(b.abs())) };
    let shown = |value: f64| num(value, digits);
    format!(
        "{apart}differ most at {}: {} in {}, {} in {}.",
        at(pair.farthest.at_s),
        shown(a),
        runs[0].name,
        shown(b),
        runs[1].name
    )
}

fn bands(runs: &[RunSummary; 2], parts: &Parts) -> String {
    let (a, b) = (&runs[0], &runs[1]);
    let both = format!("the bands of {} and {} seeds", a.seeds, b.seeds);
    let (Some(first), Some(longest)) = (parts.spans.first(), longest(parts)) else {
        return format!("{both} overlap at all times.");
    };
    let above = |span: &CurveGap| if span.above { &b.name } else { &a.name };
    let start = format!("{both} separate at {}, {} above", at(first.from_s), above(first));
    let (from, to) = (at(longest.from_s), duration(longest.to_s));
    let most = match parts.spans.len() {
        1 => format!(", until {to}"),
        _ => format!(", and longest from {from} to {to}, {} above", above(longest)),
    };
    let whole = format!("{} of {}", duration(parts.outside_s), duration(parts.until_s));
    format!("{start}{most}; total time apart: {whole}.")
}

fn longest(parts: &Parts) -> Option<&CurveGap> {
    let length = |span: &&CurveGap| span.to_s - span.from_s;
    parts.spans.iter().max_by(|a, b| length(a).total_cmp(&length(b)))
}

fn leaves(runs: &[RunSummary; 2], parts: &Parts) -> String {
    let banded = parts.bands.first().copied().unwrap_or_default() as usize;
    let (of, one) = (&runs[banded], &runs[1 - banded]);
    let band = format!("the band of {}’s {}", of.name, count(u64::from(of.seeds), "seed"));
    let Some(first) = parts.spans.first() else {
        return format!("{} stays inside {band}.", one.name);
    };
    // `above` refers to the second run.
    let over = |span: &CurveGap| if span.above == (banded == 0) { "above" } else { "below" };
    let from = at(first.from_s);
    let start = format!("{} leaves {band} at {from}, {} it, ", one.name, over(first));
    let start = start + &back(parts, first, over);
    let alike = match (parts.alike, parts.seeds) {
        (Some(0), Some(n)) => {
            format!("; none of the {n} seeds is outside the others’ band for this time")
        }
        (Some(1), Some(n)) => {
            format!("; 1 of the {n} seeds is outside the others’ band for this time")
        }
        (Some(k), Some(n)) => {
            format!("; {k} of the {n} seeds are outside the others’ band for this time")
        }
        _ => String::new(),
    };
    let share = format!("outside for {} of {}", duration(parts.outside_s), duration(parts.until_s));
    format!("{start}; in total {share}{alike}.")
}

/// When the run is inside again; if it leaves repeatedly, its longest time outside.
fn back(parts: &Parts, first: &CurveGap, over: impl Fn(&CurveGap) -> &'static str) -> String {
    match longest(parts) {
        Some(most) if parts.spans.len() > 1 => {
            let (from, to) = (at(most.from_s), duration(most.to_s));
            let other = match most.above == first.above {
                true => String::new(),
                false => format!(", {} it", over(most)),
            };
            format!("and is longest outside from {from} to {to}{other}")
        }
        _ if first.to_s < parts.until_s => format!("and returns at {}", duration(first.to_s)),
        _ => "and does not return".into(),
    }
}

fn at(seconds: f64) -> String {
    if seconds == 0.0 { "the beginning".into() } else { moment(seconds) }
}

/// The number of nodes within the range of the seeds, and the outliers.
pub(super) fn nodes(runs: &[RunSummary; 2], nodes: &[NodePair]) -> Sentence {
    let judged: Vec<(&NodePair, bool)> =
        nodes.iter().filter_map(|node| Some((node, node.inside?))).collect();
    let outside: Vec<String> =
        judged.iter().filter(|(_, inside)| !inside).map(|(node, _)| outlier(runs, node)).collect();
    let (all, where_) = (judged.len(), format!("are in the 95{NB}% range of the seeds"));
    match (all, outside.len()) {
        (0, _) => Sentence::new(),
        (_, 0) => say(format!("All {all} counts of live nodes {where_}.")),
        (_, n) => say(format!(
            "{} of {all} counts of live nodes {where_}. Outside: {}.",
            all - n,
            list(&outside.into_iter().take(6).collect::<Vec<_>>())
        )),
    }
}

/// "dn3 transfer 55 (32–51)"
fn outlier(runs: &[RunSummary; 2], node: &NodePair) -> String {
    let banded = usize::from(runs[0].seeds < 2);
    let (low, high) = node.ranges[banded].unwrap_or_default();
    let value = num(node.counts[1 - banded], 0);
    format!("{} {} {value} ({}–{})", node.name, work(node), num(low, 1), num(high, 1))
}

/// "transfer"; "transfer (peer)" for the peer.
pub(super) fn work(node: &NodePair) -> String {
    match node.end {
        End::Node => node.work.clone(),
        End::Peer => format!("{} (peer)", node.work),
    }
}
