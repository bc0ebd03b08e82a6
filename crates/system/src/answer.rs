//! The sentence that answers a comparison: which variant is better and by how much, or that none
//! is.
use crate::advice::Candidate;
use crate::figures::{Difference, PairedDifference};
use crate::reporter::{Case, interval};
use analysis::advice::Effect;
use page::words::{NB, count};
use page::{Sentence, say};
use trace::Better;
use trace::reading::Objective;

/// Most better variants that the sentence names.
const NAMED: usize = 2;

/// `None` if nothing was compared.
pub fn answer(case: &Case<'_>) -> Option<Sentence> {
    let objective = &case.now().objective;
    let asked: Vec<&Candidate> = case.advice.candidates.iter().filter(|one| one.asked).collect();
    let known: Vec<(&Candidate, PairedDifference)> =
        asked.iter().filter_map(|one| Some((*one, one.against()?))).collect();
    if known.is_empty() {
        return None;
    }
    if case.advice.seeds.is_some_and(|(first, last)| first == last) {
        return Some(of_one_seed(objective, &known));
    }
    let followed = case.advice.followed().map(|one| &one.figures.name);
    // A plan uses more seeds for its recommendation than its page.
    let gains = |(one, _): &&(&Candidate, PairedDifference)| {
        one.effect == Effect::Gains || Some(&one.figures.name) == followed
    };
    let mut gains: Vec<&(&Candidate, PairedDifference)> = known.iter().filter(gains).collect();
    // The recommended variant comes first, even if a larger change gains more.
    gains.sort_by(|a, b| {
        let other = |one: &Candidate| Some(&one.figures.name) != followed;
        let size = b.1.mean.abs().total_cmp(&a.1.mean.abs());
        other(a.0).cmp(&other(b.0)).then(size)
    });
    Some(match gains.is_empty() {
        true => none(case, &known),
        false => better(case, &gains),
    })
}

/// "With fair+disk-rate: 29 ± 11 s less; with slow-start 0.8: 77 ± 9 s less, that first." The colon
/// separates names that end in a number from the value.
fn better(case: &Case<'_>, gains: &[&(&Candidate, PairedDifference)]) -> Sentence {
    let objective = &case.now().objective;
    let mut said = say("");
    for (place, (one, against)) in gains.iter().take(NAMED).enumerate() {
        let between = if place == 0 { "" } else { "; " };
        let with = if place == 0 { "With" } else { "with" };
        said = said.say(format!("{between}{with} {}: ", one.figures.name));
        said = changes(said, objective, against, place == 0)
    }
    match case.advice.followed().filter(|one| !one.asked) {
        Some(other) => {
            let against = other.against().expect("what is followed gains");
            said = said.say(format!("; with {}: ", other.figures.name));
            changes(said, objective, &against, false).say(". Try that first.")
        }
        None => said.say("."),
    }
}

/// No variant is better: they are worse, the same, or undecided.
fn none(case: &Case<'_>, known: &[(&Candidate, PairedDifference)]) -> Sentence {
    let objective = &case.now().objective;
    let now = case.rows[0].name.trim_end_matches(" (now)");
    let worse: Vec<&(&Candidate, PairedDifference)> =
        known.iter().filter(|(one, _)| one.effect == Effect::Loses).collect();
    let size = |against: &PairedDifference| against.mean.abs() + against.ci95;
    let open = known.iter().filter(|(_, against)| against.verdict == Difference::Open);
    let widest = open.max_by(|a, b| size(&a.1).total_cmp(&size(&b.1)));
    if let Some((one, against)) = widest {
        let seeds = count(one.figures.seeds as u64, "seed");
        let is_time = ["s", "ms"].contains(&objective.unit.as_str());
        let takes = if is_time { "it takes " } else { "" };
        let said = say(format!(
            "{seeds} are too few to separate {} from {now}: {takes}",
            one.figures.name
        ));
        return changes(said, objective, against, true).say(".");
    }
    if let [(one, against)] = known {
        // Beyond its own interval, but not beyond that of all tried variants together.
        let seems = against.verdict == Difference::Better;
        let (with, end) = match one.effect {
            Effect::Loses => ("With", "."),
            _ if seems => ("With", ", possibly by chance."),
            _ => ("No difference with", "."),
        };
        let said = say(format!("{with} {}: ", one.figures.name));
        return changes(said, objective, against, true).say(end);
    }
    let most = known.iter().map(|(_, against)| size(against)).fold(0.0, f64::max);
    let others = known.len();
    match worse.len() {
        0 => say(format!("All {others} are within this distance of {now}: "))
            .number(interval(objective, most, None))
            .say("."),
        n => say("None of ").number(others.to_string()).say(format!(
            " is better than {now}; {n} {} worse.",
            if n == 1 { "is" } else { "are" }
        )),
    }
}

/// One seed decides nothing: it has no interval.
fn of_one_seed(objective: &Objective, known: &[(&Candidate, PairedDifference)]) -> Sentence {
    let sign = if objective.better == Better::Less { 1.0 } else { -1.0 };
    let best = known.iter().min_by(|a, b| (sign * a.1.mean).total_cmp(&(sign * b.1.mean)));
    let (one, against) = best.expect("there is one");
    let said = say(format!("One seed, with {}: ", one.figures.name));
    changes(said, objective, against, true).say(", possibly by chance.")
}

/// "29 ± 11 s less", "158 ± 95 writes/s more".
fn changes(
    said: Sentence,
    objective: &Objective,
    against: &PairedDifference,
    is_first: bool,
) -> Sentence {
    let than = if against.mean < 0.0 { "less" } else { "more" };
    let ci95 = (against.ci95 > 0.0).then_some(against.ci95);
    let amount = interval(objective, against.mean.abs(), ci95);
    let what = match objective.metric.strip_suffix("_per_s") {
        Some(what) => format!("{NB}{}/s", what.replace('_', " ")),
        None => String::new(),
    };
    match is_first {
        true => said.number(format!("{amount}{what}")),
        false => said.say(format!("{amount}{what}")),
    }
    .say(format!(" {than}"))
}
