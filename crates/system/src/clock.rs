//! The wall clock, for progress, time budgets and `wall_s`. No result of a run depends on it.
use std::time::Instant;

#[allow(clippy::disallowed_methods, reason = "a person is told how long it takes")]
pub fn now() -> Instant {
    Instant::now()
}
