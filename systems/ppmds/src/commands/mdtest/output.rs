//! Parses mdtest's output: version 1.9, and IOR 3.2 to 4.1.
use crate::model::mdtest::WHATS;

/// Phase and mean over the iterations.
pub type Rows = Vec<(String, f64)>;

/// Results for one number of tasks. `-f`, `-l` and `-s` run several numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// First line of the results, from 1.
    pub line: usize,
    pub tasks: Option<u64>,
    /// Items of all tasks and each kind, as requested.
    pub items: Option<u64>,
    /// Most items of a task when `-W` ended the creation.
    pub stonewall: Option<u64>,
    /// Operations per second, and seconds.
    pub rates: Rows,
    pub times: Rows,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Table {
    #[default]
    None,
    Rates,
    Times,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Output {
    /// From `mdtest-4.0.0 was launched with 64 total task(s)`.
    pub version: String,
    pub tasks: Option<u64>,
    /// Shift of tasks between phases, if printed. With `-N` it is in whole nodes.
    pub shift: Option<u64>,
    pub results: Vec<Results>,
    table: Table,
    /// Per-rank columns come before those per iteration.
    ranks: bool,
}

/// Version and tasks of `mdtest-4.0.0 was launched with 64 total task(s) on 4 node(s)`.
pub fn launched(line: &str) -> Option<(String, Option<u64>)> {
    let (before, after) = line.split_once("was launched with ")?;
    let version = before.trim().rsplit(char::is_whitespace).next()?.strip_prefix("mdtest-")?;
    Some((version.to_string(), after.split_whitespace().next()?.parse().ok()))
}

/// `64 tasks, 32000 files`: tasks, and items of all tasks.
fn counted(line: &str) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace();
    let tasks = words.next()?.parse().ok()?;
    let is_tasks = words.next()? == "tasks,";
    let items = words.next()?.parse().ok()?;
    let what = ["file", "files", "directories", "files/directories"];
    (is_tasks && what.contains(&words.next()?) && words.next().is_none()).then_some((tasks, items))
}

fn behind(line: &str, word: &str) -> Option<u64> {
    let (_, rest) = line.split_once(word)?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Phase and mean over iterations of a table's row.
fn row(line: &str, ranks: bool) -> Option<(String, f64)> {
    let line = line.trim_start();
    let name = WHATS.iter().find(|name| line.starts_with(**name))?;
    let rest = line[name.len()..].trim_start().trim_start_matches(':');
    let numbers: Vec<f64> = rest.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let mean = *numbers.get(if ranks && numbers.len() > 4 { 5 } else { 2 })?;
    (mean > 0.0 && mean.is_finite()).then(|| (name.to_string(), mean))
}

impl Output {
    pub fn of(version: String, tasks: Option<u64>) -> Output {
        Output { version, tasks, ..Output::default() }
    }

    /// Parses a line; lines without results have no effect.
    pub fn take(&mut self, number: usize, line: &str) {
        if let Some((tasks, items)) = counted(line) {
            let (tasks, items) = (Some(tasks), Some(items));
            self.results.push(Results { line: number, tasks, items, ..Results::default() });
            self.table = Table::None
        } else if line.contains("SUMMARY") {
            self.table = if line.contains("time") { Table::Times } else { Table::Rates };
            self.ranks = false
        } else if line.contains("per Rank:") {
            self.ranks = true
        } else if let Some(shift) = behind(line, "Shifting ranks by ") {
            self.shift = Some(shift)
        } else if line.contains("stonewall hit min:") {
            let most = behind(line, "max: ");
            self.last(number).stonewall = most
        } else if self.table != Table::None
            && let Some(row) = row(line, self.ranks)
        {
            let is_time = self.table == Table::Times;
            let results = self.last(number);
            if is_time { results.times.push(row) } else { results.rates.push(row) }
        }
    }

    fn last(&mut self, line: usize) -> &mut Results {
        if self.results.is_empty() {
            self.results.push(Results { line, ..Results::default() })
        }
        self.results.last_mut().expect("it has one")
    }
}

impl Results {
    /// Items of a task at the end: the fastest task's after `-W`, else rate × time of files.
    pub fn made(&self, tasks: u64) -> Option<u64> {
        let rates = self.rates.iter().filter(|(name, _)| name.starts_with("File"));
        let product = |(name, rate): &(String, f64)| {
            let time = self.times.iter().find(|(is, _)| is == name)?.1;
            Some((rate * time / tasks.max(1) as f64).round())
        };
        let most = rates.filter_map(product).reduce(f64::max).filter(|most| *most >= 1.0);
        self.stonewall.or(most.map(units::floored_u64))
    }

    /// Operations per second of each phase: as printed, or with `-Z` computed from the times and
    /// `items` per task.
    pub fn measured(&self, tasks: u64, items: u64) -> Rows {
        if !self.rates.is_empty() {
            return self.rates.clone();
        }
        let of_items = self.times.iter().filter(|(name, _)| !name.starts_with("Tree"));
        let all = (tasks * items) as f64;
        of_items.map(|(name, time)| (name.clone(), (all / time * 10.0).round() / 10.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_ranks_are_apart_from_those_of_iterations() {
        let mut output = Output::default();
        let text = "64 tasks, 32000 files\n\
                    SUMMARY rate (in ops/sec): (of 2 iterations)\n\
                    Operation     per Rank: Max            Min           Mean      per Iteration: \
                    Max            Min           Mean        Std Dev\n\
                    File creation   90.0 70.0 80.0         5100.0 4900.0 5000.0 100.0\n\
                    Tree creation   900.0 700.0 800.0      900.0 700.0 800.0 100.0\n\
                    SUMMARY time (in ms/op): (of 2 iterations)\n\
                    Operation                  Max            Min           Mean        Std Dev\n\
                    File creation   6.0 6.8 6.4 0.1\n";
        text.lines().enumerate().for_each(|(at, line)| output.take(at + 1, line));
        let [results] = output.results.as_slice() else { panic!("{output:?}") };
        let rate = |name: &str, rate| (name.to_string(), rate);
        assert_eq!(results.rates, [rate("File creation", 5000.0), rate("Tree creation", 800.0)]);
        assert_eq!(results.times, [rate("File creation", 6.4)]);
        assert_eq!((results.tasks, results.items), (Some(64), Some(32_000)));
        assert_eq!(results.made(64), Some(500));
    }

    #[test]
    fn times_alone_are_rates_by_the_items() {
        let times = vec![("File stat".to_string(), 2.0), ("Tree creation".to_string(), 1.0)];
        let results = Results { times, ..Results::default() };
        assert_eq!(results.measured(4, 500), [("File stat".to_string(), 1000.0)]);
    }
}
