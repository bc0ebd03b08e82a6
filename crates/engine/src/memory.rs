//! What this process takes of the machine's memory, as Linux counts it; 0 elsewhere.

/// The most so far \[bytes\].
pub fn peak_rss_bytes() -> u64 {
    status("VmHWM:")
}

/// At present \[bytes\].
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

/// What is free already goes back to the system, so that only what is used counts. Where the
/// allocator is another one than the GNU library's, nothing happens.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: it may be called at any time, from any thread.
        unsafe { malloc_trim(0) };
    }
}
