//! The least of a count that is enough: how many servers. More seeds are run until they decide.
use super::bench::Bench;
use super::choose::Judge;
use super::goals::{Goals, Limit};
use super::space::Space;
use crate::failure::Failure;
use crate::interrupt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does, with the whole of each interval.
    Meets,
    /// It does not, with the whole of one.
    Misses,
    /// An interval holds a limit: more seeds would tell.
    Open,
}

/// The least that is enough, between a count that is not and one that is: halved in between.
///
/// # Errors
/// As `is_enough`.
pub fn least(
    mut below: u32,
    mut enough: u32,
    is_enough: &mut dyn FnMut(u32) -> Result<bool, Failure>,
) -> Result<u32, Failure> {
    while enough - below > 1 {
        let middle = below.midpoint(enough);
        match is_enough(middle)? {
            true => enough = middle,
            false => below = middle,
        }
    }
    Ok(enough)
}

impl<S: Space> Judge<'_, '_, S> {
    /// Whether a point keeps all limits, by the seeds that it has.
    pub fn verdict(&self, point: &S::Point) -> Verdict {
        let of = |limit: &Limit| match self.bench.metric(point, &limit.metric) {
            Some(s) if s.mean + s.ci95 <= limit.most => Verdict::Meets,
            Some(s) if s.mean - s.ci95 <= limit.most => Verdict::Open,
            _ => Verdict::Misses,
        };
        let all: Vec<Verdict> = self.goals.limits.iter().map(of).collect();
        let has = |verdict| all.contains(&verdict);
        match (has(Verdict::Misses), has(Verdict::Open)) {
            (true, _) => Verdict::Misses,
            (_, true) => Verdict::Open,
            _ => Verdict::Meets,
        }
    }
}

impl<S: Space> Bench<'_, S> {
    /// Runs a point from `least` seeds and on, twice as many each time, until they decide or there
    /// are `most`. What misses the limits needs no more than it has.
    ///
    /// # Errors
    /// As a run; interrupted.
    pub fn decide(
        &mut self,
        point: &S::Point,
        goals: &Goals,
        least: usize,
        most: usize,
    ) -> Result<Verdict, Failure> {
        let had = self.runs(point).len();
        let mut seeds = if had == 0 { least } else { had };
        loop {
            let all: Vec<u64> = (1..=seeds as u64).collect();
            self.run(std::slice::from_ref(point), &all)?;
            interrupt::check()?;
            match Judge::new(self, goals).verdict(point) {
                Verdict::Misses => return Ok(Verdict::Misses),
                Verdict::Meets if seeds >= least => return Ok(Verdict::Meets),
                Verdict::Open if seeds >= most.max(least) => return Ok(Verdict::Open),
                _ => seeds = (2 * seeds).min(most.max(least)),
            }
        }
    }
}
