//! Where the wall-clock time of a run on several threads went.
use serde::{Deserialize, Serialize};

/// What one thread did, and how long it waited for the others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThreadTime {
    /// "thread 1"; of several processes "rank 1, thread 0".
    pub name: String,
    /// Logical processes that are its own.
    pub lps: u32,
    /// Events that stand.
    pub committed: u64,
    /// Events that it did before it was certain that they stand.
    pub ahead: u64,
    /// Events that it did and undid.
    pub rolled_back: u64,
    /// The most events that it could have undone at a time.
    pub longest_history: u64,
    /// At work on what stands \[s\].
    pub worked_s: f64,
    /// At work on what was undone, by its share of events \[s\].
    pub undone_s: f64,
    /// Waiting for the others \[s\].
    pub waited_s: f64,
}

/// Of a run on several threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parallel {
    /// "conservative".
    pub scheduler: String,
    /// Processes.
    pub ranks: u32,
    /// How often all threads met.
    pub rounds: u64,
    /// How often logical processes were rebalanced over threads.
    #[serde(default)]
    pub deals: u64,
    /// How many meetings one thread held alone.
    #[serde(default)]
    pub alone: u64,
    /// The most memory of this process \[bytes\].
    pub peak_rss_bytes: u64,
    /// What to do about it.
    pub sentence: String,
    /// In the order of ranks.
    pub threads: Vec<ThreadTime>,
}

/// Below this part of all time, waiting and undoing are not worth a word.
const LITTLE: f64 = 0.2;
/// More than half.
const MOSTLY: f64 = 0.5;
/// One thread has so much more than its share.
const UNEVEN: f64 = 1.25;
/// Events of a thread between two meetings that are too few.
const FEW: f64 = 50.0;

impl Parallel {
    /// With the sentence that its figures ask for.
    pub fn told(mut self) -> Self {
        self.sentence = self.say();
        self
    }

    fn sum(&self, of: fn(&ThreadTime) -> f64) -> f64 {
        self.threads.iter().map(of).sum()
    }

    fn say(&self) -> String {
        let count = self.threads.len() as f64;
        let events = self.sum(|t| t.committed as f64);
        let all = self.sum(|t| t.worked_s + t.undone_s + t.waited_s).max(f64::MIN_POSITIVE);
        let [waited, undone] = [self.sum(|t| t.waited_s) / all, self.sum(|t| t.undone_s) / all];
        let busiest = self.threads.iter().max_by_key(|t| t.committed);
        let share = |t: &ThreadTime| t.committed as f64 / events.max(1.0);
        let a_round = events / count / self.rounds.max(1) as f64;
        let percent = |part: f64| format!("{:.0} %", 100.0 * part);
        let rolled_back = self.sum(|t| t.rolled_back as f64);
        let wrong = rolled_back / (events + rolled_back).max(1.0);
        let alone = self.alone as f64 / self.rounds.max(1) as f64;
        if alone > MOSTLY {
            return format!(
                "In {} of the rounds there was too little to do between two meetings, or no core \
                 for the others: one thread did the work of all. One thread does as well.",
                percent(alone)
            );
        }
        if undone > LITTLE {
            return format!(
                "{} of the time went into events that were undone: LPs of different threads are \
                 too close to one another. Try --scheduler conservative, or fewer threads.",
                percent(undone)
            );
        }
        if wrong > MOSTLY {
            return format!(
                "{} of the events were undone: LPs of different threads are too close to one \
                 another. Try --scheduler conservative, or one thread.",
                percent(wrong)
            );
        }
        if waited <= LITTLE {
            return format!("{} of the time was work that stands.", percent(1.0 - waited - undone));
        }
        let told = format!("{} of the time threads waited for one another", percent(waited));
        match busiest.filter(|t| share(t) * count > UNEVEN) {
            Some(t) => format!(
                "{told}: {} has {} of all events, and the others wait for it. Fewer threads do as \
                 well.",
                t.name,
                percent(share(t))
            ),
            None if a_round < FEW => format!(
                "{told}: only {a_round:.1} events of a thread fall between two meetings. Try {}one \
                 thread.",
                if self.scheduler == "optimistic" { "" } else { "--scheduler optimistic, or " }
            ),
            None => format!(
                "{told}, though their work is even: other programs use these cores, or there are \
                 more threads than cores."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(
        name: &str,
        committed: u64,
        worked_s: f64,
        undone_s: f64,
        waited_s: f64,
    ) -> ThreadTime {
        ThreadTime {
            name: name.into(),
            lps: 10,
            committed,
            ahead: 0,
            rolled_back: 0,
            longest_history: 0,
            worked_s,
            undone_s,
            waited_s,
        }
    }

    #[test]
    fn says_what_to_do() {
        let of = |rounds, alone, threads: [ThreadTime; 2]| {
            let (scheduler, sentence) = ("conservative".into(), String::new());
            let (ranks, deals, peak_rss_bytes, threads) = (1, 0, 0, threads.into());
            Parallel { scheduler, ranks, rounds, deals, alone, peak_rss_bytes, sentence, threads }
                .told()
                .sentence
        };
        let say = |rounds, threads| of(rounds, 0, threads);
        let table = [
            (10, thread("a", 1000, 9.5, 0.0, 0.5), "95 % of the time was work that stands."),
            (10, thread("a", 1000, 4.0, 5.0, 1.0), "50 % of the time went into events that were"),
            (
                900,
                thread("a", 1000, 4.0, 0.0, 6.0),
                "60 % of the time threads waited for one another: only 1.1",
            ),
            (
                10,
                thread("a", 1000, 4.0, 0.0, 6.0),
                "60 % of the time threads waited for one another, though",
            ),
        ];
        for (rounds, one, expected) in table {
            let said = say(rounds, [one.clone(), one]);
            assert!(said.starts_with(expected), "{said}")
        }
        let said = say(
            10,
            [thread("thread 0", 100, 2.0, 0.0, 8.0), thread("thread 1", 900, 10.0, 0.0, 0.0)],
        );
        assert!(said.contains("40 % of the time") && said.contains("thread 1 has 90 %"), "{said}");
        let one = thread("a", 1000, 5.0, 0.0, 5.0);
        assert!(of(10, 9, [one.clone(), one.clone()]).starts_with("In 90 % of the rounds"));
        let wrong = ThreadTime { rolled_back: 9000, ..one };
        let said = of(10, 0, [wrong.clone(), wrong]);
        assert!(said.starts_with("90 % of the events were undone"), "{said}")
    }
}
