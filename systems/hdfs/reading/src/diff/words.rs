//! The sentences of two runs.
use super::Side;
use super::page::{Apart, NodePair, Pair, Parts, Shown};
use crate::spans::Sentence;
use crate::stat::{Against, Verdict};
use crate::words::{NB, count, decimals, difference, duration, list, num, percent, range};
use ::page::Span;

/// What a command would do for a band.
const SEVERAL: &str = "tenbin run SCENARIO --seeds 20";

/// Doubtful or reduced data.
pub fn tags(sides: &[Side; 2]) -> Vec<String> {
    let [first, second] = sides;
    let version = |side: &Side| side.trace.about("version").unwrap_or_default().to_string();
    let mut tags = Vec::new();
    if version(first) != version(second) {
        tags.push(format!("of tenbin {} and {}", version(first), version(second)))
    }
    let hash = |side: &Side| side.trace.about("trace_hash").map(str::to_string);
    if hash(first).is_some_and(|one| hash(second) == Some(one)) {
        tags.push("the same run twice".into())
    }
    let drawn = |side: &&Side| side.trace.about("block_map") == Some("synthesised");
    let drawn: Vec<&str> = sides.iter().filter(drawn).map(|side| side.name.as_str()).collect();
    match drawn[..] {
        [] => {}
        [one] => tags.push(format!("block map synthesised in {one}")),
        _ => tags.push("block map synthesised".into()),
    }
    tags
}

/// What times are counted from, as both traces tell it: they know who is dead at the end, not what
/// else was to leave.
pub fn since(runs: &[Shown; 2]) -> &'static str {
    match runs.each_ref().map(|run| run.lost.len()) {
        [1, 1] => "since declared dead",
        [0, _] | [_, 0] => "since HDFS noticed",
        _ => "since the first was declared dead",
    }
}

/// Which is faster, and by how much.
pub fn verdict(runs: &[Shown; 2], against: Option<&Against>) -> Sentence {
    let [first, second] = runs;
    let sentence = Sentence::new();
    let Some(against) = against else {
        return match (&first.recovery_s, &second.recovery_s) {
            (Some(safe), None) => one_is_safe(first, safe.mean, second),
            (None, Some(safe)) => one_is_safe(second, safe.mean, first),
            _ => sentence
                .number("Neither")
                .say(format!(" {} nor {} is safe when it ends.", first.name, second.name)),
        };
    };
    let than = |word: &str| {
        sentence
            .clone()
            .say(format!("{} is safe again ", second.name))
            .number(duration(against.mean.abs()))
            .say(format!(" {word} than {}.", first.name))
    };
    match against.verdict {
        Verdict::Faster => than("sooner"),
        Verdict::Slower => than("later"),
        Verdict::Undecided => sentence.number("Not decided").say(format!(
            ": {} may be safe again as soon as {}, or not; more seeds would tell.",
            second.name, first.name
        )),
        Verdict::NoDifference => sentence
            .number("No difference")
            .say(format!(": {} is safe again as soon as {}.", second.name, first.name)),
    }
}

fn one_is_safe(safe: &Shown, seconds: f64, other: &Shown) -> Sentence {
    Sentence::new()
        .say(format!("{} is safe again after ", safe.name))
        .number(duration(seconds))
        .say(format!(", {} is not when it ends.", other.name))
}

/// The recoveries, and their difference with its interval.
pub fn sub(runs: &[Shown; 2], against: Option<&Against>) -> Sentence {
    let one = |run: &Shown| {
        let how = match (run.origin.as_str(), run.seeds) {
            ("logged", _) => "as logged".into(),
            (_, n) => count(u64::from(n), "seed"),
        };
        let took = match run.recovery_s {
            None if run.seeds > 1 => "at least one seed is not safe at its end".into(),
            None => "not safe when it ends".into(),
            Some(stat) if stat.min == stat.max => duration(stat.mean),
            Some(stat) => format!("{} ({})", duration(stat.mean), range(stat.min, stat.max)),
        };
        format!("{}: {took}, {how}", run.name)
    };
    let both = format!("Declared dead until safe: {}; {}.", one(&runs[0]), one(&runs[1]));
    let sentence = Sentence::new().say(both);
    let (Some(against), Some(first)) = (against, runs[0].recovery_s) else { return sentence };
    if first.mean <= 0.0 {
        return sentence;
    }
    let by = difference(against.mean, against.ci95, decimals(first.mean));
    let relative = percent((against.mean / first.mean).abs());
    let said = Sentence::new().say(format!("Difference {by}, {relative} of {}.", runs[0].name));
    sentence.then(said).then(trusted(runs))
}

/// A model that is off by less than this part of the log is near enough.
const NEAR: f64 = 0.1;

/// Of a log and a model of it: whether the model may be relied on there.
fn trusted(runs: &[Shown; 2]) -> Sentence {
    let is_logged = |run: &&Shown| run.origin == "logged";
    let (Some(log), Some(model)) =
        (runs.iter().find(is_logged), runs.iter().find(|run| !is_logged(run)))
    else {
        return Sentence::new();
    };
    let (Some(real), Some(ours)) = (log.recovery_s, model.recovery_s) else {
        return Sentence::new();
    };
    let off = ours.mean / real.mean - 1.0;
    let within = model.seeds > 1 && (ours.min..=ours.max).contains(&real.mean);
    let (by, way) = (percent(off.abs()), if off < 0.0 { "fast" } else { "slow" });
    Sentence::new().say(match () {
        () if within => "The log is within the seeds’ range: the model holds here.".into(),
        () if off.abs() <= NEAR => format!("The model is {by} too {way} here: near enough."),
        () => format!("The model is {by} too {way} here: do not rely on its times."),
    })
}

/// A sentence a curve: where it leaves the band.
pub fn parting(runs: &[Shown; 2], curves: &[Pair]) -> Vec<Vec<Span>> {
    let said = |pair: &Pair| {
        let title = Sentence::new().strong(format!("{}: ", pair.title));
        let words = match &pair.parts {
            None => farthest(runs, pair),
            Some(parts) if parts.bands.len() == 2 => bands(runs, parts),
            Some(parts) => leaves(runs, parts),
        };
        title.say(words)
    };
    let mut all: Vec<Sentence> = curves.iter().map(said).collect();
    if curves.iter().any(|pair| pair.parts.is_none()) {
        let none = "Neither has several seeds, so no band tells what is chance: make one with ";
        all.push(Sentence::new().say(none).code(SEVERAL).say("."))
    }
    all.into_iter().map(Sentence::done).collect()
}

fn farthest(runs: &[Shown; 2], pair: &Pair) -> String {
    let [a, b] = pair.farthest.values;
    if a == b {
        return "the same at all times.".into();
    }
    let shown = |value: f64| num(value, 0);
    format!(
        "they differ most at {}: {} in {}, {} in {}.",
        duration(pair.farthest.at_s),
        shown(a),
        runs[0].name,
        shown(b),
        runs[1].name
    )
}

fn bands(runs: &[Shown; 2], parts: &Parts) -> String {
    let (a, b) = (&runs[0], &runs[1]);
    let both = format!("the bands of {} and {} seeds", a.seeds, b.seeds);
    let (Some(first), Some(longest)) = (parts.spans.first(), longest(parts)) else {
        return format!("{both} meet at all times.");
    };
    let above = |span: &Apart| if span.above { &b.name } else { &a.name };
    let start = format!("{both} part at {}, {} above", at(first.from_s), above(first));
    let (from, to) = (at(longest.from_s), duration(longest.to_s));
    let most = match parts.spans.len() {
        1 => format!(", until {to}"),
        _ => format!(", and longest from {from} to {to}, {} above", above(longest)),
    };
    let whole = format!("{} of {}", duration(parts.outside_s), duration(parts.until_s));
    format!("{start}{most}; in all they are apart for {whole}.")
}

fn longest(parts: &Parts) -> Option<&Apart> {
    let length = |span: &&Apart| span.to_s - span.from_s;
    parts.spans.iter().max_by(|a, b| length(a).total_cmp(&length(b)))
}

fn leaves(runs: &[Shown; 2], parts: &Parts) -> String {
    let banded = parts.bands.first().copied().unwrap_or_default() as usize;
    let (of, one) = (&runs[banded], &runs[1 - banded]);
    let band = format!("the band of {}’s {}", of.name, count(u64::from(of.seeds), "seed"));
    let Some(first) = parts.spans.first() else {
        return format!("{} stays inside {band}.", one.name);
    };
    // `above` tells of the second run.
    let over = |span: &Apart| if span.above == (banded == 0) { "above" } else { "below" };
    let from = at(first.from_s);
    let start = format!("{} leaves {band} at {from}, {} it, ", one.name, over(first));
    let start = start + &back(parts, first, over);
    let alike = match (parts.alike, parts.seeds) {
        (Some(0), Some(n)) => {
            format!("; none of the {n} seeds is so long outside the others’ band")
        }
        (Some(1), Some(n)) => format!("; 1 of the {n} seeds is so long outside the others’ band"),
        (Some(k), Some(n)) => {
            format!("; {k} of the {n} seeds are so long outside the others’ band")
        }
        _ => String::new(),
    };
    let share = format!("outside for {} of {}", duration(parts.outside_s), duration(parts.until_s));
    format!("{start}; in all it is {share}{alike}.")
}

/// When it is back; or, if it leaves again, where it is outside for longest.
fn back(parts: &Parts, first: &Apart, over: impl Fn(&Apart) -> &'static str) -> String {
    match longest(parts) {
        Some(most) if parts.spans.len() > 1 => {
            let (from, to) = (at(most.from_s), duration(most.to_s));
            let other = match most.above == first.above {
                true => String::new(),
                false => format!(", {} it", over(most)),
            };
            format!("and is longest outside from {from} to {to}{other}")
        }
        _ if first.to_s < parts.until_s => format!("and is back at {}", duration(first.to_s)),
        _ => "and never comes back".into(),
    }
}

fn at(seconds: f64) -> String {
    if seconds == 0.0 { "the declaration".into() } else { duration(seconds) }
}

/// How many nodes lie where the seeds do, and who does not.
pub fn nodes(sides: &[Side; 2], nodes: &[NodePair]) -> Sentence {
    let total = sides.each_ref().map(|side| side.trace.nodes.len());
    if nodes.is_empty() {
        let none = "They have no node in common: only balance and curves can be compared.";
        return Sentence::new().say(none);
    }
    let told: Vec<(&NodePair, bool, usize)> = nodes
        .iter()
        .flat_map(|node| (0..2).filter_map(move |way| Some((node, node.inside[way]?, way))))
        .collect();
    let left = total.map(|n| n - nodes.len());
    let missing = match left {
        [0, 0] => String::new(),
        [a, b] => format!("{a} nodes are in {} only, {b} in {}.", sides[0].name, sides[1].name),
    };
    let missing = Sentence::new().say(missing);
    if told.is_empty() {
        return missing;
    }
    let banded = if sides[0].band.is_some() { 0 } else { 1 };
    let outside: Vec<String> = told
        .iter()
        .filter(|(_, inside, _)| !inside)
        .map(|(node, _, way)| outlier(node, *way, banded))
        .collect();
    let all = told.len();
    let words = match outside.len() {
        0 => format!(
            "All {all} counts of copies sent and received by live nodes lie where 95{NB}% of \
             seeds have all of theirs."
        ),
        n => format!(
            "{} of {all} counts of copies sent and received by live nodes lie where 95{NB}% of \
             seeds have all of theirs. Outside: {}.",
            all - n,
            list(&outside.into_iter().take(6).collect::<Vec<_>>())
        ),
    };
    Sentence::new().say(words).then(missing)
}

/// "dn3 received 55 (32–51)"
fn outlier(node: &NodePair, way: usize, banded: usize) -> String {
    let (did, of) = [("sent", &node.sent), ("received", &node.received)][way];
    let (low, high) = of[banded].range.unwrap_or_default();
    let value = num(of[1 - banded].copies, 0);
    format!("{} {did} {value} ({}–{})", node.name, num(low, 1), num(high, 1))
}
