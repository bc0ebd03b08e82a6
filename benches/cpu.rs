//! What a benchmark took of a core, which others at work do not change.
use std::time::Instant;

/// CPU time of this thread \[s\]; wall-clock time since `began` where the system does not say.
pub(crate) fn seconds(began: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| began.elapsed().as_secs_f64(), |nanos| nanos * 1e-9)
}
