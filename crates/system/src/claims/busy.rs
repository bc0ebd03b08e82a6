//! The use of this machine's processors during a measurement.
use super::Verdict;
use crate::processors::{own_ticks, ticks};
use std::time::Duration;

/// Above this fraction of all processors' time, a measurement shows the processors and not its
/// subject.
const MOST: f64 = 0.9;
/// The same for other programs, next to a measurement of the processors themselves.
const OTHERS: f64 = 1.0 - MOST;
const WATCHED: Duration = Duration::from_millis(500);

/// Processor time at the start of a measurement \[ticks\].
#[derive(Clone, Copy, Debug)]
pub struct Busy {
    /// Busy and total; `None` without `/proc`.
    all: Option<(u64, u64)>,
    own: u64,
}

/// Use of the processors since then, and its text.
struct Use {
    text: String,
    is_too_much: bool,
}

impl Busy {
    pub fn now() -> Busy {
        let read = |file| std::fs::read_to_string(file).unwrap_or_default();
        Busy { all: ticks(&read("/proc/stat")), own: own_ticks(&read("/proc/self/stat")) }
    }

    /// Watches the processors before a measurement that uses all of them. Fails with the reason if
    /// other programs do, too: then it would take long and decide nothing.
    pub fn check_others() -> Result<(), String> {
        let watched = Busy::now();
        std::thread::sleep(WATCHED);
        let used = watched.by_others();
        if used.is_too_much { Err(used.text) } else { Ok(()) }
    }

    /// Leaves a measurement undecided if the processors were too busy since then. The text has
    /// their use.
    pub fn judged(self, verdict: Verdict) -> (Verdict, String) {
        Use::of("the processors were", self.since(|_| 0), MOST).judged(verdict)
    }

    /// [`judged`](Self::judged) for a measurement that uses all processors on purpose.
    pub fn judged_by_others(self, verdict: Verdict) -> (Verdict, String) {
        self.by_others().judged(verdict)
    }

    fn by_others(self) -> Use {
        let own = |now: &Busy| now.own.saturating_sub(self.own);
        Use::of("other programs kept the processors", self.since(own), OTHERS)
    }

    /// Fraction of the processors' time, without the ticks of `but`.
    fn since(self, but: impl Fn(&Busy) -> u64) -> Option<f64> {
        let now = Busy::now();
        let ((busy, all), (busy_now, all_now)) = self.all.zip(now.all)?;
        let used = busy_now.saturating_sub(busy).saturating_sub(but(&now));
        Some(used as f64 / all_now.saturating_sub(all).max(1) as f64)
    }
}

impl Use {
    fn of(what: &str, part: Option<f64>, most: f64) -> Use {
        let Some(part) = part else { return Use { text: String::new(), is_too_much: false } };
        let text = format!("{what} {:.0} % busy", 100.0 * part);
        match part > most {
            true => Use {
                text: format!("{text}: a measurement above {:.0} % decides nothing", 100.0 * most),
                is_too_much: true,
            },
            false => Use { text, is_too_much: false },
        }
    }

    fn judged(self, verdict: Verdict) -> (Verdict, String) {
        let verdict = if self.is_too_much { Verdict::undecided() } else { verdict };
        (verdict, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::VerdictKind;

    #[test]
    fn a_busy_machine_decides_nothing() {
        let yes = Verdict::of([Some(true)]);
        let of = |part| Use::of("the processors were", part, MOST).judged(yes);
        let (verdict, text) = of(Some(0.97));
        assert_eq!(verdict.word, VerdictKind::Undecided);
        assert!(text.starts_with("the processors were 97 % busy: "), "{text}");
        assert_eq!(of(Some(0.6)), (yes, "the processors were 60 % busy".into()));
        assert_eq!(of(None), (yes, String::new()));
    }
}
