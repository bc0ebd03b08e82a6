//! The wall clock, for progress, time budgets and `wall_s`. No result of a run depends on it.
use std::time::Instant;

#[allow(clippy::disallowed_methods, reason = "the elapsed time is printed")]
pub fn now() -> Instant {
    Instant::now()
}
