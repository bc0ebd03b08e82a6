//! Clocks of real nodes and clients.
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[allow(clippy::disallowed_methods, reason = "real connections wait in real time")]
pub fn now() -> Instant {
    Instant::now()
}

/// Time of day \[ns since 1970\].
#[allow(clippy::disallowed_methods, reason = "times of change in attributes")]
pub fn wall_ns() -> u64 {
    nanoseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// Saturates after 584 years.
pub fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
