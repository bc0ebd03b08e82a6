//! Values worth trying, and their distance from the present one.
use super::Sheet;
use crate::keys::{Candidate, Change, Key, Kind, TrialValues, TypedValue};

const MOST: usize = 6;

impl Sheet {
    /// An unknown key is a question.
    pub fn change(&self, key: &str, value: &str) -> Change {
        let known = self.vocabulary().find(key);
        let now = known.and_then(|known| Some(self.values.find(known.name)?.text.as_str()));
        known.map_or(Change::Question, |known| known.takes.of(now.unwrap_or(""), value))
    }

    /// Values to try, in the format of `--set`; empty for a key that is not a setting. Only the
    /// system knows whether they are compatible with other keys.
    pub fn tries(&self, key: &str) -> Vec<String> {
        let Some(known) = self.vocabulary().find(key) else { return Vec::new() };
        let Some(slot) = self.values.find(known.name) else { return Vec::new() };
        let values = match known.tries {
            TrialValues::These(values) => values.iter().map(|value| (*value).to_string()).collect(),
            TrialValues::By(rule) => rule(&self.values, &slot.text),
            TrialValues::ByKind => self.by_kind(known.name, known.kind, &slot.typed),
        };
        let another = |value: &String| {
            known.kind.read(value).is_ok_and(|typed| typed != slot.typed)
                && known.takes.of(&slot.text, value).is_possible()
        };
        values.into_iter().filter(another).take(MOST).collect()
    }

    /// Keys whose other values are tried in every run of this scenario.
    pub fn candidates(&self) -> impl Iterator<Item = (&'static str, Candidate)> {
        let of = |key: &'static Key| Some((key.name, key.candidate?));
        let all = self.vocabulary().all().filter_map(of);
        all.filter(|(_, candidate)| (candidate.applies)(&self.values))
    }

    fn by_kind(&self, key: &str, kind: Kind, now: &TypedValue) -> Vec<String> {
        let scaled = |times, over| Some(self.scaled(key, times, over)?.into_iter().next()?.1);
        match (kind, now) {
            (Kind::Choice(names), _) => names.iter().map(|name| (*name).to_string()).collect(),
            (_, TypedValue::Flag(now)) => vec![(!now).to_string()],
            _ => [(1, 2), (2, 1)].into_iter().filter_map(|(by, over)| scaled(by, over)).collect(),
        }
    }

    /// Distance from the present value: ratio of numbers, or of the sums of number lists, larger
    /// over smaller; 0 if equal, else 1.
    pub fn distance(&self, key: &str, value: &str) -> f64 {
        let Some(known) = self.vocabulary().find(key) else { return 1.0 };
        let now = self.values.find(known.name).map(|slot| &slot.typed);
        let (Some(now), Ok(then)) = (now, known.kind.read(value)) else { return 1.0 };
        if *now == then {
            return 0.0;
        }
        match (size(now), size(&then)) {
            (Some(now), Some(then)) if now > 0.0 && then > 0.0 => (then / now).max(now / then),
            _ => 1.0,
        }
    }
}

fn size(value: &TypedValue) -> Option<f64> {
    match value {
        TypedValue::Count(n) => Some(*n as f64),
        TypedValue::Number(n) => Some(*n),
        TypedValue::Rate(rate) => Some(rate.0 as f64),
        TypedValue::Bytes(bytes) => Some(bytes.0 as f64),
        TypedValue::Time(time) => Some(time.0 as f64),
        TypedValue::Flag(_) => None,
        TypedValue::Text(text) => {
            let numbers = text.split_whitespace().map(|word| word.parse::<f64>().ok());
            numbers.sum::<Option<f64>>().filter(|sum| sum.is_finite())
        }
    }
}
