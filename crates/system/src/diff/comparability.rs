//! Whether two times are comparable: two complete runs of the same work.
use super::side::Side;
use crate::finished::FinishedJob;
use crate::reporter::figure;
use analysis::stat::SAME;
use page::{Sentence, say};

/// The reasons against it, each a part of a sentence; empty if comparable or unknown.
pub(super) fn apart(sides: &[Side; 2]) -> Vec<String> {
    let [Some(first), Some(second)] = sides.each_ref().map(|side| side.finished.as_ref()) else {
        return Vec::new();
    };
    let [one, other] = sides.each_ref().map(|side| side.name.as_str());
    let of = |(name, run): (&str, &FinishedJob)| {
        let how = run.broke_off.as_ref()?;
        Some(format!("{name} {how}, so its time is not that of a complete {}", run.what))
    };
    let broken = [(one, first), (other, second)].into_iter().filter_map(of);
    let work = match numberless(&first.name) == numberless(&second.name) {
        // A run that stopped early has not read its whole input.
        true if first.broke_off.is_some() || second.broke_off.is_some() => None,
        true => input((one, first), (other, second)),
        false => Some(format!(
            "{one} is {} and {other} is {}, two different {}s",
            first.name, second.name, first.what
        )),
    };
    broken.chain(work).collect()
}

pub(super) fn answer(apart: &[String]) -> Sentence {
    say("").number("Not comparable").say(format!(": {}.", apart.join("; ")))
}

/// The name with each word that has a digit replaced by `#`: dates and run numbers do not make the
/// work different.
fn numberless(name: &str) -> String {
    let word = |word: &str| match word.contains(|c: char| c.is_ascii_digit()) {
        true => "#".to_string(),
        false => word.to_lowercase(),
    };
    name.split(|c: char| !c.is_alphanumeric()).map(word).collect::<Vec<_>>().join(" ")
}

/// Describes the first input that differs by at least 5 % of the larger value.
fn input(
    (one, first): (&str, &FinishedJob),
    (other, second): (&str, &FinishedJob),
) -> Option<String> {
    let differs = |(name, a): (&String, &f64)| {
        let b = second.input.get(name)?;
        let far = (a - b).abs() >= SAME * a.max(*b);
        let write = |value: f64| match name.contains("bytes") {
            true => page::words::bytes(value),
            false => figure(value),
        };
        let said = format!(
            "{one} has {} {} and {other} {}: different work",
            write(*a),
            name.replace('_', " "),
            write(*b)
        );
        far.then_some(said)
    };
    first.input.iter().find_map(differs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_name_are_no_other_work() {
        assert_eq!(numberless("sales-2024-01-31 (r7)"), numberless("sales-2025-12-01 (r12)"));
        assert_ne!(numberless("TeraSort"), numberless("TeraGen"));
    }

    #[test]
    fn inputs_are_the_same_within_five_percent() {
        let run = |records: f64| FinishedJob {
            input: [("records".to_string(), records)].into(),
            ..FinishedJob::default()
        };
        let said = |a: f64, b: f64| input(("a", &run(a)), ("b", &run(b)));
        assert_eq!(said(1000.0, 1040.0), None);
        let words = said(1000.0, 2000.0).map(|text| page::words::spaces(&text));
        assert_eq!(words.as_deref(), Some("a has 1 000 records and b 2 000: different work"));
    }
}
