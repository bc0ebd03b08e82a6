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

#[cfg(test)]
mod tests {
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
