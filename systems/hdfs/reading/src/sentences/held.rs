//! *Held up by*: the largest gain or share on a line of its own, the others on the next.
use super::gains::Gains;
use super::short;
use crate::attribution::{Attribution, AttributionKind, Held};
use crate::shares::whole_percents;
use crate::spans::Sentence;
use crate::stat::SAME;
use crate::words::{NB, percent};
use page::{Holder, Kind};
use std::cmp::Ordering;

/// Percents of a log's time that leave the rest in doubt.
const MUCH: u32 = 25;

/// The rank of what gains nothing.
const NOTHING: u8 = 3;

/// How many holders the second line names.
const OTHERS: usize = 4;

/// A holder with its whole percents of the wait, and what is gained without it (0–1).
struct Part<'a> {
    held: &'a Held,
    percent: u32,
    gain: Option<f64>,
}

impl Part<'_> {
    /// What gains as much as the best, within 5 %, then what gains something, then of what nobody
    /// knows, then what gains nothing.
    fn rank(&self, best: f64) -> u8 {
        match self.gain {
            Some(gain) if Gains::is_any(gain) => u8::from(gain < best - SAME),
            None => 2,
            Some(_) => NOTHING,
        }
    }

    fn unexplained(&self) -> bool {
        self.held.kind == AttributionKind::Unexplained && self.percent >= MUCH
    }
}

/// The lines; none where nothing waited. Where it was found out what is gained without a holder,
/// that says which comes first, and not for how much of the wait it stands. A line has the hue of
/// the holder that it names first.
pub fn held_up(attribution: &Attribution, gains: &Gains, logged: bool) -> Vec<Holder> {
    let percents = whole_percents(attribution);
    let parts = attribution.shares.iter().zip(percents).filter(|(_, percent)| *percent > 0);
    let mut parts: Vec<Part<'_>> =
        parts.map(|(held, percent)| Part { held, percent, gain: gains.without(held) }).collect();
    let best = parts.iter().filter_map(|part| part.gain).fold(0.0, f64::max);
    // Where nothing gains alone, what is waited for is all that is known.
    let any = Gains::is_any(best);
    if any {
        parts.sort_by(|a, b| {
            let rank = a.rank(best).cmp(&b.rank(best));
            rank.then(match a.rank(best) {
                1 => b.gain.partial_cmp(&a.gain).expect("no NaN"),
                _ => Ordering::Equal,
            })
        })
    }
    if logged {
        // Much that no log explains comes first: the rest is read in its light.
        parts.sort_by_key(|part| !part.unexplained())
    }
    let idle =
        parts.iter().filter(|part| any && part.rank(best) == NOTHING && part.percent >= MUCH);
    let idle = idle.max_by_key(|part| part.percent);
    let Some(first) = parts.first() else { return Vec::new() };
    let line = |part: &Part<'_>, text: Sentence| Holder {
        kind: Some(part.held.hue),
        text: text.done(),
        source: None,
    };
    let mut lines = vec![line(first, one(Sentence::new(), first, false))];
    let is_idle = |part: &Part<'_>| idle.is_some_and(|idle| idle.held == part.held);
    let rest: Vec<&Part<'_>> = parts.iter().skip(1).filter(|part| !is_idle(part)).collect();
    let mut others = Sentence::new();
    for (place, part) in rest.iter().take(OTHERS).enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        others = one(others.say(comma), part, true);
    }
    if rest.len() > OTHERS {
        others = others.say(format!(", {} more in the figure", rest.len() - OTHERS));
    }
    lines.extend(rest.first().map(|part| line(part, others)));
    lines.extend(idle.map(|part| line(part, nothing(part, first))));
    lines
}

/// "29 % less without dfs.… = 3s (5 % of the wait)"; "60 % dfs.… = 2".
fn one(sentence: Sentence, part: &Part<'_>, shortened: bool) -> Sentence {
    let number = |sentence: Sentence, text: String| match shortened {
        true => sentence.say(text),
        false => sentence.strong(text),
    };
    match part.gain.filter(|gain| Gains::is_any(*gain)) {
        Some(gain) => {
            let sentence = number(sentence, percent(gain)).say(" less without ");
            holder(sentence, part.held, shortened)
                .say(format!(" ({}{NB}% of the wait)", part.percent))
        }
        None => {
            let sentence = number(sentence, format!("{}{NB}%", part.percent)).say(" ");
            holder(sentence, part.held, shortened)
        }
    }
}

/// What is waited for long, and gains nothing.
fn nothing(part: &Part<'_>, first: &Part<'_>) -> Sentence {
    let sentence = Sentence::new().say("Nothing is gained wholly without ");
    let sentence = holder(sentence, part.held, true)
        .say(format!(", {}{NB}% of the wait: what stands behind it is ", part.percent));
    let sentence = holder(sentence, first.held, true);
    match part.held.kind {
        // No limit at all may overload what another value does not.
        AttributionKind::Setting => sentence.say("; another value may gain"),
        _ => sentence,
    }
}

/// A holder after its percents: a key (in full, or short once one has stood in full), or a class
/// with its hottest member.
fn holder(sentence: Sentence, held: &Held, shortened: bool) -> Sentence {
    match held.kind {
        AttributionKind::Setting if shortened => sentence.key(short(&held.holder)),
        AttributionKind::Setting => sentence.key(held.holder.clone()),
        AttributionKind::Resource if held.hue == Kind::Wait => sentence.say(held.holder.clone()),
        AttributionKind::Resource => {
            let name = match held.holder.as_str() {
                "NIC" => "NICs".into(),
                other => format!("{}s", other.to_lowercase()),
            };
            match &held.hottest {
                Some(hottest) if !shortened => sentence.say(format!("{name}, most at {hottest}")),
                _ => sentence.say(name),
            }
        }
        AttributionKind::Interval | AttributionKind::Unexplained => {
            sentence.say(held.holder.clone())
        }
    }
}
