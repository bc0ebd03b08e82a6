//! *Held up by*: what the run waits for, and the gain without it. The largest wait need not be the
//! bottleneck: another wait may replace it. If variants or replays show the gain, the gain
//! determines the order.
use crate::advice::Candidate;
use crate::reporter::{Case, Reporter, hue};
use analysis::advice::Effect;
use analysis::stat::SAME;
use page::words::percent;
use page::{Kind, Sentence, say};
use std::collections::BTreeMap;
use trace::Better;

const NAMED: usize = 4;

/// Share of the wait (0–1) from which on a line states that nothing is gained without it.
const MUCH: f64 = 0.25;

/// A bottleneck by name, over the first variant's seeds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Holder {
    pub name: String,
    pub kind: Kind,
    /// The resource of this kind that the first run waited for most.
    pub hottest: Option<String>,
}

/// Bottlenecks of the first variant with mean shares, largest first, unexplained last.
pub(crate) fn held(case: &Case<'_>) -> Vec<(Holder, f64)> {
    let runs = &case.rows[0].runs;
    let mut sums: BTreeMap<&str, (Holder, f64)> = BTreeMap::new();
    for held in runs.iter().flat_map(|run| &run.reading.held) {
        let holder = || Holder {
            name: held.holder.clone(),
            kind: hue(held.role),
            hottest: held.hottest.clone(),
        };
        let (_, share) = sums.entry(&held.holder).or_insert_with(|| (holder(), 0.0));
        *share += held.share / runs.len() as f64
    }
    let mut all: Vec<(Holder, f64)> = sums.into_values().collect();
    let last = |holder: &Holder| holder.kind == Kind::Unexplained;
    all.sort_by(|a, b| last(&a.0).cmp(&last(&b.0)).then(b.1.total_cmp(&a.1)));
    all
}

#[derive(Default, Debug)]
pub(crate) struct Gains {
    /// Name (settings without their value) and relative gain of the objective (0–1).
    known: Vec<(String, f64)>,
    /// The first `replayed` of `known` are replays without the bottleneck; the others are variants.
    replayed: usize,
    more: bool,
}

impl Gains {
    /// From the system's replays, and from variants of one setting.
    pub fn of(words: &dyn Reporter, case: &Case<'_>) -> Gains {
        let replayed = words.savings(case);
        let now = case.advice.now.as_ref().and_then(|now| now.value).map_or(0.0, |now| now.mean);
        let gain = |one: &Candidate| {
            let [((key, _), _)] = one.changes.as_slice() else { return None };
            let gain = match one.effect {
                Effect::Gains => one.against()?.mean.abs() / now.abs().max(f64::MIN_POSITIVE),
                Effect::Same | Effect::Loses => 0.0,
                Effect::Undecided | Effect::Unknown => return None,
            };
            Some((setting(key).to_string(), gain))
        };
        Gains {
            replayed: replayed.len(),
            known: (replayed.into_iter())
                .chain(case.advice.candidates.iter().filter_map(gain))
                .collect(),
            more: case.now().objective.better == Better::More,
        }
    }

    /// Whether a variant has another value of this setting. A replay without any limit does not
    /// show the gain of another limit.
    fn by_rows(&self, holder: &Holder) -> bool {
        let name = setting(holder.name.split(" = ").next().unwrap_or_default());
        self.known[self.replayed..].iter().any(|(known, _)| name == known.as_str())
    }

    /// The largest relative gain without it; `None` if no variant or replay shows it.
    fn without(&self, holder: &Holder) -> Option<f64> {
        let name = setting(holder.name.split(" = ").next().unwrap_or_default());
        let known = self.known.iter().filter(|(part, _)| name == part.as_str());
        known.map(|(_, gain)| *gain).reduce(f64::max)
    }
}

/// The name in its own file, without the table: "x-site.KEY" is "KEY".
fn setting(key: &str) -> &str {
    key.split_once("-site.").map_or(key, |(_, name)| name)
}

/// One line per named bottleneck, with the gain without it. A large wait without a gain is marked
/// as such.
pub(crate) fn held_up(all: &[(Holder, f64)], gains: &Gains) -> Vec<(Kind, Sentence)> {
    let known = all.iter().filter(|(_, share)| *share >= 0.005);
    let mut parts: Vec<(&Holder, f64, Option<f64>)> =
        known.take(NAMED).map(|(held, share)| (held, *share, gains.without(held))).collect();
    let best = parts.iter().filter_map(|(.., gain)| *gain).fold(0.0, f64::max);
    // 0: a gain within 5 % of the best. 1: a smaller gain. 2: unknown. 3: no gain.
    let rank = |gain: Option<f64>| match gain {
        Some(gain) if gain >= SAME => i64::from(gain < best - SAME),
        None => 2,
        Some(_) => 3,
    };
    let any = best >= SAME;
    if any {
        let size = |gain: Option<f64>| gain.filter(|gain| *gain < best - SAME).unwrap_or(0.0);
        parts.sort_by(|a, b| rank(a.2).cmp(&rank(b.2)).then(size(b.2).total_cmp(&size(a.2))))
    }
    let behind = parts.first().filter(|_| any).map(|(held, ..)| *held);
    let line = |(place, &(held, share, gain)): (usize, &(&Holder, f64, Option<f64>))| {
        let most = held.hottest.as_ref().filter(|_| place == 0);
        let most = most.map_or(String::new(), |hottest| format!(", most {hottest}"));
        let text = match (rank(gain), gain) {
            (0 | 1, Some(gain)) => {
                let word = if gains.more { "more" } else { "less" };
                let text = say("").strong(percent(gain)).say(format!(" {word} without "));
                named(text, held).say(format!(" ({} of the wait{most})", percent(share)))
            }
            (3, _) if share >= MUCH => {
                let text = named(say("").strong(percent(share)).say(" "), held);
                let text = text.say(match gains.by_rows(held) {
                    true => ", but no other value gains",
                    false => ", but no gain without it",
                });
                match behind {
                    Some(behind) => named(text.say(": behind it is "), behind),
                    None => text,
                }
            }
            _ => named(say("").strong(percent(share)).say(" "), held).say(most),
        };
        (held.kind, text)
    };
    parts.iter().enumerate().map(line).collect()
}

fn named(text: Sentence, holder: &Holder) -> Sentence {
    match holder.kind {
        Kind::Setting => text.key(holder.name.clone()),
        _ => text.say(holder.name.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(known: &[(&str, f64)]) -> Vec<String> {
        let holder = |name: &str, kind| Holder { name: name.into(), kind, hottest: None };
        let all = [
            (holder("task.slow_start = 0.05", Kind::Setting), 0.43),
            (holder("Rack uplinks", Kind::Network), 0.35),
            (holder("Disks", Kind::Disk), 0.14),
        ];
        let known = known.iter().map(|(part, gain)| (part.to_string(), *gain)).collect();
        let lines = held_up(&all, &Gains { known, replayed: 0, more: false });
        let text = |line: &(Kind, Sentence)| page::plain(&line.1.clone().done());
        lines.iter().map(|line| text(line).replace('\u{a0}', " ")).collect()
    }

    #[test]
    fn the_gain_says_what_comes_first() {
        let waited = ["43 % task.slow_start = 0.05", "35 % Rack uplinks", "14 % Disks"];
        assert_eq!(of(&[]), waited);
        assert_eq!(of(&[("task.slow_start", 0.0), ("Disks", 0.01)])[1..], waited[1..]);
        assert_eq!(
            of(&[("task.slow_start", 0.0), ("Rack uplinks", 0.48)]),
            [
                "48 % less without Rack uplinks (35 % of the wait)",
                "14 % Disks",
                "43 % task.slow_start = 0.05, but no other value gains: behind it is Rack uplinks",
            ]
        );
    }
}
