//! Pairs of runs on a quiet machine, and their statistics.

/// Maximum cores that other processes may use during a pair.
const OTHERS: f64 = 0.1;

const TRIES: usize = 4;

/// `count` quiet pairs of each case, after one for warm-up; none of a case if the machine does not
/// become quiet. Cases alternate, so that a slow phase of the machine affects all. If the system
/// does not report CPU use, all pairs count.
pub(crate) fn pairs<C, T>(
    count: usize,
    cases: &[C],
    noisy: impl Fn(&C) -> bool,
    mut pair: impl FnMut(&C) -> T,
) -> Vec<Option<Vec<T>>> {
    let mut rows: Vec<Vec<T>> = cases.iter().map(|_| vec![]).collect();
    for case in cases {
        pair(case);
    }
    for round in 1..=count * TRIES {
        for (case, rows) in cases.iter().zip(&mut rows).filter(|(_, rows)| rows.len() < count) {
            let before = Cpu::now();
            let row = pair(case);
            if noisy(case) || before.is_none_or(|before| before.others() <= OTHERS) {
                rows.push(row)
            }
        }
        let done = rows.iter().filter(|rows| rows.len() == count).count();
        if cases.len() > 1 {
            eprintln!("round {round}: {done} of {} cases have {count} pairs", cases.len());
        }
        if done == cases.len() {
            break;
        }
    }
    rows.into_iter().map(|rows| (rows.len() == count).then_some(rows)).collect()
}

/// The first quartile, the median and the third.
pub(crate) fn quartiles(values: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}

/// The argument after `name` on the command line.
pub(crate) fn argument(name: &str, default: &str) -> String {
    let mut all = std::env::args();
    all.find(|a| a == name).and_then(|_| all.next()).unwrap_or_else(|| default.into())
}

/// Ticks of 10 ms: of all processes, and of this one.
struct Cpu {
    all: u64,
    own: u64,
    at: std::time::Instant,
}

impl Cpu {
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    fn now() -> Option<Cpu> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        let ticks = |text: &str, from: usize, count: usize| {
            text.split_whitespace().skip(from).take(count).map(|t| t.parse::<u64>().ok()).sum()
        };
        // Fields: user, nice, system; idle and iowait, which are not work; two kinds of interrupts;
        // steal.
        let line = stat.lines().next()?;
        let (all, stolen): (Option<u64>, Option<u64>) = (ticks(line, 1, 3), ticks(line, 8, 1));
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        let after_name = own.rsplit(')').next()?.to_string();
        let own: Option<u64> = ticks(&after_name, 11, 2);
        Some(Cpu { all: all? + stolen.unwrap_or(0), own: own?, at: std::time::Instant::now() })
    }

    /// Cores that other processes have used since.
    fn others(&self) -> f64 {
        let Some(now) = Cpu::now() else { return 0.0 };
        let ticks = (now.all - self.all).saturating_sub(now.own - self.own);
        ticks as f64 / 100.0 / self.at.elapsed().as_secs_f64().max(0.01)
    }
}
