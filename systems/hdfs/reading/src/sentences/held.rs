//! *Held up by*: the largest share on a line of its own, the others on the next.
use super::short;
use crate::attribution::{Attribution, AttributionKind, Held};
use crate::report::{HolderKind, Span};
use crate::shares::whole_percents;
use crate::spans::Sentence;
use crate::words::NB;

/// Percents of a log's time that leave the rest in doubt.
const MUCH: u32 = 25;

/// How many holders the second line names.
const OTHERS: usize = 4;

/// The lines; none where nothing waited.
pub fn held_up(attribution: &Attribution, logged: bool) -> Vec<Vec<Span>> {
    let percents = whole_percents(attribution);
    let parts = attribution.shares.iter().zip(percents).filter(|(_, percent)| *percent > 0);
    let mut parts: Vec<(&Held, u32)> = parts.collect();
    let unexplained = |(held, percent): &(&Held, u32)| {
        held.kind == AttributionKind::Unexplained && *percent >= MUCH
    };
    if logged {
        // Much that no log explains comes first: the rest is read in its light.
        parts.sort_by_key(|part| !unexplained(part))
    }
    let mut parts = parts.into_iter();
    let Some((first, percent)) = parts.next() else { return Vec::new() };
    let top = Sentence::new().strong(format!("{percent}{NB}%")).say(" ");
    let mut lines = vec![holder(top, first, false).done()];
    let mut others = Sentence::new();
    let mut rest = parts.collect::<Vec<_>>();
    let more = rest.len().saturating_sub(OTHERS);
    rest.truncate(OTHERS);
    for (held, percent) in rest {
        let comma = if others.is_empty() { "" } else { ", " };
        others = holder(others.say(format!("{comma}{percent}{NB}% ")), held, true);
    }
    if more > 0 {
        others = others.say(format!(", {more} more in the figure"));
    }
    if !others.is_empty() {
        lines.push(others.done());
    }
    lines
}

/// A holder after its percents: a key (in full, or short once one has stood in full), or a class
/// with its hottest member.
fn holder(sentence: Sentence, held: &Held, shortened: bool) -> Sentence {
    match held.kind {
        AttributionKind::Setting if shortened => sentence.key(short(&held.holder)),
        AttributionKind::Setting => sentence.key(held.holder.clone()),
        AttributionKind::Resource if held.hue == HolderKind::Wait => {
            sentence.say(held.holder.clone())
        }
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
