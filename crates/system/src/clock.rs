//! The wall clock, for progress, budgets of time and `wall_s`: no figure of a run depends on it.
use std::time::Instant;

/// Now, by the machine's clock.
#[allow(clippy::disallowed_methods, reason = "a person is told how long it takes")]
pub fn now() -> Instant {
    Instant::now()
}
