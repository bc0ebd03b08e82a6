//! How much memory this process has had at most.

/// Peak resident size \[bytes\]; 0 where the system does not tell.
pub fn peak_rss_bytes() -> u64 {
    peak()
}

#[cfg(unix)]
fn peak() -> u64 {
    use nix::sys::resource::{UsageWho, getrusage};
    // Linux and the BSDs count in KiB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    getrusage(UsageWho::RUSAGE_SELF).map_or(0, |u| u.max_rss().max(0) as u64 * unit)
}

#[cfg(not(unix))]
fn peak() -> u64 {
    0
}

/// Memory that this process may have \[bytes\]: the machine's, or its container's if that has less;
/// none where the system does not tell (other than Linux).
pub fn physical_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = total(&read("/proc/meminfo")?)?;
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limit = limits.iter().find_map(|path| read(path)?.trim().parse::<u64>().ok());
    Some(limit.map_or(machine, |limit| limit.min(machine)))
}

/// `MemTotal:       24611660 kB`
fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_has_what_it_says() {
        assert_eq!(super::total("MemTotal:       24611660 kB\nMemFree: 1 kB\n"), Some(25202339840));
        assert_eq!(super::total("nonsense"), None);
    }

    #[test]
    fn the_peak_grows_with_what_is_touched() {
        let before = super::peak_rss_bytes();
        let block = vec![1u8; 64 << 20];
        assert_eq!(std::hint::black_box(&block).iter().map(|b| *b as u64).sum::<u64>(), 64 << 20);
        let after = super::peak_rss_bytes();
        assert!(before > 1 << 20, "{before}");
        assert!((64 << 20..8 << 30).contains(&after), "{after}");
    }
}
