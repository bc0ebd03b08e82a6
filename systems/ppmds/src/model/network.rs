//! Queues of NICs, and links between LPs.
use super::message::{Envelope, Event, Record};
use super::settings::Settings;
use engine::*;
use hardware::station::Ticket;
use ppmds_protocol::message::Peer;

/// A FIFO queue with one server in 16 bytes. Unlike a station of `hardware`, it takes the service
/// time with each message, since a switch sends at several rates.
#[derive(Rewind, Default)]
pub struct Line {
    free: Nanos,
    last: Nanos,
}

impl Line {
    /// # Panics
    /// If `at` is before the last message's.
    pub fn pass(&mut self, at: Nanos, time: Nanos) -> Ticket {
        assert!(at >= self.last, "a message at {at:?} behind one at {:?}", self.last);
        let start = self.free.max(at);
        (self.free, self.last) = (start + time, at);
        Ticket { arrival: at, start, end: self.free }
    }
}

/// Sends an event that arrives at `there`.
pub fn deliver(cx: &impl Context<Event, Record>, to: Lp<Event>, there: Nanos, event: Event) {
    let link = cx.link(to);
    let delay = there - cx.now();
    cx.send(to, Delay::link(link).plus(delay - link.bound()), event)
}

/// Sends a message whose head arrives at `there`: at once, or by an event at its sender when the
/// transmission begins (`network.reception = event`).
pub fn send_head(
    cx: &impl Context<Event, Record>,
    settings: &Settings,
    there: Nanos,
    envelope: Box<Envelope>,
) {
    match settings.reception {
        Some(transmission) => {
            let wait = there.saturating_sub(transmission).saturating_sub(cx.now());
            cx.after(wait, Event::Leaves(envelope))
        }
        None => deliver(cx, receiver(settings, &envelope), there, Event::Head(envelope)),
    }
}

/// The transmission of a message begins.
pub fn leave(cx: &impl Context<Event, Record>, settings: &Settings, envelope: &Envelope) {
    let there = cx.now() + settings.reception.unwrap_or(Nanos::ZERO);
    let event = Event::Head(Box::new(envelope.clone()));
    deliver(cx, receiver(settings, envelope), there, event)
}

fn receiver(settings: &Settings, envelope: &Envelope) -> Lp<Event> {
    match envelope.to {
        Peer::Server(server) => settings.server_lps.at(server),
        Peer::Client(client) => settings.client_lps.at(client),
    }
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
