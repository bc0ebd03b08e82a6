//! Runs variants × seeds on all cores. The caller defines a variant and what to keep of a run.
use crate::failure::Failure;
use crate::interface::{Progress, ProgressHandler};
use crate::progress::JobProgress;
use crate::{interrupt, pool};
use std::ops::ControlFlow;
use std::sync::Mutex;

#[derive(Clone, Copy)]
pub struct Campaign<'c> {
    pub rows: usize,
    pub seeds: &'c [u64],
    pub threads: usize,
    pub what: &'static str,
}

pub struct Outcome<Done, Kept> {
    /// Variant by variant, in seed order; incomplete after an interruption.
    pub rows: Vec<Vec<Kept>>,
    /// The complete run of the first variant and seed; `None` if interrupted.
    pub first: Option<Done>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    pub row: usize,
    pub seed: u64,
    /// First variant and seed: this run is kept completely.
    pub is_first: bool,
}

impl Campaign<'_> {
    /// `one` runs the simulation; it returns `None` if interrupted. `read` extracts what to keep,
    /// so that memory holds only the first run completely. Returns the first failure in the order
    /// of variants and seeds, so that the message is reproducible.
    pub fn run<Done: Send, Kept: Send>(
        self,
        one: impl Fn(Run, &mut ProgressHandler<'_>) -> Result<Option<Done>, Failure> + Sync,
        read: impl Fn(Run, &Done) -> Kept + Sync,
    ) -> Result<Outcome<Done, Kept>, Failure> {
        let jobs = self.jobs();
        let bar = JobProgress::new(jobs.len(), self.what);
        let first: Mutex<Option<Done>> = Mutex::new(None);
        let work = |&run: &Run| -> Option<Result<Kept, Failure>> {
            let mut reported = 0;
            let mut tell = |p: Progress| {
                bar.at(p.now, p.events, &mut reported);
                ControlFlow::Continue(())
            };
            let done = match one(run, &mut tell).transpose()? {
                Ok(done) => done,
                Err(failure) => return Some(Err(failure)),
            };
            let kept = read(run, &done);
            if run.is_first {
                *first.lock().expect("no thread panics while holding it") = Some(done)
            }
            Some(Ok(kept))
        };
        let results = pool::run_on(self.threads, &jobs, work, |_| bar.one());
        drop(bar);
        let rows = self.collect(&jobs, results)?;
        Ok(Outcome { rows, first: first.into_inner().expect("as above") })
    }

    fn jobs(self) -> Vec<Run> {
        let first = self.seeds.first();
        let run = |row, seed| Run { row, seed, is_first: row == 0 && Some(&seed) == first };
        (0..self.rows).flat_map(|row| self.seeds.iter().map(move |&s| run(row, s))).collect()
    }

    fn collect<Kept>(
        self,
        jobs: &[Run],
        results: Vec<Option<Result<Kept, Failure>>>,
    ) -> Result<Vec<Vec<Kept>>, Failure> {
        let mut rows: Vec<Vec<Kept>> = (0..self.rows).map(|_| Vec::new()).collect();
        for (run, result) in jobs.iter().zip(results) {
            match result {
                Some(kept) => rows[run.row].push(kept?),
                None => assert!(interrupt::is_requested(), "a run without a result"),
            }
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(seeds: &[u64]) -> Campaign<'_> {
        Campaign { rows: 3, seeds, threads: 2, what: "" }
    }

    #[test]
    fn runs_stand_by_row_and_seed_and_the_first_is_whole() {
        let one =
            |run: Run, _: &mut ProgressHandler<'_>| Ok(Some(format!("{}:{}", run.row, run.seed)));
        let done = campaign(&[7, 5]).run(one, |run, done| (run.seed, done.clone())).unwrap();
        let texts: Vec<Vec<String>> = done
            .rows
            .iter()
            .map(|row| row.iter().map(|(_, text)| text.clone()).collect())
            .collect();
        assert_eq!(texts, [["0:7", "0:5"], ["1:7", "1:5"], ["2:7", "2:5"]]);
        assert_eq!(done.first.as_deref(), Some("0:7"));
    }

    #[test]
    fn the_first_failure_by_row_and_seed_is_told() {
        let one = |run: Run, _: &mut ProgressHandler<'_>| match run.row {
            0 => Ok(Some(())),
            row => Err(Failure::Failed(format!("row {row}, seed {}", run.seed))),
        };
        for _ in 0..20 {
            let Err(Failure::Failed(why)) = campaign(&[7, 5]).run(one, |_, _| ()) else { panic!() };
            assert_eq!(why, "row 1, seed 7")
        }
    }
}
