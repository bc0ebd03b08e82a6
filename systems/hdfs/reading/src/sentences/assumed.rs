//! *Assumed*: the recovery at half and double of what no input says.
use crate::advice::recommended;
use crate::compare::compare;
use crate::context::{Assumption, Context};
use crate::run::VariantRuns;
use crate::shares;
use crate::spans::Sentence;
use crate::stat::stat;
use crate::words::spaced;
use analysis::advice::paired;
use page::{Assumed, AssumedRow};

/// What a verdict is, for telling whether another is the same.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Gist {
    safe: bool,
    top: Option<String>,
    proposal: Option<String>,
}

/// Whether all became safe, the top holder (a setting by its key, whatever its value), and the
/// proposed variant's name, if there is more than one variant.
fn gist(now: &[(String, String)], variants: &[VariantRuns]) -> Gist {
    let top = variants.first().and_then(|now| shares::of_variant(now).shares.into_iter().next());
    let rows = compare(now, variants);
    Gist {
        safe: recovery(variants).is_some(),
        top: top.map(|held| held.holder.split(" = ").next().unwrap_or("").to_string()),
        proposal: recommended(&rows).map(|place| rows[place].name.clone()),
    }
}

pub fn assumed(context: &Context, variants: &[VariantRuns]) -> Assumed {
    let now = recovery(variants);
    let rows = context.assumptions.iter().map(|assumption| AssumedRow {
        name: assumption.name.clone(),
        value: spaced(&assumption.value),
        key: assumption.key.clone(),
        half: recovery(&assumption.half),
        now: now.unwrap_or(0.0),
        double: recovery(&assumption.double),
    });
    let rows = rows.filter(|row| !noise(context, variants).contains(&row.key));
    // Without a recovery there is nothing to compare with: the note says so.
    // Nor is there where nothing was tried: the note has the names.
    let tried = context.assumptions.iter().any(|a| !a.half.is_empty() || !a.double.is_empty());
    let rows = if now.is_some() && tried { rows.collect() } else { Vec::new() };
    Assumed {
        unit: "s".into(),
        name: "Recovery".into(),
        never: "not redundant".into(),
        rows,
        note: note(context, variants).done(),
    }
}

/// Keys whose values do no more than chance, at half and at double, where seeds tell.
fn noise(context: &Context, variants: &[VariantRuns]) -> Vec<String> {
    let Some(now) = times(variants).filter(|now| now.len() > 1) else { return Vec::new() };
    let is_noise = |runs: &[VariantRuns]| {
        times(runs).filter(|then| then.len() == now.len()).is_some_and(|then| {
            let difference = paired(&now, &then);
            difference.mean.abs() <= difference.ci95 && then != now
        })
    };
    let same = |runs: &[VariantRuns]| times(runs).as_ref() == Some(&now) || is_noise(runs);
    let within = |a: &&Assumption| {
        (is_noise(&a.half) || is_noise(&a.double)) && same(&a.half) && same(&a.double)
    };
    context.assumptions.iter().filter(within).map(|a| a.key.clone()).collect()
}

fn times(variants: &[VariantRuns]) -> Option<Vec<f64>> {
    variants.first()?.times().filter(|all| !all.is_empty())
}

/// What does no more than chance; of one seed that anything may.
fn chance(context: &Context, variants: &[VariantRuns]) -> Sentence {
    let within = noise(context, variants);
    if !within.is_empty() {
        return Sentence::new().say(format!("Within noise: {}.", within.join(", ")));
    }
    let now = times(variants).unwrap_or_default();
    let differs = |runs: &[VariantRuns]| times(runs).is_some_and(|then| then != now);
    let any = context.assumptions.iter().any(|a| differs(&a.half) || differs(&a.double));
    match now.len() == 1 && any {
        true => Sentence::new().say("From one seed: what differs may be chance."),
        false => Sentence::new(),
    }
}

fn recovery(variants: &[VariantRuns]) -> Option<f64> {
    times(variants).map(|all| stat(&all).mean)
}

/// What logs do not tell is no guess about hardware, but HDFS's default.
fn defaults(context: &Context) -> Sentence {
    let mut sentence = Sentence::new();
    for (place, assumption) in context.assumptions.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        let value = format!(" = {}", spaced(&assumption.value));
        sentence = sentence.say(comma).key(assumption.key.clone()).say(value)
    }
    let why = match context.assumptions.len() {
        1 => ": HDFS’s default, for no log says it.",
        _ => ": HDFS’s defaults, for no log says them.",
    };
    let tells = Sentence::new().code("--conf hdfs-site.xml").say(" tells what was set.");
    sentence.say(why).then(tells)
}

/// Of how many seeds how many do not become safe, if others do.
fn unsafe_of(variants: &[VariantRuns]) -> Option<(usize, usize)> {
    let all = &variants.first()?.runs;
    let few = all.iter().filter(|run| run.recovery_s().is_none()).count();
    (few < all.len()).then_some((few, all.len()))
}

fn note(context: &Context, variants: &[VariantRuns]) -> Sentence {
    if context.assumptions.is_empty() && context.logged {
        return Sentence::new().say("Nothing: the logs say it all.");
    }
    if context.assumptions.is_empty() {
        return Sentence::new()
            .say("No value: the input has them all. What HDFS does with them is a model.");
    }
    if context.logged {
        return defaults(context);
    }
    let edit = Sentence::new()
        .say("Edit ")
        .code("[hardware]")
        .say(" in ")
        .code(context.file.clone())
        .say(".");
    let cases: Vec<(&Assumption, &str, &[VariantRuns])> = context
        .assumptions
        .iter()
        .flat_map(|a| [(a, "half", a.half.as_slice()), (a, "double", a.double.as_slice())])
        .filter(|(_, _, runs)| !runs.is_empty())
        .collect();
    if cases.is_empty() {
        let named = |a: &Assumption| format!("{} {}", a.name, spaced(&a.value));
        let names: Vec<String> = context.assumptions.iter().map(named).collect();
        let names = format!("{}.", names.join(", "));
        let untried = Sentence::new().say("Half and double were not simulated.");
        return Sentence::new().say(names).then(untried).then(edit);
    }
    let differs = |runs: &[VariantRuns]| {
        // Only the variants that were simulated there can be compared.
        let there = |variant: &&VariantRuns| runs.iter().any(|run| run.name == variant.name);
        let here: Vec<VariantRuns> = variants.iter().filter(there).cloned().collect();
        gist(&context.settings, runs) != gist(&context.settings, &here)
    };
    let other: Vec<String> = cases
        .iter()
        .filter(|(_, _, runs)| differs(runs))
        .map(|(assumption, factor, _)| format!("{factor} of {}", assumption.key))
        .collect();
    let verdict = Sentence::new().strong(match other.is_empty() {
        true => "Cause and advice stay the same.".into(),
        false => format!("Another cause or advice at {}.", crate::words::list(&other)),
    });
    let what = match (recovery(variants), unsafe_of(variants)) {
        (Some(_), _) => "Each assumption was halved and doubled.".into(),
        (None, Some((few, all))) => {
            let seeds = format!("{few} of {all} seeds do not become safe");
            format!("{seeds}, so there is no mean to compare with that at half and double.")
        }
        _ => "Not all blocks become safe: there is nothing to compare at half and double.".into(),
    };
    Sentence::new().say(what).then(chance(context, variants)).then(verdict).then(edit)
}
