//! The smallest sufficient count, such as the number of servers. Runs more seeds until the result
//! is decided.
use super::bench::Bench;
use super::choose::Judge;
use super::goals::{Goals, Limit};
use super::space::Space;
use crate::failure::Failure;
use crate::interrupt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every interval is completely within its limit.
    Meets,
    /// An interval is completely beyond its limit.
    Misses,
    /// An interval includes its limit: more seeds decide.
    Open,
}

/// Bisection between a count that is too small and one that is enough. Fails if `is_enough` fails.
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
    /// Runs a point with `least` seeds, doubled up to `most` until the limits are decided. A point
    /// that misses a limit gets no more seeds.
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
