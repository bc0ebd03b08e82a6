//! A run as typed: `run SCENARIO …` or `bench phold …`, optionally after `mpirun -n R`.
use crate::cli::{self, Bench, Cli, Command, Phold};
use crate::commands::bench;
use crate::failure::Failure;
use crate::sums::{Collector, Sums, Window};
use crate::{systems, vary};
use clap::Parser;
use engine::{CommittedEvent, Execution, Neighbours, Peers, Scheduler, phold};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Builder;
use system::{LoadedRun, Observer};

pub(super) struct Run {
    text: String,
    ranks: usize,
    scheduler: Scheduler,
    within: Option<Window>,
    what: LineItem,
}

enum LineItem {
    Scenario(Box<LoadedRun>),
    Phold(Box<Phold>, phold::Setting),
}

impl Run {
    /// # Errors
    /// Bad input: neither a file nor a run; errors of the command line or the scenario.
    pub(super) fn parse(text: &str) -> Result<Run, Failure> {
        let mut words = split(text);
        let ranks = ranks(&mut words, text)?;
        if words.first().is_some_and(|word| word == "tenbin") {
            words.remove(0);
        }
        if !matches!(words.first().map(String::as_str), Some("run" | "bench")) {
            return Err(Failure::BadInput(format!(
                "{text}: neither a file nor a run: expected a file of --sums, or the words after \
                 `tenbin` as one argument, such as 'run scenarios/s0.toml --threads 2'"
            )));
        }
        let wrong = |e: clap::Error| Failure::BadInput(format!("in '{text}': {e}"));
        let line = std::iter::once("tenbin".to_string()).chain(words);
        let (scheduler, within, what) = match Cli::try_parse_from(line).map_err(wrong)?.command {
            Command::Run(args) => scenario(args, ranks)?,
            Command::Bench(Bench::Phold(mut args)) => {
                one_thread_each(&mut args.execution.threads, ranks);
                let (setting, scheduler) = bench::prepare(&mut args, ranks)?;
                (scheduler, args.sums.within, LineItem::Phold(Box::new(args), setting))
            }
            _ => return Err(Failure::BadInput(format!("{text}: expected `bench phold`"))),
        };
        if ranks > 1 && matches!(scheduler, Scheduler::RollbackCheck { .. }) {
            let why = "--scheduler rollback-check runs in one process: leave mpirun out";
            return Err(Failure::BadInput(format!("in '{text}': {why}")));
        }
        Ok(Run { text: text.into(), ranks, scheduler, within, what })
    }

    pub(super) fn within(&self) -> Option<Window> {
        self.within
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// # Errors
    /// Those of the run; interrupted.
    pub(super) fn sums(&self, window: Window) -> Result<Sums, Failure> {
        if self.ranks == 1 {
            return self.in_process(window, None);
        }
        std::thread::scope(|scope| {
            let one = |mut peers: Neighbours| self.in_process(window, Some(&mut peers));
            let ranks = Neighbours::new(self.ranks).into_iter();
            let start = |peers| Builder::new().spawn_scoped(scope, move || one(peers));
            // If a rank cannot start, the others see that their peer is gone.
            let ranks = ranks.map(start).collect::<Result<Vec<_>, _>>();
            let ranks =
                ranks.map_err(|e| Failure::Failed(format!("a thread for each rank: {e}")))?;
            let done = ranks.into_iter().map(|rank| rank.join().expect("panics are caught"));
            let done: Vec<Sums> = done.collect::<Result<_, _>>()?;
            let panicked = done.iter().find_map(|sums| sums.panicked.clone());
            let mut first = done.into_iter().next().expect("there is a first");
            first.panicked = panicked;
            Ok(first)
        })
    }

    /// Runs one of its ranks; the first returns the sums.
    fn in_process(&self, window: Window, peers: Option<&mut dyn Peers>) -> Result<Sums, Failure> {
        // Shortens the lifetime to that of the observer.
        let peers = peers.map(|peers| peers as &mut dyn Peers);
        let execution = Execution::among(self.scheduler, peers);
        let mut collector = Collector::new(window);
        let mut see = |seen: &CommittedEvent<'_>| collector.see(seen);
        let see: &mut Observer<'_> = &mut see;
        let (of, done) = match &self.what {
            LineItem::Phold(args, setting) => {
                let run = move || phold::run_observed(setting, execution, see).outcome.trace_hash;
                (bench::sums_of(&args.jobs), catch_unwind(AssertUnwindSafe(move || Ok(run()))))
            }
            LineItem::Scenario(run) => {
                let name = run.name();
                let run = move || run.watched(execution, see);
                (name, catch_unwind(AssertUnwindSafe(run)))
            }
        };
        let (hash, panicked) = match done {
            Ok(hash) => (hash?, None),
            // The engine has printed the reason.
            Err(said) if said.is::<engine::ThreadStartError>() => {
                return Err(Failure::Failed(format!("the run did not start: {}", self.text)));
            }
            Err(said) => (0, Some(words_of(&*said))),
        };
        let mut sums = collector.done(of, self.text.clone(), hash);
        sums.panicked = panicked;
        Ok(sums)
    }
}

fn scenario(
    mut args: cli::Run,
    ranks: usize,
) -> Result<(Scheduler, Option<Window>, LineItem), Failure> {
    one_thread_each(&mut args.execution.threads, ranks);
    let common = &args.common;
    let scenario = systems::scenario(&common.scenario, &common.sets)?;
    let run = LoadedRun::read(&scenario, &vary::sets(&common.sets)?, args.seed)?;
    let scheduler = args.execution.settled_among(ranks)?.engine(args.seed)?;
    Ok((scheduler, args.sums.within, LineItem::Scenario(Box::new(run))))
}

/// Default of `--threads` with several ranks.
fn one_thread_each(threads: &mut Option<u16>, ranks: usize) {
    if ranks > 1 {
        threads.get_or_insert(1);
    }
}

/// Removes and parses the prefix `mpirun -n R`.
fn ranks(words: &mut Vec<String>, text: &str) -> Result<usize, Failure> {
    if words.first().is_none_or(|word| word != "mpirun") {
        return Ok(1);
    }
    let flag = words.get(1).map(String::as_str);
    let count = words.get(2).and_then(|n| n.parse().ok()).filter(|n| (1..=64).contains(n));
    match (flag, count) {
        (Some("-n" | "-np"), Some(count)) => {
            words.drain(..3);
            Ok(count)
        }
        _ => Err(Failure::BadInput(format!("{text}: expected `mpirun -n R`, R from 1 to 64"))),
    }
}

fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (vec![], None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn words_of(said: &(dyn std::any::Any + Send)) -> String {
    let text = said.downcast_ref::<String>().cloned();
    let lost = || said.downcast_ref::<engine::PeerLost>().map(ToString::to_string);
    let word = || said.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(lost).or_else(word).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_spaces() {
        assert_eq!(
            split("  run 'my s0.toml' --set \"a b\"=c  x"),
            ["run", "my s0.toml", "--set", "a b=c", "x"]
        );
        assert_eq!(split("run ''"), ["run", ""])
    }
}
