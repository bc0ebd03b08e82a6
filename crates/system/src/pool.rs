//! Runs independent jobs on all cores; results are in the order of the jobs.
use crate::{interrupt, session};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of cores available to this process, or to its session.
pub fn threads() -> usize {
    let given = session::current().and_then(|session| session.threads());
    given.unwrap_or_else(cores)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// Runs `work` for each job and calls `done` after each. A result is `None` if `work` returned it,
/// or if an interruption prevented the job.
pub fn run<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> Option<R> + Sync,
    done: impl Fn(&J) + Sync,
) -> Vec<Option<R>> {
    run_on(threads(), jobs, work, done)
}

/// [`run`] on at most `threads` threads.
pub fn run_on<J: Sync, R: Send>(
    threads: usize,
    jobs: &[J],
    work: impl Fn(&J) -> Option<R> + Sync,
    done: impl Fn(&J) + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let worker = &|| {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(place) else { break };
            if interrupt::is_requested() {
                break;
            }
            let result = work(job);
            *results[place].lock().expect("no worker panics while it holds this") = result;
            done(job);
        }
    };
    std::thread::scope(|scope| {
        // This thread works as well; it does all jobs if the OS starts no other.
        for _ in 1..threads.min(jobs.len()) {
            let within = session::current();
            let other = std::thread::Builder::new().spawn_scoped(scope, move || match within {
                Some(session) => session.run(worker),
                None => worker(),
            });
            if other.is_err() {
                break;
            }
        }
        worker()
    });
    results.into_iter().map(|m| m.into_inner().expect("as above")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_jobs() {
        let jobs: Vec<u64> = (0..1000).collect();
        let told = AtomicUsize::new(0);
        let results = run(
            &jobs,
            |&j| {
                // Uneven work, so that threads overtake each other.
                let spin = (0..(j * 7919) % 5000).fold(j, |a, b| a ^ b.wrapping_mul(31));
                (j % 10 != 3).then_some((j, std::hint::black_box(spin)))
            },
            |_| {
                told.fetch_add(1, Ordering::Relaxed);
            },
        );
        assert_eq!(told.load(Ordering::Relaxed), 1000);
        for (j, r) in results.iter().enumerate() {
            assert_eq!(r.map(|(j, _)| j), (j % 10 != 3).then_some(j as u64));
        }
    }
}
