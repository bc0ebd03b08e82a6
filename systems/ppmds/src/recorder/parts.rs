//! Splits a request's time into parts, exact to the nanosecond.
use crate::model::{Done, Switching, Times};
use units::Nanos;

pub const PARTS: usize = 10;
/// Each part's kind of interval, and its label.
pub const NAMES: [(&str, &str); PARTS] = [
    ("send", "leaves the client"),
    ("client-up", "passes the client's switch"),
    ("server-down", "passes to the server"),
    ("store-queue", "waits for the store"),
    ("store", "is stored"),
    ("rounds", "asks other servers"),
    ("others", "waits for other transactions"),
    ("answer", "leaves the server"),
    ("server-up", "passes the server's switch"),
    ("client-down", "passes to the client"),
];
pub const SEND: usize = 0;
pub const CLIENT_UP: usize = 1;
pub const SERVER_DOWN: usize = 2;
pub const STORE_QUEUE: usize = 3;
pub const STORE: usize = 4;
pub const ROUNDS: usize = 5;
pub const OTHERS: usize = 6;
pub const ANSWER: usize = 7;
pub const SERVER_UP: usize = 8;
pub const CLIENT_DOWN: usize = 9;

/// The parts sum to the request's length. The rest, in `SERVER_DOWN`, is waiting at the server's
/// port or in shared switches.
pub fn parts(done: &Done, times: &Times, switching: Switching) -> [u64; PARTS] {
    let Times { startup, client, switch, server } = *times;
    let mut parts = [0; PARTS];
    let waits = &done.waits;
    parts[ROUNDS] = waits.rounds;
    parts[OTHERS] = waits.others;
    // A client's own transaction, or a late answer to a repeated request.
    if waits.start != done.start || (waits.rounds + waits.others == (done.end - done.start).0) {
        parts[SERVER_DOWN] = (done.end - done.start).0.saturating_sub(waits.rounds + waits.others);
        return parts;
    }
    parts[STORE_QUEUE] = waits.store_queue;
    parts[STORE] = waits.store;
    match switching {
        Switching::Port => {
            parts[SEND] = (startup + client).0 + waits.nic_queue;
            parts[CLIENT_UP] = (startup + switch).0;
            parts[ANSWER] = (startup + server).0 + waits.out_queue;
            parts[SERVER_UP] = (startup + switch).0 + waits.up_queue;
            parts[CLIENT_DOWN] = (startup + client).0 + waits.port_queue;
        }
        Switching::Lp | Switching::Document | Switching::Single => {
            parts[SEND] = startup.0 + waits.nic_queue;
            parts[ANSWER] = startup.0 + waits.out_queue;
        }
    }
    let told: u64 = parts.iter().sum();
    parts[SERVER_DOWN] = (done.end - done.start).saturating_sub(Nanos(told)).0;
    parts
}
