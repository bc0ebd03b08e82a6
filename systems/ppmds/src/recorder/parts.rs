//! What a request's time consists of, to the nanosecond.
use crate::model::{Done, Switching, Times};
use units::Nanos;

/// Parts of a request's time, in their order.
pub const PARTS: usize = 8;
/// What each is called: an interval's kind, and its name for people.
pub const NAMES: [(&str, &str); PARTS] = [
    ("send", "leaves the client"),
    ("client-up", "passes the client's switch"),
    ("server-down", "passes to the server"),
    ("store-queue", "waits for the store"),
    ("store", "is stored"),
    ("answer", "leaves the server"),
    ("server-up", "passes the server's switch"),
    ("client-down", "passes to the client"),
];
/// Places in it.
pub const SEND: usize = 0;
pub const CLIENT_UP: usize = 1;
pub const SERVER_DOWN: usize = 2;
pub const STORE_QUEUE: usize = 3;
pub const STORE: usize = 4;
pub const ANSWER: usize = 5;
pub const SERVER_UP: usize = 6;
pub const CLIENT_DOWN: usize = 7;

/// The parts of a request, which sum to its length: what is not told is the waiting at its server's
/// port, or in the switches where those are shared.
pub fn parts(done: &Done, times: &Times, switching: Switching) -> [u64; PARTS] {
    let Times { startup, client, switch, server } = *times;
    let mut parts = [0; PARTS];
    parts[STORE_QUEUE] = done.store_queue;
    parts[STORE] = done.store.into();
    match switching {
        Switching::Port => {
            parts[SEND] = (startup + client).0 + done.nic_queue;
            parts[CLIENT_UP] = (startup + switch).0;
            parts[ANSWER] = (startup + server).0 + u64::from(done.out_queue);
            parts[SERVER_UP] = (startup + switch).0 + u64::from(done.up_queue);
            parts[CLIENT_DOWN] = (startup + client).0 + done.down_queue;
        }
        Switching::Lp | Switching::Direction | Switching::Single => {
            parts[SEND] = startup.0 + done.nic_queue;
            parts[ANSWER] = startup.0 + u64::from(done.out_queue);
        }
    }
    let told: u64 = parts.iter().sum();
    parts[SERVER_DOWN] = (done.end - done.start).saturating_sub(Nanos(told)).0;
    parts
}
