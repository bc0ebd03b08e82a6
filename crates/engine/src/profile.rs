//! Predicts the run time on more cores than the machine has.
//!
//! One thread does the work of N, round by round, and times each. A round takes the longest
//! thread's time and a barrier, or the time of all threads if one alone is faster.
use crate::machine::worked_s;

/// The cores to predict for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cores {
    /// Number of cores.
    pub count: u64,
    /// Barrier time of two threads \[s\]; N threads take between log₂ N and N − 1 times that.
    pub barrier_s: f64,
}

/// Work of several threads, each on a core of its own, measured by one thread that does the work of
/// all. Times are CPU times.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Profile {
    /// Number of threads.
    pub threads: u64,
    /// Number of barriers.
    pub rounds: u64,
    /// Committed events of all threads.
    pub events: u64,
    /// Events that were rolled back.
    pub rolled_back: u64,
    /// Time to build the LPs, summed over threads \[s\].
    pub made_s: f64,
    /// Serial time before the threads start and after they end \[s\].
    pub alone_s: f64,
    /// Work of all threads \[s\].
    pub work_s: f64,
    /// Work of the longest thread of each round, summed \[s\].
    pub longest_s: f64,
    /// Lower and upper bound of the time of all rounds with their barriers \[s\].
    pub rounds_s: (f64, f64),
}

impl Profile {
    /// Lower and upper bound of the run time \[s\].
    pub fn seconds(&self, cores: u64) -> (f64, f64) {
        let around_s = self.alone_s + self.made_s / cores as f64;
        (around_s + self.rounds_s.0, around_s + self.rounds_s.1)
    }

    /// Adds a round in which the longest thread has `longest_s` of `work_s`.
    fn round(&mut self, cores: Cores, longest_s: f64, work_s: f64) {
        // With more cores than threads, each core has at best that much less work.
        let finer = cores.count as f64 / self.threads as f64;
        #[allow(
            clippy::disallowed_methods,
            reason = "of times that a clock told: no figure of a run"
        )]
        let (few, many) = ((cores.count as f64).log2(), (cores.count - 1) as f64);
        self.rounds += 1;
        self.work_s += work_s;
        self.longest_s += longest_s;
        self.rounds_s.0 += work_s.min(longest_s / finer + few * cores.barrier_s);
        self.rounds_s.1 += work_s.min(longest_s + many * cores.barrier_s)
    }
}

/// Measures the work of each thread in a round.
pub(crate) struct Profiler {
    profile: Profile,
    cores: Cores,
    last: f64,
    /// Time of a clock reading \[s\].
    look_s: f64,
    /// Work of all threads in this round, and of the longest \[s\].
    work: f64,
    longest: f64,
    /// Work of the first thread after the barrier; counts for its next turn \[s\].
    led: f64,
}

impl Profiler {
    pub(crate) fn start(threads: usize, cores: Cores) -> Self {
        let (looks, begun) = (1000, worked_s());
        (0..looks).for_each(|_| {
            std::hint::black_box(worked_s());
        });
        let look_s = (worked_s() - begun) / looks as f64;
        let profile = Profile { threads: threads as u64, ..Profile::default() };
        let (work, longest, led) = (0.0, 0.0, 0.0);
        Profiler { profile, cores, last: worked_s(), look_s, work, longest, led }
    }

    /// Time since the previous call, without the clock reading \[s\].
    fn since(&mut self) -> f64 {
        let now = worked_s();
        (now - std::mem::replace(&mut self.last, now) - self.look_s).max(0.0)
    }

    /// Call after the LPs are built.
    pub(crate) fn made(&mut self) {
        self.profile.made_s = self.since()
    }

    /// Begins the turns of a round; the time before belongs to no thread.
    pub(crate) fn begin(&mut self) {
        let since = self.since();
        // Later calls only skip the evaluation of a barrier.
        if self.profile.rounds == 0 {
            self.profile.alone_s = since
        }
    }

    /// Charges the time since the previous call to the first thread, which reports progress and
    /// merges records.
    pub(crate) fn led(&mut self) {
        self.led += self.since()
    }

    /// Ends the first thread's turn.
    pub(crate) fn did_first(&mut self) {
        let own = self.since() + std::mem::take(&mut self.led);
        self.add(own)
    }

    /// Ends another thread's turn.
    pub(crate) fn did(&mut self) {
        let own = self.since();
        self.add(own)
    }

    fn add(&mut self, own: f64) {
        self.longest = self.longest.max(own);
        self.work += own
    }

    pub(crate) fn end_round(&mut self) {
        let (longest, work) = (std::mem::take(&mut self.longest), std::mem::take(&mut self.work));
        self.profile.round(self.cores, longest, work)
    }

    /// Discards the time since the last round.
    pub(crate) fn end(&mut self) {
        self.since();
    }

    pub(crate) fn profile(mut self, events: u64, rolled_back: u64) -> Profile {
        self.profile.alone_s += self.since();
        Profile { events, rolled_back, ..self.profile }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By line: cores, threads; rounds of the longest and all work in them; what they take then.
    #[test]
    fn the_longest_of_each_round_and_a_meeting_or_one_thread_alone() {
        let mut text = String::new();
        for (count, threads, rounds) in [
            (2, 2, &[(5.0, 10.0), (6.0, 10.0)][..]),
            (4, 4, &[(3.0, 10.0)]),
            (2, 2, &[(1.0, 1.5), (9.0, 9.0)]),
            (16, 4, &[(4.0, 10.0)]),
        ] {
            let mut profile = Profile { threads, alone_s: 1.0, made_s: 4.0, ..Profile::default() };
            let cores = Cores { count, barrier_s: 1.0 };
            rounds.iter().for_each(|(longest, work)| profile.round(cores, *longest, *work));
            let (least, most) = profile.seconds(count);
            text += &format!("{count} {threads} {rounds:?}: {least:.2}-{most:.2}\n")
        }
        assert_eq!(
            text,
            "\
2 2 [(5.0, 10.0), (6.0, 10.0)]: 16.00-16.00
4 4 [(3.0, 10.0)]: 7.00-8.00
2 2 [(1.0, 1.5), (9.0, 9.0)]: 13.50-13.50
16 4 [(4.0, 10.0)]: 6.25-11.25
"
        )
    }
}
