//! Advice on the wall-clock time of a run on several threads.
use page::{Thread, Threads};

/// Waiting and rollback below this share of the time are not reported.
const LITTLE: f64 = 0.2;
const MOSTLY: f64 = 0.5;
/// Factor over an even share.
const UNEVEN: f64 = 1.25;
/// Too few events of a thread between two meetings.
const FEW: f64 = 50.0;

pub(crate) fn sentence(own: &Threads) -> String {
    let sum = |of: fn(&Thread) -> f64| own.threads.iter().map(of).sum::<f64>();
    let count = own.threads.len() as f64;
    let events = sum(|t| t.committed as f64);
    let all = sum(|t| t.worked_s + t.undone_s + t.waited_s).max(f64::MIN_POSITIVE);
    let [waited, undone] = [sum(|t| t.waited_s) / all, sum(|t| t.undone_s) / all];
    let busiest = own.threads.iter().max_by_key(|t| t.committed);
    let share = |t: &Thread| t.committed as f64 / events.max(1.0);
    let a_round = events / count / own.rounds.max(1) as f64;
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    let rolled_back = sum(|t| t.rolled_back as f64);
    let wrong = rolled_back / (events + rolled_back).max(1.0);
    let alone = own.alone as f64 / own.rounds.max(1) as f64;
    if alone > MOSTLY {
        return format!(
            "{} of the rounds ran on one thread: too few events between two barriers, or no free \
             core. One thread is as fast.",
            percent(alone)
        );
    }
    if undone > LITTLE {
        return format!(
            "{} of the time was rolled back: LPs of different threads interact too closely. Try \
             --scheduler conservative, or fewer threads.",
            percent(undone)
        );
    }
    if wrong > MOSTLY {
        return format!(
            "{} of the events were rolled back: LPs of different threads interact too closely. Try \
             --scheduler conservative, or one thread.",
            percent(wrong)
        );
    }
    if waited <= LITTLE {
        return format!("{} of the time was committed work.", percent(1.0 - waited - undone));
    }
    let waits = format!("{} of the time threads waited for one another", percent(waited));
    match busiest.filter(|t| share(t) * count > UNEVEN) {
        Some(t) => format!(
            "{waits}: {} has {} of all events, and the others wait for it. Fewer threads are as \
             fast.",
            t.name,
            percent(share(t))
        ),
        None if a_round < FEW => format!(
            "{waits}: only {a_round:.1} events of a thread between two barriers. Try {}one thread.",
            if own.scheduler == "optimistic" { "" } else { "--scheduler optimistic, or " }
        ),
        None => format!(
            "{waits}, though their work is even: other programs use these cores, or there are \
             more threads than cores."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(name: &str, committed: u64, worked_s: f64, undone_s: f64, waited_s: f64) -> Thread {
        Thread {
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
        let of = |rounds, alone, threads: [Thread; 2]| {
            let (scheduler, sentence) = ("conservative".into(), String::new());
            let (ranks, deals, peak_rss_bytes, threads) = (1, 0, 0, threads.into());
            super::sentence(&Threads {
                scheduler,
                ranks,
                rounds,
                deals,
                alone,
                peak_rss_bytes,
                sentence,
                threads,
            })
        };
        let say = |rounds, threads| of(rounds, 0, threads);
        let table = [
            (10, thread("a", 1000, 9.5, 0.0, 0.5), "95 % of the time was committed work."),
            (10, thread("a", 1000, 4.0, 5.0, 1.0), "50 % of the time was rolled back"),
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
        assert!(of(10, 9, [one.clone(), one.clone()]).starts_with("90 % of the rounds"));
        let wrong = Thread { rolled_back: 9000, ..one };
        let said = of(10, 0, [wrong.clone(), wrong]);
        assert!(said.starts_with("90 % of the events were rolled back"), "{said}")
    }
}
