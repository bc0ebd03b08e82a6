//! The wall clock, for measurements of the engine: no event and no record depends on it.
use std::time::Instant;

#[allow(clippy::disallowed_methods, reason = "what is measured is the engine's own effort")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
