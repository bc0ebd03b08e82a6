//! One line on stderr about the work of a run's threads.
use crate::execution::Execution;
use crate::{console, ranks};
use engine::{Choice, Effort};

/// From this share of the events on, one thread did the work.
const NEARLY_ALL: f64 = 0.9;
/// From this share of rounds that one thread held alone on, the line states it.
const MOSTLY: f64 = 0.5;

/// Prints what `auto` chose and why, and whether one thread did almost all the work. With several
/// ranks it states what the scheduler does if its name does not show it.
pub fn print(execution: Execution, effort: &Effort) {
    let (name, ranks) = (execution.name(), ranks::count());
    let lines = [
        effort.choice.map(chosen),
        among_ranks(name, ranks),
        one_of_many(name, execution.threads() * ranks, effort),
    ];
    lines.into_iter().flatten().for_each(|line| console::note(&line))
}

fn chosen(choice: Choice) -> String {
    let Choice { threads, most, events_per_window, grain_ns } = choice;
    if grain_ns == 0.0 {
        return "auto: sequential: the run ended before a choice".into();
    }
    if most < 2 {
        return "auto: sequential: at most one thread (--threads, cores, logical processes)".into();
    }
    let scheduler = if threads > 1 { "conservative" } else { "sequential" };
    format!(
        "auto: {scheduler} on {threads} thread{}: {events_per_window:.1} events of {:.2} µs in the \
         least delay between threads, {} for a barrier",
        if threads > 1 { "s" } else { "" },
        grain_ns / 1000.0,
        if threads > 1 { "enough" } else { "too few" },
    )
}

/// Each rank has its own LPs, so some schedulers behave differently.
fn among_ranks(name: &str, ranks: usize) -> Option<String> {
    let way = match name {
        "sequential" => "conservative, on one thread in each",
        "auto" => "optimistic",
        _ => return None,
    };
    (ranks > 1).then(|| format!("{name} among {ranks} MPI ranks: {way}; the result is the same"))
}

/// `asked`: threads in all ranks.
fn one_of_many(name: &str, asked: usize, effort: &Effort) -> Option<String> {
    if asked < 2 || name == "auto" {
        return None;
    }
    if effort.threads.len() < 2 {
        return Some(format!("{name}: one thread did all the work: too few logical processes"));
    }
    let all: u64 = effort.threads.iter().map(|t| t.committed).sum();
    let most = effort.threads.iter().map(|t| t.committed).max()?;
    let share = most as f64 / all.max(1) as f64;
    let alone = effort.alone as f64 / effort.rounds.max(1) as f64;
    if share <= NEARLY_ALL && alone <= MOSTLY {
        return None;
    }
    let mut line = format!(
        "{name}: of {} threads one did {:.0} % of the events",
        effort.threads.len(),
        100.0 * share
    );
    if alone > MOSTLY {
        line += &format!(
            ", and {:.0} % of the rounds alone: too few events between two barriers, or no free \
             core",
            100.0 * alone
        )
    }
    Some(line + "; --scheduler sequential may be as fast")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Share;

    fn effort(committed: &[u64], rounds: u64, alone: u64) -> Effort {
        let share = |&committed: &u64| Share { committed, ..Share::default() };
        Effort {
            rounds,
            alone,
            threads: committed.iter().map(share).collect(),
            ..Effort::default()
        }
    }

    #[test]
    fn one_thread_that_did_the_work_of_many_is_told_of() {
        let told = |committed: &[u64], rounds, alone| {
            one_of_many("conservative", 2, &effort(committed, rounds, alone))
        };
        assert_eq!(told(&[500, 500], 100, 10), None);
        assert_eq!(told(&[800, 200], 100, 50), None);
        let uneven = told(&[950, 50], 100, 10).expect("a line");
        assert!(uneven.contains("of 2 threads one did 95 % of the events;"), "{uneven}");
        let alone = told(&[700, 300], 100, 80).expect("a line");
        assert!(
            alone.contains("one did 70 % of the events, and 80 % of the rounds alone"),
            "{alone}"
        );
        let few = told(&[1000], 100, 0).expect("a line");
        assert!(few.contains("one thread did all the work"), "{few}");
        assert_eq!(one_of_many("sequential", 1, &effort(&[], 0, 0)), None);
        assert_eq!(
            one_of_many("auto", 2, &effort(&[950, 50], 1, 1)),
            None,
            "it says what it chose"
        );
    }

    #[test]
    fn ranks_say_what_they_do_under_the_name_of_another_scheduler() {
        let sequential = among_ranks("sequential", 2).expect("a line");
        assert!(sequential.contains("among 2 MPI ranks: conservative, on one thread"));
        assert!(among_ranks("auto", 3).expect("a line").contains("3 MPI ranks: optimistic"));
        assert_eq!(among_ranks("conservative", 2), None);
        assert_eq!(among_ranks("sequential", 1), None);
    }
}
