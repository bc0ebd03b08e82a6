//! *Do* on the page of a plan, which has decided.
use crate::report::{Do, Variant};
use crate::spans::Sentence;
use crate::words::duration;

/// What a plan says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decided {
    /// The place of the variant to be taken; `None`: nothing is to change.
    pub recommended: Option<usize>,
    /// What is wished for is met by it, or, without one, by the present settings.
    pub enough: bool,
    /// The place of settings that are faster still.
    pub faster: Option<usize>,
}

/// What is said beside the proposal, or in its place: the point, and what follows it.
pub fn doing(decided: &Decided, rows: &[Variant]) -> (Sentence, Sentence) {
    let nothing = decided.enough && decided.recommended.is_none();
    let point = match nothing {
        true => Sentence::new().strong("Nothing: the settings as they are meet the wish."),
        false => Sentence::new(),
    };
    let faster = decided.faster.and_then(|place| rows.get(place));
    let more = faster.and_then(|row| Some((row, row.recovery_s?.mean)));
    let more = more.map_or(Sentence::new(), |(row, seconds)| {
        Sentence::new().say(format!("Faster still: {}, {}.", row.name, duration(seconds)))
    });
    (point, more)
}

/// A proposal with that.
pub fn with(proposal: Option<Do>, (point, more): (Sentence, Sentence)) -> Option<Do> {
    match proposal {
        Some(mut proposal) => {
            let space = Sentence::new().say(" ");
            if !more.is_empty() {
                proposal.more.extend(space.done());
                proposal.more.extend(more.done())
            }
            Some(proposal)
        }
        None if point.is_empty() => None,
        None => Some(Do { point: point.done(), more: more.done(), command: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spans::plain;

    #[test]
    fn a_wish_that_is_met_asks_for_nothing() {
        let decided = Decided { enough: true, ..Decided::default() };
        let said = with(None, doing(&decided, &[])).expect("a sentence");
        assert!(plain(&said.point).starts_with("Nothing"));
        assert_eq!(with(None, doing(&Decided::default(), &[])), None);
    }
}
