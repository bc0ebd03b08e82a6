//! CPU time of nodes and of this process.
use std::fs;
use std::time::Duration;

/// Of the kernel's unit in `/proc/PID/stat`.
const TICK: Duration = Duration::from_millis(10);

/// Of this process and `others`, all threads, user and kernel.
pub fn time(others: impl Iterator<Item = u32>) -> Duration {
    let paths = others.map(|process| format!("/proc/{process}/stat"));
    let all = paths.chain([String::from("/proc/self/stat")]);
    let ticks = all.filter_map(|path| ticks(&fs::read_to_string(path).ok()?)).sum::<u32>();
    TICK * ticks
}

fn ticks(stat: &str) -> Option<u32> {
    // The name in parentheses can contain any character.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut numbers = rest.split_whitespace().skip(11).map(str::parse::<u32>);
    Some(numbers.next()?.ok()? + numbers.next()?.ok()?)
}
