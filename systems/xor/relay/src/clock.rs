//! The wall clock: real connections wait in real time.
use std::time::Instant;

/// Now, by the machine's clock.
#[allow(clippy::disallowed_methods, reason = "real bytes on real links, and no simulation")]
pub fn now() -> Instant {
    Instant::now()
}
