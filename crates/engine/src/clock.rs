//! The wall clock, for the engine's own effort: no event and no record depends on it.
use std::time::Instant;

/// Now, by the machine's clock.
#[allow(clippy::disallowed_methods, reason = "what is measured is the engine's own effort")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
