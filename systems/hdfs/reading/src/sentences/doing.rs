//! *Do* and *Not enough*.
use super::gains::Gains;
use super::short;
use super::untried::untried;
use crate::advice::{
    Apply, BALANCER, Change, RULE, apply, change, real, real_key, recommended, weigh,
};
use crate::attribution::{AttributionKind, Held};
use crate::compare::Variant;
use crate::context::Context;
use crate::run::VariantRuns;
use crate::shares;
use crate::spans::Sentence;
use crate::stat::Verdict;
use crate::words::{
    capital, count, decimals, difference, differences, duration, duration_with, num, percent,
};
use analysis::advice::Advice;
use hdfs_policy::rereplication::registry::jar_setting;
use page::Do;
use std::collections::BTreeMap;

/// Variants of one fate that *Not enough* names.
const NAMED: usize = 4;
/// A holder is the next limit if its wait grows by this part of the new recovery.
const GROWS: f64 = 0.05;
/// A spread of receiving or sending is evened out if max/mean falls by this factor.
const EVENS_OUT: f64 = 0.8;

/// What the proposed variant brings, and what applying it takes.
pub fn doing(context: &Context, variants: &[VariantRuns], rows: &[Variant]) -> Option<Do> {
    if context.logged {
        return Some(simulate());
    }
    if let [now] = variants {
        return untried(context, now, &Gains::of(variants, rows));
    }
    let Some(best) = recommended(rows) else { return nothing(variants, rows) };
    let (variant, row) = (&variants[best], &rows[best]);
    let recovery = row.recovery_s?.mean;
    let brings = match row.against_now {
        Some(against) => {
            let digits = decimals(rows[0].recovery_s?.mean);
            let gain = difference(against.mean, against.ci95, digits);
            format!(": {}, {gain}.", duration_with(recovery, digits))
        }
        None => format!(": all blocks are safe after {}.", duration(recovery)),
    };
    let mut point = Sentence::new().strong("Set ");
    for (place, (key, value)) in variant.set.iter().enumerate() {
        let between = match place {
            0 => "",
            _ if place + 1 == variant.set.len() => " and ",
            _ => ", ",
        };
        let (real, value) = real(key, value);
        let name = if place > 0 { short(real) } else { real.into() };
        point = point.strong(between).key(format!("{name} = {value}"));
    }
    let (how, command) = applying(context, variant);
    Some(Do {
        point: point.strong(brings).done(),
        more: busiest(&rows[0], row)
            .then(needs(variant))
            .then(Sentence::new().say(how))
            .then(finals(context, variant))
            .done(),
        command,
    })
}

/// What has to be there first.
fn needs(variant: &VariantRuns) -> Sentence {
    match change(variant) {
        Change::Jar => Sentence::new()
            .say("It needs tenbin-hdfs.jar in the NameNode's class path, and ")
            .key("dfs.block.replicator.classname = tenbin.hdfs.TenbinPlacementPolicy")
            .say(": systems/hdfs/hadoop/README.md, which says how to undo it, too."),
        _ => Sentence::new(),
    }
}

/// That nothing is to be changed, where settings were tried, over several seeds, to no avail.
fn nothing(variants: &[VariantRuns], rows: &[Variant]) -> Option<Do> {
    rows[0].recovery_s?;
    let settings = |&place: &usize| change(&variants[place]) <= Change::Jar;
    let tried: Vec<usize> = (1..rows.len()).filter(settings).collect();
    if tried.is_empty() || rows[0].seeds < 2 {
        return None;
    }
    let names = names(rows, &tried);
    Some(Do {
        point: Sentence::new().strong("Nothing to change.").done(),
        more: Sentence::new()
            .say(format!("Tried: {names}; none is faster by 5 %, by more than chance and safe."))
            .done(),
        command: None,
    })
}

/// A second property beside a final one is ignored, whatever its value.
fn finals(context: &Context, variant: &VariantRuns) -> Sentence {
    let is_final = |key: &&str| context.finals.iter().any(|known| known == key);
    let keys: Vec<&str> =
        variant.set.iter().map(|(key, _)| real_key(key)).filter(is_final).collect();
    match keys.is_empty() {
        true => Sentence::new(),
        false => Sentence::new().say(format!(
            "Final in your hdfs-site.xml, so replace it where it stands: {}.",
            keys.iter().map(|key| short(key)).collect::<Vec<String>>().join(", ")
        )),
    }
}

/// What tells more than a log: the same loss, simulated, and held against it.
fn simulate() -> Do {
    let more = "In this folder: scenario.toml is that loss, rebuilt from the log. It says which \
                part of what the log leaves unexplained disks, links and settings would hold.";
    Do {
        point: Sentence::new()
            .strong("Simulate the same loss, and hold it against the log.")
            .done(),
        more: Sentence::new().say(more).done(),
        command: Some(
            "tenbin run scenario.toml --seeds 20 -o simulated; tenbin diff . simulated -o diff"
                .into(),
        ),
    }
}

fn busiest(now: &Variant, then: &Variant) -> Sentence {
    let disk = |row: &Variant| row.metrics.get("busiest_disk").map(|stat| stat.mean);
    let (Some(before), Some(after)) = (disk(now), disk(then)) else { return Sentence::new() };
    let (before, after) = (percent(before), percent(after));
    if before == after {
        return Sentence::new();
    }
    Sentence::new().say(format!("The busiest disk goes from {before} to {after}."))
}

fn applying(context: &Context, variant: &VariantRuns) -> (String, Option<String>) {
    match apply(variant, context.hadoop.as_deref()) {
        Apply::Live => {
            let host = context.namenode.as_deref().unwrap_or("HOST:PORT");
            (
                "Takes effect without a restart.".into(),
                Some(format!("hdfs dfsadmin -reconfig namenode {host} start")),
            )
        }
        Apply::LiveDataNodes => (
            "Takes effect without a restart, on each DataNode.".into(),
            Some("hdfs dfsadmin -reconfig datanode livenodes start".into()),
        ),
        Apply::LiveBalancer => {
            let set = variant.set.iter().find(|(key, _)| real_key(key) == BALANCER);
            (
                "Takes effect without a restart, until a DataNode restarts.".into(),
                set.map(|(_, value)| format!("hdfs dfsadmin -setBalancerBandwidth {value}")),
            )
        }
        Apply::NameNode => ("Takes effect after a restart of the NameNode.".into(), None),
        Apply::DataNodes => ("Takes effect after a restart of every DataNode.".into(), None),
    }
}

/// What becomes of a variant that is not proposed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    /// Shorter than now, not as short as the proposal.
    Helps,
    /// It seems shorter; of so many one seems so by chance.
    Chance,
    /// Shorter, but more blocks are lost.
    Loses,
    Same,
    /// Perhaps the same, perhaps not: from so few seeds nobody knows.
    Undecided,
    Slower,
    /// Safe, where now is not.
    Ends,
    Unsafe,
}

/// What does not help enough: variants that fare alike in one sentence, with the range of their
/// gains. What is faster than the proposal does help enough, and stands in the table.
pub fn not_enough(context: &Context, variants: &[VariantRuns], rows: &[Variant]) -> Sentence {
    let proposes = |variant: &VariantRuns| change(variant) != Change::World;
    if rows[0].recovery_s.is_some() && rows[0].seeds == 1 && variants[1..].iter().any(proposes) {
        return Sentence::new()
            .say("One seed has no interval, so nothing tells a gain from chance. Add --seeds 5.");
    }
    let weighed = weigh(&context.settings, variants, rows);
    let best = recommended(rows);
    let time = |place: usize| rows[place].recovery_s.map(|stat| stat.mean);
    let faster =
        |place: usize| best.and_then(time).zip(time(place)).is_some_and(|(best, time)| time < best);
    // Another cluster is a question, whose answer stands in the table.
    let proposal = |&i: &usize| Some(i) != best && change(&variants[i]) != Change::World;
    let others = (1..rows.len()).filter(proposal).map(|place| (fate(rows, place, &weighed), place));
    let mut fates: BTreeMap<Fate, Vec<usize>> = BTreeMap::new();
    let mut without_code: Vec<usize> = Vec::new();
    for (fate, place) in others {
        match change(&variants[place]) {
            Change::Policy if fate == Fate::Helps => without_code.push(place),
            _ if fate != Fate::Loses && faster(place) => {}
            _ => fates.entry(fate).or_default().push(place),
        }
    }
    let said = fates.iter().map(|(&fate, places)| together(variants, rows, fate, places));
    said.fold(Sentence::new(), Sentence::then).then(research(
        context,
        variants,
        rows,
        &without_code,
    ))
}

/// Policies that are faster than now, and that nobody can install; and what the jar has of them.
fn research(
    context: &Context,
    variants: &[VariantRuns],
    rows: &[Variant],
    places: &[usize],
) -> Sentence {
    let them = match places.len() {
        0 => return Sentence::new(),
        1 => "it",
        _ => "them",
    };
    let sets = places.iter().flat_map(|&place| &variants[place].set);
    let near = sets.filter(|(key, _)| key == RULE).map(|(_, policy)| format!("{policy}+jar"));
    let has_jar = |policy: &String| context.pacing == "hdfs3" && jar_setting(policy).is_some();
    let near: Vec<String> = near.filter(has_jar).collect();
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; what tenbin-hdfs.jar can do of {them}: {}", near.join(", ")),
    };
    let (names, gains) = (names(rows, places), gains(rows, places));
    Sentence::new().say(format!("Research: {names},{gains}; HDFS has no code for {them}{near}."))
}

fn fate(rows: &[Variant], place: usize, weighed: &Advice) -> Fate {
    let (now, row) = (&rows[0], &rows[place]);
    let lost = |row: &Variant| row.metrics.get("blocks_lost").map_or(0.0, |stat| stat.mean);
    match (row.against_now, row.recovery_s) {
        (_, None) => Fate::Unsafe,
        (_, Some(_)) if lost(row) > lost(now) => Fate::Loses,
        (None, Some(_)) => Fate::Ends,
        (Some(against), _) => match against.verdict {
            Verdict::Faster if weighed.fates[place - 1] == analysis::advice::Fate::Gains => {
                Fate::Helps
            }
            Verdict::Faster => Fate::Chance,
            Verdict::NoDifference => Fate::Same,
            Verdict::Undecided => Fate::Undecided,
            Verdict::Slower => Fate::Slower,
        },
    }
}

/// "Ring and multiplier 3: −11.4 to −2.3 s."
fn together(variants: &[VariantRuns], rows: &[Variant], fate: Fate, places: &[usize]) -> Sentence {
    let sentence = Sentence::new().say(capital(&names(rows, places)));
    let more = |what: &str| format!(": {what}{}.", gains(rows, places));
    match (fate, places) {
        (Fate::Helps, &[one]) => {
            let sentence = sentence.say(format!(":{}", gains(rows, places)));
            next(sentence, &variants[0], &variants[one])
        }
        (Fate::Same, &[one]) => {
            let also = evens_out(&rows[0], &rows[one]);
            sentence.say(format!(": no difference{also}."))
        }
        (Fate::Helps, _) => Sentence::new().say(saved(variants, rows, places)),
        (Fate::Chance, _) => sentence.say(more("perhaps chance,")),
        (Fate::Loses, _) => sentence.say(": more blocks are lost."),
        (Fate::Same, _) => sentence.say(": no difference."),
        (Fate::Undecided, _) => {
            let seeds = count(u64::from(rows[0].seeds), "seed");
            sentence.say(format!(": not decided with {seeds}; more would tell."))
        }
        (Fate::Slower, _) => sentence.say(more("slower,")),
        (Fate::Ends, _) => sentence.say(": safe, but later."),
        (Fate::Unsafe, _) => sentence.say(": not all blocks become safe."),
    }
}

/// "Alone, multiplier 4 saves 15.1 s; max-streams 8 saves 2.2 s.": the largest gain first.
fn saved(variants: &[VariantRuns], rows: &[Variant], places: &[usize]) -> String {
    let digits = rows[0].recovery_s.map_or(1, |stat| decimals(stat.mean));
    let gain = |place: &usize| rows[*place].against_now.map_or(0.0, |against| -against.mean);
    let mut places = places.to_vec();
    places.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    let one = |place: &usize| {
        format!("{} saves {}", rows[*place].name, duration_with(gain(place), digits))
    };
    let all: Vec<String> = places.iter().take(NAMED).map(one).collect();
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!("; {n} more save less"),
    };
    let is_part = |best: usize| {
        let keys = |i: usize| variants[i].set.iter().map(|(key, _)| key);
        places.iter().all(|place| {
            keys(*place).all(|key| keys(best).any(|other| other == key))
                && variants[*place].set.len() < variants[best].set.len()
        })
    };
    let text = format!("{}{more}.", all.join("; "));
    match recommended(rows).is_some_and(is_part) {
        true => format!("Alone, {text}"),
        false => capital(&text),
    }
}

fn names(rows: &[Variant], places: &[usize]) -> String {
    let mut names: Vec<String> =
        places.iter().take(NAMED).map(|&place| rows[place].name.clone()).collect();
    if places.len() > NAMED {
        names.push(format!("{} more", places.len() - NAMED));
    }
    // A name may list what it sets.
    match names.iter().any(|name| name.contains(", ") || name.contains(" and ")) {
        true => names.join("; "),
        false => crate::words::list(&names),
    }
}

/// " −11.4 s", " −11.4 to −2.3 s": the differences to now, from the largest gain.
fn gains(rows: &[Variant], places: &[usize]) -> String {
    let digits = rows[0].recovery_s.map_or(1, |stat| decimals(stat.mean));
    let all = places.iter().filter_map(|&place| rows[place].against_now);
    let mut all: Vec<(f64, f64)> = all.map(|against| (against.mean, against.ci95)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    match all.as_slice() {
        [] => String::new(),
        [(mean, ci95)] => format!(" {}", difference(*mean, *ci95, digits)),
        [(least, _), .., (most, _)] => format!(" {}", differences(*least, *most, digits)),
    }
}

/// Ends a sentence with the limit that comes next.
fn next(sentence: Sentence, now: &VariantRuns, then: &VariantRuns) -> Sentence {
    let Some((held, share)) = next_limit(now, then) else { return sentence.say(".") };
    let sentence = sentence.say(", then ");
    let sentence = match held.kind {
        AttributionKind::Setting => {
            sentence.key(short(held.holder.split(" = ").next().unwrap_or("")))
        }
        _ => sentence.say(held.holder.to_lowercase()),
    };
    sentence.say(format!(" holds up {}.", percent(share)))
}

/// The holder whose waited time grew most against now, and its share.
fn next_limit(now: &VariantRuns, then: &VariantRuns) -> Option<(Held, f64)> {
    let (before, after) = (shares::of_variant(now), shares::of_variant(then));
    // A changed value makes another name of the same key.
    let name = |held: &Held| held.holder.split(" = ").next().unwrap_or("").to_string();
    let was = |held: &Held| {
        let same = before.shares.iter().find(|other| name(other) == name(held));
        same.map_or(0.0, |other| other.waited_s)
    };
    let known = after.shares.iter().filter(|held| held.kind != AttributionKind::Unexplained);
    let grown = known.map(|held| (held.waited_s - was(held), held));
    let (growth, held) = grown.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (growth >= GROWS * after.total_s).then(|| (held.clone(), held.share))
}

/// "; it only evens out who receives (1.03 after 2.00)".
fn evens_out(now: &Variant, then: &Variant) -> String {
    let mut evened = Vec::new();
    for (name, metric) in [("sends", "send_max_over_mean"), ("receives", "receive_max_over_mean")] {
        let of = |row: &Variant| row.metrics.get(metric).map(|stat| stat.mean);
        if let (Some(before), Some(after)) = (of(now), of(then))
            && after - 1.0 <= EVENS_OUT * (before - 1.0)
            && before >= 1.2
        {
            let (from, to) = (num(before, 2), num(after, 2));
            evened.push(format!("who {name} (max/mean {to}, now {from})"));
        }
    }
    match evened.is_empty() {
        true => String::new(),
        false => format!("; it only evens out {}", crate::words::list(&evened)),
    }
}
