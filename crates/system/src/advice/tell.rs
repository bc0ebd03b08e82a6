//! *Do* and *Not enough*, in words and as JSON.
use super::weigh::{Advice, Candidate};
use crate::figures::{Against, Difference};
use crate::provenance::set_json;
use crate::words::{Case, interval, spoken};
use analysis::advice::Fate;
use cluster::keys::Change;
use page::words::list;
use page::{Do, Sentence, say};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trace::reading::{Objective, Role};

/// Rows that one sentence names, at most.
const NAMED: usize = 4;

/// The row that is followed: what it brings, takes and costs. That nothing is to be changed, since
/// nothing that was tried gains, or since no setting holds the run up.
pub fn doing(case: &Case<'_>) -> Option<Do> {
    let advice = &case.advice;
    let known = |one: &&Candidate| one.is_possible() && one.fate != Fate::Unknown;
    let tried: Vec<&Candidate> = advice.candidates.iter().filter(known).collect();
    let Some(one) = advice.followed() else {
        let names: Vec<String> = tried.iter().map(|one| one.figures.name.clone()).collect();
        let more = match names.is_empty() {
            true => no_setting(case)?,
            false => format!(
                "Tried: {}; none gains more than chance does ({}).",
                short(&names),
                seeds(advice)
            ),
        };
        let point = say("").strong("Nothing to change").say(".").done();
        return Some(Do { point, more: say(more).done(), command: None });
    };
    let objective = &case.now().objective;
    let sets: Vec<String> =
        one.changes.iter().map(|((key, value), _)| format!("{key} = {value}")).collect();
    let mean = one.figures.value?.mean;
    let now = advice.now.as_ref()?.value?.mean;
    let brings = format!(
        ": {} instead of {}, {}.",
        spoken(objective, mean),
        amount(objective, now),
        gain(objective, &one.against()?)
    );
    let point = say("Set ").key(sets.join(", ")).say(brings);
    let more = [first(advice, one), takes(case, one), also(one), price(one), simulated(advice)];
    let more = more.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let sets = case.sets.iter().chain(one.changes.iter().map(|(set, _)| set));
    let sets: Vec<String> = sets.map(|(key, value)| argument(key, value)).collect();
    let command = format!("tenbin run {}{}", case.sheet.file.display(), sets.concat());
    Some(Do { point: point.done(), more: say(more).done(), command: Some(command) })
}

/// What holds the run up is nothing that a setting changes; `None` where nothing holds it up.
fn no_setting(case: &Case<'_>) -> Option<String> {
    let held = case.now().held.first().filter(|held| held.role != Role::Unexplained)?;
    let limits = held.role == Role::Setting;
    let (name, percent) = (&held.holder, 100.0 * held.share);
    let hottest = held.hottest.as_ref().map_or(String::new(), |one| format!(" ({one} most)"));
    Some(match limits {
        true => format!("{name} holds it up, and no other value of it is known to be possible."),
        false => format!(
            "No setting holds it up: {percent:.0} % is {name}{hottest}, which more or faster \
             hardware, less to do, or another policy may change."
        ),
    })
}

/// ` --set KEY=VALUE`, as a shell takes it.
fn argument(key: &str, value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+/:,%".contains(c);
    match value.chars().all(plain) {
        true => format!(" --set {key}={value}"),
        false => format!(" --set '{key}={value}'"),
    }
}

/// Why what nobody asked for stands there.
fn first(advice: &Advice, one: &Candidate) -> String {
    let asked = advice.candidates.iter().any(|other| other.asked);
    match asked && !one.asked {
        true => "That first: it was tried because it holds the run up, and no row that was asked \
                 for brings as much."
            .into(),
        false => String::new(),
    }
}

/// Who must learn of it, and what is bought.
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

/// What else becomes better.
fn also(one: &Candidate) -> String {
    let all: Vec<String> = one.boons.iter().map(super::Shift::words).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("Also better: {}.", all.join("; ")),
    }
}

/// What becomes worse, measured or not.
fn price(one: &Candidate) -> String {
    let costs = one.changes.iter().filter_map(|(_, change)| match change {
        Change::Setting { costs, .. } if !costs.is_empty() => Some((*costs).to_string()),
        _ => None,
    });
    let mut all: Vec<String> = costs.collect();
    all.extend(one.harms.iter().map(super::Shift::words));
    match all.is_empty() {
        true => "Nothing else that is measured becomes worse.".into(),
        false => format!("Price: {}.", all.join("; ")),
    }
}

fn simulated(advice: &Advice) -> String {
    format!("Simulated, {}, each against the same seed as it stands.", seeds(advice))
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
fn gain(objective: &Objective, against: &Against) -> String {
    let than = if against.mean < 0.0 { "less" } else { "more" };
    format!("{} {than}", interval(objective, against.mean.abs(), Some(against.ci95)))
}

/// A value of the objective without what it counts: "349 s", "326".
fn amount(objective: &Objective, value: f64) -> String {
    interval(objective, value, None)
}

/// What becomes of a row that is not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum End {
    /// It helps, and less than what is followed, or as much by a larger change.
    Less,
    /// It gains, and breaks what nothing is worth.
    Breaks,
    /// It seems to gain; of so many one does so by chance.
    Chance,
    Same,
    /// May be a difference, and may be none: from so few seeds nobody knows.
    Undecided,
    Worse,
    /// It gains, and nobody has code for it.
    Research,
}

/// Rows that are no advice, those of one end in one sentence.
pub fn not_enough(case: &Case<'_>) -> Sentence {
    let advice = &case.advice;
    if advice.seeds.is_some_and(|(first, last)| first == last) && !advice.candidates.is_empty() {
        return say("One seed has no interval: what differs by chance is not told. Add --seeds 5.");
    }
    let mut ends: BTreeMap<End, Vec<&Candidate>> = BTreeMap::new();
    for (place, one) in advice.candidates.iter().enumerate() {
        if Some(place) != advice.follow
            && let Some(end) = end(one)
        {
            ends.entry(end).or_default().push(one)
        }
    }
    let objective = &case.now().objective;
    let seeds = advice.now.as_ref().map_or(0, |now| now.seeds);
    let said = ends.into_iter().map(|(end, rows)| together(objective, seeds, end, &rows));
    say(said.collect::<Vec<_>>().join(" "))
}

fn end(one: &Candidate) -> Option<End> {
    let seems = one.against().is_some_and(|against| against.verdict == Difference::Better);
    match one.fate {
        Fate::Gains if one.is_research() => Some(End::Research),
        // Other hardware, another load: the table has the answer.
        Fate::Gains if !one.is_possible() => None,
        Fate::Gains if one.breaks().is_some() => Some(End::Breaks),
        Fate::Gains => Some(End::Less),
        Fate::Same | Fate::Undecided if seems => Some(End::Chance),
        Fate::Same => Some(End::Same),
        Fate::Undecided => Some(End::Undecided),
        Fate::Loses => Some(End::Worse),
        Fate::Unknown => None,
    }
}

fn together(objective: &Objective, seeds: usize, end: End, rows: &[&Candidate]) -> String {
    let names: Vec<String> = rows.iter().map(|one| one.figures.name.clone()).collect();
    let with = |what: &dyn Fn(&Candidate) -> String| {
        let one = |one: &&Candidate| format!("{} ({})", one.figures.name, what(one));
        short(&rows.iter().map(one).collect::<Vec<String>>())
    };
    let gains = |one: &Candidate| one.against().map_or(String::new(), |a| gain(objective, &a));
    match end {
        End::Less => {
            let ties = |one: &Candidate| match one.ties {
                true => format!("{}, within chance or 5 % of that", gains(one)),
                false => gains(one),
            };
            format!("Less: {}.", with(&ties))
        }
        End::Breaks => {
            let breaks = |one: &Candidate| one.breaks().map_or(String::new(), super::Shift::words);
            format!("Not at this price: {}.", with(&breaks))
        }
        End::Chance => format!("Perhaps chance: {}.", with(&gains)),
        End::Same => format!("No difference: {}.", short(&names)),
        End::Undecided => {
            format!("Not decided with {seeds} seeds, more would tell: {}.", short(&names))
        }
        End::Worse => format!("Worse: {}.", short(&names)),
        End::Research => {
            format!("Research, without code that anybody could install: {}.", with(&gains))
        }
    }
}

/// a, b, c, d and 3 more.
fn short(names: &[String]) -> String {
    let mut some: Vec<String> = names.iter().take(NAMED).cloned().collect();
    if names.len() > NAMED {
        some.push(format!("{} more", names.len() - NAMED))
    }
    list(&some)
}

/// What `--json` says of it: what was tried without being asked for, and what to do.
pub fn json(advice: &Advice) -> Value {
    let row = |one: &Candidate| crate::figures::row_json(&one.figures);
    let harm = |harm: &super::Shift| {
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
    json!({
        "seeds": advice.now.as_ref().map_or(0, |now| now.seeds),
        "tried": advice.tried().map(row).collect::<Vec<_>>(),
        "do": followed,
    })
}
