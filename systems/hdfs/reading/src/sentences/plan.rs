//! *Do* on the page of a plan, which has decided.
use crate::compare::Variant;
use crate::spans::Sentence;
use crate::words::duration;
use page::{Do, Span};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decided {
    /// The place of the variant to be taken; `None`: nothing is to change.
    pub recommended: Option<usize>,
    /// What is wished for is met by it, or, without one, by the present settings.
    pub enough: bool,
    /// Why it is recommended, where it is not for the repair's sake: a sentence; or empty.
    pub because: String,
    /// The place of settings that are faster still.
    pub faster: Option<usize>,
    /// What these cost clients: "+280 ± 32 %"; empty without clients.
    pub faster_costs: String,
    /// Points that the plan has looked at.
    pub tried: usize,
}

/// What is said beside the proposal, or in its place.
pub struct Said {
    point: Sentence,
    because: Sentence,
    faster: Sentence,
}

/// The words of a decision about these rows.
pub fn doing(decided: &Decided, rows: &[Variant]) -> Said {
    let nothing = decided.enough && decided.recommended.is_none();
    let point = match nothing {
        true => Sentence::new().strong("Nothing: the settings as they are meet the wish."),
        false => Sentence::new(),
    };
    let faster = decided.faster.and_then(|place| rows.get(place));
    let faster = faster.and_then(|row| Some((row, row.recovery_s?.mean)));
    let cost = match decided.faster_costs.as_str() {
        "" => String::new(),
        cost => format!(", clients {cost}"),
    };
    let faster = faster.map_or(Sentence::new(), |(row, seconds)| {
        let time = duration(seconds);
        Sentence::new().say(format!("Faster still: {}, {time}{cost}.", row.name))
    });
    let because = match decided.because.is_empty() {
        true => Sentence::new(),
        false => Sentence::new().say(decided.because.clone()),
    };
    Said { point, because, faster }
}

pub fn with(proposal: Option<Do>, said: Said) -> Option<Do> {
    let Said { point, because, faster } = said;
    let beside = |all: [Vec<Span>; 3]| {
        let all = all.into_iter().filter(|spans| !spans.is_empty());
        let space = Sentence::new().say(" ").done();
        all.reduce(|so_far, next| [so_far, space.clone(), next].concat()).unwrap_or_default()
    };
    // A wish that is met asks for nothing, whatever the table would propose.
    if !point.is_empty() {
        let more = beside([because.done(), faster.done(), Vec::new()]);
        return Some(Do { point: point.done(), more, command: None });
    }
    proposal.map(|mut proposal| {
        proposal.more = beside([because.done(), proposal.more, faster.done()]);
        proposal
    })
}

/// Beside a table of one row: that others were tried. (What a repair of nothing takes, they do,
/// too.)
pub fn alone(decided: &Decided, rows: &[Variant]) -> Option<Sentence> {
    let nothing = rows.iter().all(|row| row.recovery_s.is_some_and(|s| s.max == 0.0));
    let why = match (nothing, decided.enough) {
        (true, _) => "Nothing has to be copied, whatever is set",
        (_, true) => "The present settings meet the wish",
        _ => "None is faster than the present settings by 5 %, and by more than chance",
    };
    let tried = match decided.tried {
        1 => "1 point was".into(),
        n => format!("{n} points were"),
    };
    (rows.len() == 1).then(|| Sentence::new().say(format!("{tried} tried. {why}.")))
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
        let proposal = Do { point: Vec::new(), more: Vec::new(), command: Some("x".into()) };
        assert_eq!(with(Some(proposal), doing(&decided, &[])), Some(said));
    }

    #[test]
    fn a_proposal_says_what_it_is_for() {
        let proposal = Do { point: Vec::new(), more: Vec::new(), command: None };
        let because = "Clients wait +11 %, +74 % now: 20 % is wished for.".to_string();
        let decided = Decided { because: because.clone(), ..Decided::default() };
        let said = with(Some(proposal), doing(&decided, &[])).expect("a sentence");
        assert_eq!(plain(&said.more), because);
    }
}
