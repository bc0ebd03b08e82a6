//! Pairs of runs during which nobody else was at work, and what they come to.

/// Cores that others may use during a pair.
const OTHERS: f64 = 0.1;

/// Tries for each pair.
const TRIES: usize = 4;

/// So many quiet pairs, after one that warms up; none where the machine is not quiet. Where the
/// system does not tell who works, all count.
pub(crate) fn pairs<T>(count: usize, noisy: bool, mut pair: impl FnMut() -> T) -> Option<Vec<T>> {
    pair();
    let mut rows = vec![];
    for _ in 0..count * TRIES {
        let before = Cpu::now();
        let row = pair();
        if noisy || before.is_none_or(|before| before.others() <= OTHERS) {
            rows.push(row)
        }
        if rows.len() == count {
            return Some(rows);
        }
    }
    None
}

/// The lower, the middle and the upper one.
pub(crate) fn quartiles(values: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}

/// What the command line says after this name.
pub(crate) fn argument(name: &str, default: &str) -> String {
    let mut all = std::env::args();
    all.find(|a| a == name).and_then(|_| all.next()).unwrap_or_else(|| default.into())
}

/// Ticks of a hundredth of a second: of all processes, and of this one.
struct Cpu {
    all: u64,
    own: u64,
    at: std::time::Instant,
}

impl Cpu {
    fn now() -> Option<Cpu> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        let ticks = |text: &str, from: usize, count: usize| {
            text.split_whitespace().skip(from).take(count).map(|t| t.parse::<u64>().ok()).sum()
        };
        // user, nice, system; then idle and waiting, which are not work; then interrupts.
        let line = stat.lines().next()?;
        let all: Option<u64> = ticks(line, 1, 3);
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        let after_name = own.rsplit(')').next()?.to_string();
        let own: Option<u64> = ticks(&after_name, 11, 2);
        Some(Cpu { all: all?, own: own?, at: std::time::Instant::now() })
    }

    /// Cores that other processes have used since.
    fn others(&self) -> f64 {
        let Some(now) = Cpu::now() else { return 0.0 };
        let ticks = (now.all - self.all).saturating_sub(now.own - self.own);
        ticks as f64 / 100.0 / self.at.elapsed().as_secs_f64().max(0.01)
    }
}
