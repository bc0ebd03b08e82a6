//! What a run would take on more cores than there are.
//!
//! One thread does the work of N, round by round, and times each one's. A round takes what the one
//! that has most has, and a meeting; or what all have, where one thread had better go on alone.
use crate::machine::worked_s;

/// Cores that a run is to be thought of on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cores {
    /// How many.
    pub count: u64,
    /// A meeting of two \[s\]; of N it takes between log₂ N and N − 1 times that.
    pub meeting_s: f64,
}

/// What several threads would have to do, each on a core of its own, as one thread sees it that
/// does the work of all, round by round. Times are those that it worked.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Profile {
    /// How many threads.
    pub threads: u64,
    /// How often they meet.
    pub rounds: u64,
    /// Events of all.
    pub events: u64,
    /// Events that were done and undone.
    pub rolled_back: u64,
    /// LPs are made, by all threads \[s\].
    pub made_s: f64,
    /// What one thread does before they set out, and when they have come back \[s\].
    pub alone_s: f64,
    /// The work of all \[s\].
    pub work_s: f64,
    /// The work of the thread that has most, summed over the rounds \[s\].
    pub longest_s: f64,
    /// What the rounds would take with their meetings, at least and at most \[s\].
    pub rounds_s: (f64, f64),
}

impl Profile {
    /// What the run would take, at least and at most \[s\].
    pub fn seconds(&self, cores: u64) -> (f64, f64) {
        let around_s = self.alone_s + self.made_s / cores as f64;
        (around_s + self.rounds_s.0, around_s + self.rounds_s.1)
    }

    /// A round in which the thread that has most has `longest_s` of `work_s`.
    fn round(&mut self, cores: Cores, longest_s: f64, work_s: f64) {
        // Beyond the most threads that there can be, each has that much less to do at best.
        let finer = cores.count as f64 / self.threads as f64;
        #[allow(
            clippy::disallowed_methods,
            reason = "of times that a clock told: no figure of a run"
        )]
        let (few, many) = ((cores.count as f64).log2(), (cores.count - 1) as f64);
        self.rounds += 1;
        self.work_s += work_s;
        self.longest_s += longest_s;
        self.rounds_s.0 += work_s.min(longest_s / finer + few * cores.meeting_s);
        self.rounds_s.1 += work_s.min(longest_s + many * cores.meeting_s)
    }
}

/// Times what each thread does in a round.
pub(crate) struct Profiler {
    profile: Profile,
    cores: Cores,
    last: f64,
    /// A look at the clock \[s\].
    look_s: f64,
    /// Of the round: all work, and that of the thread that has most.
    work: f64,
    longest: f64,
    /// What the first thread has done already in its next turn.
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

    /// What has been done since it was asked before \[s\].
    fn since(&mut self) -> f64 {
        let now = worked_s();
        (now - std::mem::replace(&mut self.last, now) - self.look_s).max(0.0)
    }

    /// All LPs are made.
    pub(crate) fn made(&mut self) {
        self.profile.made_s = self.since()
    }

    /// What is done from now on is somebody's.
    pub(crate) fn begin(&mut self) {
        let since = self.since();
        // In between, a meeting is worked out.
        if self.profile.rounds == 0 {
            self.profile.alone_s = since
        }
    }

    /// What has been done since is the first thread's, after a meeting: it tells how far the run
    /// is, and brings records into order.
    pub(crate) fn led(&mut self) {
        self.led += self.since()
    }

    /// What has been done since was the first thread's.
    pub(crate) fn did_first(&mut self) {
        let own = self.since() + std::mem::take(&mut self.led);
        self.add(own)
    }

    /// What has been done since was another thread's.
    pub(crate) fn did(&mut self) {
        let own = self.since();
        self.add(own)
    }

    fn add(&mut self, own: f64) {
        self.longest = self.longest.max(own);
        self.work += own
    }

    /// All have had their turn.
    pub(crate) fn end_round(&mut self) {
        let (longest, work) = (std::mem::take(&mut self.longest), std::mem::take(&mut self.work));
        self.profile.round(self.cores, longest, work)
    }

    /// All have come back.
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
            let cores = Cores { count, meeting_s: 1.0 };
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
