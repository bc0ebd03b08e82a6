//! Memory, in a process of its own: here, memory of earlier runs would count.
use engine::phold::peak_rss_bytes;
use std::process::Command;

const FLAG: &str = "--memory-of";

pub(crate) fn is_child() -> bool {
    std::env::args().any(|a| a == FLAG)
}

/// Runs once, and prints the growth of the peak.
pub(crate) fn child(run: impl Fn(u32) -> f64) {
    let lps = crate::argument(FLAG, "").parse().expect("a number of LPs");
    // Code and other memory of any run is not the engine's.
    run(1);
    let before = peak_rss_bytes();
    run(lps);
    println!("{}", peak_rss_bytes() - before)
}

/// Bytes per LP with its pending event; 0 if the system does not report it.
///
/// `None` for few LPs: the system counts pages, up to 64 late, and the ladder has a thousand
/// buckets for any number.
pub(crate) fn bytes_per_lp(lps: u32) -> Option<f64> {
    if lps < 10_000 {
        return None;
    }
    let exe = std::env::current_exe().expect("a path");
    let output = Command::new(exe).args([FLAG, &lps.to_string()]).output().expect("a child");
    let bytes: u64 = String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number");
    Some(bytes as f64 / lps as f64)
}
