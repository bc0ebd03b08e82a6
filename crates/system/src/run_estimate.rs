//! Announces on stderr how long a run takes, if it is long.
use crate::clock;
use crate::console;
use crate::footprint::count;
use crate::interface::Progress;
use page::words::duration;
use std::time::Instant;

/// Shorter runs are not announced \[s\].
pub(crate) const LONG_S: f64 = 20.0;
/// Wall-clock time after which the speed of a run is known \[s\].
const LOOK_S: f64 = 1.0;

/// The expectation for one run of `events` events.
pub(crate) struct RunEstimate {
    events: Option<u64>,
    started: Instant,
}

impl RunEstimate {
    /// Starts the clock. Without a number of events nothing is printed.
    pub fn of(events: Option<u64>) -> RunEstimate {
        RunEstimate { events, started: clock::now() }
    }

    /// Prints the expected time once, as soon as the speed is known.
    pub fn at(&mut self, run: &Progress) {
        let wall = self.started.elapsed().as_secs_f64();
        if wall >= LOOK_S
            && let Some(events) = self.events.take()
            && let Some(words) = words(events, run.events, wall)
        {
            console::note(&words)
        }
    }
}

/// "about 3 min for one run: 8.2 million events, 45000 a second here"
fn words(events: u64, done: u64, wall: f64) -> Option<String> {
    let speed = done as f64 / wall;
    let whole = events as f64 / speed.max(1.0);
    let speed = count(units::floored_u64(speed));
    (whole > LONG_S).then(|| {
        let whole = duration(whole);
        format!("about {whole} for one run: {} events, {speed} a second here", count(events))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_run_is_said_and_a_short_one_is_not() {
        let said = super::words(8_200_000, 45_000, 1.0).map(|said| page::words::spaces(&said));
        let wanted = "about 182 s for one run: 8.2 million events, 45000 a second here";
        assert_eq!(said.as_deref(), Some(wanted));
        assert_eq!(super::words(8_200_000, 450_000, 1.0), None);
    }
}
