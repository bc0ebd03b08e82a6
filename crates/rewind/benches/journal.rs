//! The cost of the journal: an event of five changes, one to each kind of container, with the
//! journal on (mark, five changes, commit of the event before) and off (five changes).
//!
//! `cargo bench -p rewind --bench journal [-- --rounds N]`
//!
//! On and off alternate, so that other load on the machine affects both; medians of the rounds.
#[path = "../../../benches/verdicts.rs"]
mod verdicts;
use rewind::{Array, Queue, Rewind, Table, Var};
use std::{hint::black_box, process::ExitCode, time::Instant};
use verdicts::Verdicts;

/// Maximum cost of the journal per event \[ns\].
const MOST_NS: f64 = 100.0;
/// Events in a round.
const EVENTS: u64 = 200_000;

#[derive(Rewind, Default)]
struct State {
    sum: u64,
    waiting: Queue<u64>,
    counts: Array<u64>,
    rows: Table<u64, u64>,
    last: Var<u64>,
}

impl State {
    fn of(size: u64) -> State {
        let mut state = State::default();
        for i in 0..size {
            state.waiting.push_back(i);
            state.counts.push(0);
            state.rows.insert(i, 0);
        }
        state
    }

    /// Five changes. Rows are close to one another, so that the tree is not measured.
    #[inline(never)]
    fn change(&mut self, n: u64, size: u64) {
        self.sum += n;
        let first = self.waiting.pop_front().expect("it is never empty");
        self.waiting.push_back(first ^ n);
        self.counts.update((n % size) as usize, |count| *count += 1);
        self.rows.update(&(n / 64 % size), |row| *row = row.wrapping_add(n));
        self.last.set(n)
    }
}

/// Returns nanoseconds per event.
fn round(state: &mut State, size: u64, with_journal: bool) -> f64 {
    state.journal(with_journal.then_some(0));
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begun = Instant::now();
    for n in 0..EVENTS {
        if with_journal {
            let mark = state.mark();
            state.commit(&mark);
            black_box(&mark);
        }
        state.change(n, size)
    }
    begun.elapsed().as_nanos() as f64 / EVENTS as f64
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip_while(|a| a != "--rounds").skip(1);
    let rounds: usize = args.next().map_or(15, |n| n.parse().expect("a number of rounds"));
    println!("{:>9} {:>9} {:>9} {:>12}", "size", "off [ns]", "on [ns]", "journal [ns]");
    let mut worst = 0.0f64;
    for size in [100, 10_000, 1_000_000] {
        let mut state = State::of(size);
        let pairs: Vec<(f64, f64)> = (0..rounds)
            .map(|_| (round(&mut state, size, false), round(&mut state, size, true)))
            .collect();
        let off = median(pairs.iter().map(|p| p.0).collect());
        let on = median(pairs.iter().map(|p| p.1).collect());
        let journal = median(pairs.iter().map(|p| p.1 - p.0).collect());
        worst = worst.max(journal);
        println!("{size:9} {off:9.1} {on:9.1} {journal:12.1}")
    }
    let mut verdicts = Verdicts::default();
    let verdict = verdicts.of(worst <= MOST_NS);
    println!("five changes cost at most {MOST_NS} ns more: {verdict}");
    verdicts.exit()
}
