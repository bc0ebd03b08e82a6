//! NICs: lines of hardware's stations whose time is given, since a switch's messages leave at
//! several rates.
use hardware::station::{Servers, Station, Ticket, Work};
use rewind::Rewind;
use units::Nanos;

/// A line, first come first served.
#[derive(Rewind)]
pub struct Line(Station);

impl Default for Line {
    fn default() -> Line {
        Line(Station::new(Servers::timed(1)))
    }
}

impl Line {
    /// A message comes at `at` and takes `time`.
    pub fn pass(&mut self, at: Nanos, time: Nanos) -> Ticket {
        self.0.submit(at, Work::time(time))
    }
}
