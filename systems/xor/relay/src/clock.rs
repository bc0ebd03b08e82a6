use std::time::Instant;

/// For real connections, which wait in real time.
#[allow(clippy::disallowed_methods, reason = "real bytes on real links, and no simulation")]
pub fn now() -> Instant {
    Instant::now()
}
