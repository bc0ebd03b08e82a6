//! Whom a node refused and why, in lines for its operator: few, however often somebody comes.
use std::collections::BTreeSet;
use std::time::Duration;

/// After so long the same is said again.
const WINDOW: Duration = Duration::from_secs(60);
/// Lines in that time.
const LINES: usize = 20;

/// What was said lately.
#[derive(Default)]
pub(crate) struct Refusals {
    since: Duration,
    said: BTreeSet<(String, String)>,
    withheld: u64,
}

impl Refusals {
    /// The lines to be written now, of what was refused since the last call.
    pub(crate) fn lines(&mut self, now: Duration, refused: Vec<(String, String)>) -> Vec<String> {
        let mut lines = Vec::new();
        if now >= self.since + WINDOW {
            if self.withheld > 0 {
                lines.push(format!("refused {} times more within a minute", self.withheld))
            }
            *self = Refusals { since: now, ..Refusals::default() }
        }
        for (who, why) in refused {
            match self.said.len() < LINES && self.said.insert((who.clone(), why.clone())) {
                true => lines.push(format!("refused {who}: {why}")),
                false => self.withheld += 1,
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_said_once_a_minute_and_never_much() {
        let mut refusals = Refusals::default();
        let one = |why: &str| vec![("10.0.0.9".to_string(), why.to_string())];
        let at = Duration::from_secs;
        assert_eq!(refusals.lines(at(0), one("no key")), ["refused 10.0.0.9: no key"]);
        assert!(refusals.lines(at(59), one("no key")).is_empty());
        let again = refusals.lines(at(60), one("no key"));
        assert_eq!(again, ["refused 1 times more within a minute", "refused 10.0.0.9: no key"]);
        let many = (0..1000).map(|nth| ("h".to_string(), nth.to_string())).collect();
        assert_eq!(refusals.lines(at(61), many).len(), LINES - 1);
        assert_eq!(refusals.lines(at(200), Vec::new()), ["refused 981 times more within a minute"]);
    }
}
