//! *Do* and *Not enough* as text, and advice as JSON.
use super::candidates::{Advice, Candidate};
use super::relief::{Relief, hot};
use crate::figures::{Difference, PairedDifference};
use crate::provenance::set_json;
use crate::reporter::{Case, Reporter, interval, with_noun};
use crate::vary::Set;
use analysis::advice::Effect;
use cluster::keys::Change;
use page::words::list;
use page::{Do, Sentence, say};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trace::reading::{Objective, Role};

/// Most variants that one sentence names.
const NAMED: usize = 4;

/// The followed variant with gain, effort and price. Otherwise "nothing to change" or "not
/// decided".
pub fn doing(words: &dyn Reporter, case: &Case<'_>) -> Option<Do> {
    let advice = &case.advice;
    let Some(one) = advice.followed() else {
        let is_tried = advice.left.is_empty() || !advice.candidates.is_empty();
        let is_known = is_tried && open(case).is_empty();
        let relieved = if is_known { relieved(words, case) } else { None };
        return relieved.or_else(|| nothing(case));
    };
    let objective = &case.now().objective;
    let mean = one.figures.value?.mean;
    let now = advice.now.as_ref().and_then(|now| now.value);
    let brings = match now.zip(one.against()) {
        Some((now, against)) => format!(
            ": {} instead of {}, {}.",
            with_noun(objective, mean),
            amount(objective, now.mean),
            gain(objective, &against)
        ),
        None => {
            format!(
                ": {}; the present scenario does not end with every seed.",
                with_noun(objective, mean)
            )
        }
    };
    let mut point = say("Set ");
    for (place, ((key, value), _)) in one.changes.iter().enumerate() {
        let between = if place == 0 { "" } else { ", " };
        point = point.say(between).key(format!("{key} = {value}"))
    }
    let point = point.say(brings);
    let more = [first(advice, one), takes(case, one), also(one), price(one), simulated(advice)];
    let more = more.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let sets: Vec<Set> = one.changes.iter().map(|(set, _)| set.clone()).collect();
    Some(Do {
        point: point.done(),
        more: say(more).done(),
        command: Some(command(case, "run", &sets)),
    })
}

/// How to relieve the hot resource if no setting gains.
fn relieved(words: &dyn Reporter, case: &Case<'_>) -> Option<Do> {
    let hot = hot(&case.rows[0])?;
    let Relief { words, vary } = words.relief(case, hot).unwrap_or_else(|| Relief {
        words: "Spread its load over the others, or make it faster.".into(),
        vary: None,
    });
    let more = format!("{}{words}", more_of_them(case));
    let command = vary.map(|vary| format!("{} --vary {vary}", command(case, "compare", &[])));
    let point = say("Relieve ").strong(hot.name.clone()).say(": no tried setting does.");
    Some(Do { point: point.done(), more: say(more).done(), command })
}

/// "More of its kind leave it as it is: 256 servers (261 685 more). "
fn more_of_them(case: &Case<'_>) -> String {
    let advice: &Advice = &case.advice;
    let gains = |one: &&Candidate| one.stays.is_some() && one.effect == Effect::Gains;
    let one = |one: &Candidate| {
        let by = one.against().map_or(String::new(), |by| gain(&case.now().objective, &by));
        format!("{} ({by})", one.figures.name)
    };
    let all: Vec<String> = advice.candidates.iter().filter(gains).map(one).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("More of its kind do not relieve it: {}. ", list(&all)),
    }
}

/// Undecided candidates whose interval includes a gain of 5 %.
fn open<'c>(case: &'c Case<'_>) -> Vec<&'c Candidate> {
    let better = case.now().objective.better;
    let open = |one: &&Candidate| {
        let is_known = one.is_possible() && one.effect != Effect::Unknown;
        is_known && !matches!(one.effect, Effect::Gains | Effect::Loses) && one.may_gain(better)
    };
    case.advice.candidates.iter().filter(open).collect()
}

/// No change is advised: none gains, or the seeds do not decide.
fn nothing(case: &Case<'_>) -> Option<Do> {
    let advice = &case.advice;
    let known = |one: &&Candidate| one.is_possible() && one.effect != Effect::Unknown;
    let tried: Vec<&Candidate> = advice.candidates.iter().filter(known).collect();
    let names = |all: &[&Candidate]| -> String {
        short(&all.iter().map(|one| one.figures.name.clone()).collect::<Vec<String>>())
    };
    let open = open(case);
    let seeds = seeds(advice);
    let (point, more, command) = if !open.is_empty() {
        let more = format!(
            "{}: a gain of 5 % is possible ({seeds}). Add seeds, or make the run longer.",
            names(&open)
        );
        ("Not decided", more, Some(more_seeds(case)))
    } else if !advice.left.is_empty() {
        let more = match tried.is_empty() {
            true => String::new(),
            false => {
                format!("Tried: {}; none gains beyond chance ({seeds}).", names(&tried))
            }
        };
        ("Not decided", more, None)
    } else if tried.is_empty() {
        ("Nothing to change", no_setting(case)?, None)
    } else if tried.iter().any(|one| one.effect == Effect::Gains) {
        ("Nothing to change", format!("Each gain costs too much ({seeds})."), None)
    } else {
        let more = format!("Tried: {}; none gains beyond chance ({seeds}).", names(&tried));
        ("Nothing to change", more, None)
    };
    let (left, tries) = left(case).unzip();
    let more = [more, left.unwrap_or_default()];
    let more: Vec<String> = more.into_iter().filter(|part| !part.is_empty()).collect();
    let point = say("").strong(point).say(".").done();
    Some(Do { point, more: say(more.join(" ")).done(), command: command.or(tries) })
}

/// The command as typed, with `more` over its settings.
fn command(case: &Case<'_>, verb: &str, more: &[Set]) -> String {
    let typed = case.sets.iter().filter(|(key, _)| more.iter().all(|(other, _)| other != key));
    let sets: Vec<String> =
        typed.chain(more).map(|(key, value)| argument("--set", key, value)).collect();
    format!("tenbin {verb} {}{}", case.sheet.file.display(), sets.concat())
}

/// The command with four times the seeds: 20 to 100.
fn more_seeds(case: &Case<'_>) -> String {
    let seeds = case.advice.now.as_ref().map_or(1, |now| now.seeds);
    let verb = if case.figures.len() > 1 { "compare" } else { "run" };
    format!("{} --seeds {}", command(case, verb, &[]), (4 * seeds.max(5)).min(100))
}

/// Changes that were not tried, and the command that tries the first key's.
fn left(case: &Case<'_>) -> Option<(String, String)> {
    // Order of keys: most relief first.
    let mut values: Vec<(&str, Vec<&str>)> = Vec::new();
    for (key, value) in case.advice.left.iter().filter_map(|set| set.first()) {
        match values.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) if values.contains(&value.as_str()) => {}
            Some((_, values)) => values.push(value),
            None => values.push((key, vec![value])),
        }
    }
    let names: Vec<String> =
        values.iter().map(|(key, values)| format!("{key} = {}", values.join(", "))).collect();
    let (key, values) = values.first()?;
    let compare = command(case, "compare", &[]);
    let tries = format!("{compare}{}", argument("--vary", key, &values.join(",")));
    Some((format!("Not tried, to keep this run short: {}.", short(&names)), tries))
}

/// Says that no setting changes the bottleneck; `None` if there is no bottleneck.
fn no_setting(case: &Case<'_>) -> Option<String> {
    let held = case.now().held.first().filter(|held| held.role != Role::Unexplained)?;
    let limits = held.role == Role::Setting;
    let (name, percent) = (&held.holder, 100.0 * held.share);
    let hottest = held.hottest.as_ref().map_or(String::new(), |one| format!(" ({one} most)"));
    Some(match limits {
        true => format!("{name} is the limit; no other value is known to be possible."),
        false => format!(
            "No setting is the limit. {percent:.0} %: {name}{hottest}. Try more or faster \
             hardware, less load, or another policy."
        ),
    })
}

/// ` --set KEY=VALUE`, or another option, quoted for a shell.
fn argument(option: &str, key: &str, value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+/:,%".contains(c);
    match value.chars().all(plain) {
        true => format!(" {option} {key}={value}"),
        false => format!(" {option} '{key}={value}'"),
    }
}

/// Why the advice is a variant that the user did not ask for.
fn first(advice: &Advice, one: &Candidate) -> String {
    let asked = advice.candidates.iter().any(|other| other.asked);
    match asked && !one.asked {
        true => {
            "This first: it relieves the bottleneck and gains more than each requested variant."
                .into()
        }
        false => String::new(),
    }
}

/// When changes take effect, and what is bought.
fn takes(case: &Case<'_>, one: &Candidate) -> String {
    let mut whens: Vec<String> = Vec::new();
    for ((key, value), change) in &one.changes {
        let when = match change {
            Change::Setting { when, .. } => format!("takes effect {when}"),
            Change::Bought => bought(case, key, value),
            Change::Question | Change::Research => continue,
        };
        if !whens.contains(&when) {
            whens.push(when)
        }
    }
    let text = page::words::capital(&whens.join("; "));
    if text.is_empty() { text } else { text + "." }
}

/// "6 more servers".
fn bought(case: &Case<'_>, key: &str, value: &str) -> String {
    let row = case.sheet.vocabulary().find(key).map_or("", |key| key.row);
    let what = row.strip_prefix("{} ").unwrap_or(key);
    let now = case.sheet.find(key).map(ToString::to_string);
    let now = now.and_then(|now| now.parse::<i64>().ok());
    match (now, value.parse::<i64>()) {
        (Some(now), Ok(then)) if then > now => format!("price: {} more {what}", then - now),
        (Some(now), Ok(then)) => format!("saves {} {what}", now - then),
        _ => format!("price: {value} {what}"),
    }
}

fn also(one: &Candidate) -> String {
    let all: Vec<String> = one.benefits.iter().map(super::MetricChange::words).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("Also better: {}.", all.join("; ")),
    }
}

/// Known costs of the settings and measured harms.
fn price(one: &Candidate) -> String {
    let costs = one.changes.iter().filter_map(|(_, change)| match change {
        Change::Setting { costs, .. } if !costs.is_empty() => Some((*costs).to_string()),
        _ => None,
    });
    let mut all: Vec<String> = costs.collect();
    all.extend(one.harms.iter().map(super::MetricChange::words));
    match all.is_empty() {
        true => "No other metric becomes worse.".into(),
        false => format!("Price: {}.", all.join("; ")),
    }
}

fn simulated(advice: &Advice) -> String {
    format!("Simulated with {}, each compared with the present scenario.", seeds(advice))
}

/// "seeds 1–5".
fn seeds(advice: &Advice) -> String {
    match advice.seeds {
        Some((first, last)) if first != last => format!("seeds {first}–{last}"),
        Some((only, _)) => format!("seed {only}"),
        None => String::new(),
    }
}

/// "54 ± 9 s less", "120 ± 10 more".
fn gain(objective: &Objective, against: &PairedDifference) -> String {
    let than = if against.mean < 0.0 { "less" } else { "more" };
    format!("{} {than}", interval(objective, against.mean.abs(), Some(against.ci95)))
}

/// A value of the objective without its noun: "349 s", "326".
fn amount(objective: &Objective, value: f64) -> String {
    interval(objective, value, None)
}

/// Why a variant is not followed, in the order of the sentences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum NotFollowed {
    /// Gains more than the followed variant, by a larger change.
    More,
    /// Gains as much as the followed variant, by a larger change.
    Ties,
    Less,
    /// Gains, but the hot resource stays hot.
    Stays,
    /// Gains at an unacceptable price.
    Breaks,
    /// Seems to gain, but chance explains one in this many.
    Chance,
    /// Ran with one seed only; others gained more.
    Screened,
    Same,
    /// Too few seeds to decide.
    Undecided,
    Worse,
    /// Gains, but needs code that does not exist.
    Research,
}

/// Variants that are not advised, one sentence a reason.
pub fn not_enough(case: &Case<'_>) -> Sentence {
    let advice = &case.advice;
    if advice.seeds.is_some_and(|(first, last)| first == last) && !advice.candidates.is_empty() {
        return say("One seed has no interval: chance is unknown. Add --seeds 5.");
    }
    let mut ends: BTreeMap<NotFollowed, Vec<&Candidate>> = BTreeMap::new();
    for (place, one) in advice.candidates.iter().enumerate() {
        if Some(place) != advice.follow
            && let Some(end) = end(advice, one)
        {
            ends.entry(end).or_default().push(one)
        }
    }
    let objective = &case.now().objective;
    let seeds = advice.now.as_ref().map_or(0, |now| now.seeds);
    let said = ends.into_iter().map(|(end, rows)| together(objective, seeds, end, &rows));
    say(said.chain(failed(advice)).collect::<Vec<_>>().join(" "))
}

/// Variants that cannot be simulated, with the first reason.
fn failed(advice: &Advice) -> Option<String> {
    let (_, why) = advice.failed.first()?;
    let names: Vec<String> = advice.failed.iter().map(|(name, _)| name.clone()).collect();
    Some(format!("Not simulated, the model fails: {} ({why}).", short(&names)))
}

fn end(advice: &Advice, one: &Candidate) -> Option<NotFollowed> {
    let size = |one: &Candidate| one.against().map_or(0.0, |against| against.mean.abs());
    let more = advice.followed().is_some_and(|followed| size(one) > size(followed));
    let seems = one.against().is_some_and(|against| against.verdict == Difference::Better);
    match one.effect {
        Effect::Gains if one.is_research() => Some(NotFollowed::Research),
        // Other hardware, another load: the table has the answer.
        Effect::Gains if !one.is_possible() => None,
        Effect::Gains if one.stays.is_some() => Some(NotFollowed::Stays),
        Effect::Gains if !one.is_followable() => Some(NotFollowed::Breaks),
        Effect::Gains if one.is_tied => Some(NotFollowed::Ties),
        Effect::Gains if more => Some(NotFollowed::More),
        Effect::Gains => Some(NotFollowed::Less),
        Effect::Same | Effect::Undecided if seems => Some(NotFollowed::Chance),
        Effect::Same => Some(NotFollowed::Same),
        Effect::Undecided => Some(NotFollowed::Undecided),
        Effect::Loses => Some(NotFollowed::Worse),
        Effect::Unknown if !advice.is_whole(one) => Some(NotFollowed::Screened),
        Effect::Unknown => None,
    }
}

fn together(objective: &Objective, seeds: usize, end: NotFollowed, rows: &[&Candidate]) -> String {
    let names: Vec<String> = rows.iter().map(|one| one.figures.name.clone()).collect();
    let with = |what: &dyn Fn(&Candidate) -> String| {
        let one = |one: &&Candidate| format!("{} ({})", one.figures.name, what(one));
        short(&rows.iter().map(one).collect::<Vec<String>>())
    };
    let gains = |one: &Candidate| one.against().map_or(String::new(), |a| gain(objective, &a));
    match end {
        NotFollowed::More => format!("More, by a larger change: {}.", with(&gains)),
        NotFollowed::Screened => format!("No better than these with one seed: {}.", short(&names)),
        NotFollowed::Ties => format!("Same gain, within chance or 5 %: {}.", with(&gains)),
        NotFollowed::Less => format!("Less: {}.", with(&gains)),
        NotFollowed::Stays => {
            let one = rows[0].stays.as_deref().unwrap_or_default();
            format!("Gains, but does not relieve {one}: {}.", with(&gains))
        }
        NotFollowed::Breaks => {
            let price = |one: &Candidate| {
                let harm = one
                    .unacceptable_harm()
                    .or(one.too_dear())
                    .map_or(String::new(), super::MetricChange::words);
                format!("{harm}, though {}", gains(one))
            };
            format!("Price too high: {}.", with(&price))
        }
        NotFollowed::Chance => format!("Perhaps chance: {}.", with(&gains)),
        NotFollowed::Same => format!("No difference: {}.", short(&names)),
        NotFollowed::Undecided => {
            format!("Not decided ({seeds} seeds): {}. Add seeds.", short(&names))
        }
        NotFollowed::Worse => format!("Worse: {}.", short(&names)),
        NotFollowed::Research => {
            format!("Gains, but no released code has it: {}.", with(&gains))
        }
    }
}

/// "a, b, c, d and 3 more".
fn short(names: &[String]) -> String {
    let mut all = names.to_vec();
    // Variants with other keys may have the same name and result.
    all.dedup();
    let mut some: Vec<String> = all.iter().take(NAMED).cloned().collect();
    if all.len() > NAMED {
        some.push(format!("{} more", all.len() - NAMED))
    }
    list(&some)
}

/// For `--json`: the variants tried on Tenbin's own, and the advice.
pub fn json(advice: &Advice) -> Value {
    let row = |one: &Candidate| crate::figures::row_json(&one.figures);
    let harm = |harm: &super::MetricChange| {
        let (metric, now, then) = (harm.price.metric, harm.now, harm.then);
        json!({ "metric": metric, "now": now, "then": then })
    };
    let followed = advice.followed().map(|one| {
        let set: Vec<_> = one.changes.iter().map(|(set, _)| set.clone()).collect();
        json!({
            "set": set_json(&set),
            "value": one.figures.value,
            "against_now": one.figures.against,
            "price": one.harms.iter().map(harm).collect::<Vec<_>>(),
        })
    });
    let mut object = json!({
        "seeds": advice.now.as_ref().map_or(0, |now| now.seeds),
        "tried": advice.tried().map(row).collect::<Vec<_>>(),
        "do": followed,
    });
    if !advice.failed.is_empty() {
        let failed = advice.failed.iter();
        let failed = failed.map(|(name, why)| json!({ "name": name, "why": why }));
        object["failed"] = failed.collect()
    }
    object
}
