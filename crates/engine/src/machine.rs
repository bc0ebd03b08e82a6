//! CPU time and memory of this process, as Linux reports them.

/// CPU time of the calling thread \[s\].
#[cfg(all(unix, not(miri)))]
pub fn worked_s() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes a `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// CPU time is not available on this system: wall-clock time since the first call \[s\].
#[cfg(not(all(unix, not(miri))))]
pub fn worked_s() -> f64 {
    use std::{sync::LazyLock, time::Instant};
    static BEGUN: LazyLock<Instant> = LazyLock::new(crate::clock::now);
    BEGUN.elapsed().as_secs_f64()
}

/// Peak resident memory \[bytes\]; 0 if the system does not report it.
pub fn peak_rss_bytes() -> u64 {
    status("VmHWM:")
}

/// 0 if the system does not report it.
pub(crate) fn resident_bytes() -> u64 {
    status("VmRSS:")
}

fn status(name: &str) -> u64 {
    if cfg!(miri) {
        return 0;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix(name));
    let kib = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// Returns free heap memory to the system, so that `resident_bytes` counts only memory in use. Does
/// nothing with another allocator than the GNU C library's.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: it may be called at any time, from any thread.
    unsafe {
        libc::malloc_trim(0)
    };
}
