//! NICs: one message after the other; and links.
use super::message::{Event, Record};
use engine::*;
use hardware::station::Ticket;

/// A line before one server, first come first served: a hardware's station whose time is given,
/// since a switch's messages leave at several rates, in 16 bytes of its owner's.
#[derive(Rewind, Default)]
pub struct Line {
    free: Nanos,
    last: Nanos,
}

impl Line {
    /// A message comes at `at` and takes `time`.
    ///
    /// # Panics
    /// A time that goes back.
    pub fn pass(&mut self, at: Nanos, time: Nanos) -> Ticket {
        assert!(at >= self.last, "a message at {at:?} behind one at {:?}", self.last);
        let start = self.free.max(at);
        (self.free, self.last) = (start + time, at);
        Ticket { arrival: at, start, end: self.free }
    }
}

/// Sends so that it is there at `there`.
pub fn deliver(cx: &impl Context<Event, Record>, to: Lp<Event>, there: Nanos, event: Event) {
    let link = cx.link(to);
    let delay = there - cx.now();
    cx.send(to, Delay::link(link).plus(delay - link.bound()), event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardware::station::{Servers, Station, Work};

    #[test]
    fn a_line_is_a_station_with_one_server() {
        let (mut line, mut station) = (Line::default(), Station::new(Servers::timed(1)));
        let mut at = Nanos::ZERO;
        for n in 0..1_000u64 {
            at += Nanos(n * 7_919 % 61);
            let time = Nanos(n * 104_729 % 53);
            let (one, other) = (line.pass(at, time), station.submit(at, Work::time(time)));
            assert_eq!((one.start, one.end), (other.start, other.end), "message {n}");
            assert_eq!(one.queued(), other.queued())
        }
    }
}
