//! Time of this machine's processors, from `/proc`.

/// Busy and total time since boot \[ticks\], of `/proc/stat`: user, nice, system, idle, time
/// without work during I/O, and the rest. User time includes that of guests.
pub fn ticks(stat: &str) -> Option<(u64, u64)> {
    let words = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let ticks: Vec<u64> = words.take(8).map_while(|word| word.parse().ok()).collect();
    let all: u64 = ticks.iter().sum();
    (ticks.len() >= 5).then(|| (all - ticks[3] - ticks[4], all))
}

/// Time of a program \[ticks\], of `/proc/self/stat`: user and system.
pub fn own_ticks(stat: &str) -> u64 {
    // The program's name may have spaces.
    let words = stat.rsplit(") ").next().unwrap_or_default().split_whitespace();
    words.skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_and_time_during_io_are_not_busy() {
        assert_eq!(ticks("cpu  100 0 50 800 50 0 0 0 7 0\ncpu0 1"), Some((150, 1000)));
        assert_eq!(ticks(""), None);
        assert_eq!(own_ticks("7 (a b) R 1 7 7 0 -1 4 100 0 0 0 20 5 0 0 20 0 2 0 9 1 1"), 25);
        assert_eq!(own_ticks(""), 0);
    }
}
