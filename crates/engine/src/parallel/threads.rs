//! Starts the threads of a run: all exist before the first begins.
use std::{
    fmt,
    io::{self, Write},
    panic::resume_unwind,
    sync::mpsc::{Sender, channel},
    thread::{Builder, Scope, ScopedJoinHandle, scope},
};

/// The system cannot start enough threads. A run panics with this, after a message on stderr.
#[derive(Debug)]
pub struct ThreadStartError {
    /// Threads that exist, including the calling one.
    pub threads: usize,
    /// Threads requested in this process.
    pub requested: usize,
    /// Error of the system.
    pub error: io::Error,
}

impl fmt::Display for ThreadStartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ThreadStartError { threads, requested: asked, error } = self;
        write!(
            f,
            "the system starts at most {threads} of {asked} threads ({error}): use fewer \
             (--threads), or raise its limit (`ulimit -u`, a container's process limit, or `ulimit \
             -v`: each thread needs 2 MB of addresses for its stack, and more)"
        )
    }
}

impl std::error::Error for ThreadStartError {}

/// Runs each member on a thread of its own, the first by `lead` on the calling thread. None begins
/// before all threads exist: members wait for each other, and a missing one would block them for
/// ever.
///
/// # Panics
/// With [`ThreadStartError`], before a member begins.
pub(crate) fn run_all<T: Send>(
    members: impl Iterator<Item = T>,
    lead: impl FnOnce(T) -> T,
    follow: impl Fn(T) -> T + Copy + Send,
) -> Vec<T> {
    run_all_with(members, lead, follow, Builder::new)
}

fn run_all_with<T: Send>(
    members: impl Iterator<Item = T>,
    lead: impl FnOnce(T) -> T,
    follow: impl Fn(T) -> T + Copy + Send,
    builder: impl Fn() -> Builder,
) -> Vec<T> {
    let mut members: Vec<T> = members.collect();
    let first = members.remove(0);
    scope(|scope| {
        let mut waiting = vec![];
        for _ in &members {
            match start(scope, builder(), follow) {
                Ok(thread) => waiting.push(thread),
                Err(error) => {
                    let (threads, requested) = (1 + waiting.len(), 1 + members.len());
                    // Ends the waiting threads: their channels close.
                    drop(waiting);
                    give_up(ThreadStartError { threads, requested, error })
                }
            }
        }
        let begin = |((tell, thread), member): ((Sender<T>, _), T)| {
            let _ = tell.send(member);
            thread
        };
        let others: Vec<ScopedJoinHandle<'_, Option<T>>> =
            waiting.into_iter().zip(members).map(begin).collect();
        let first = lead(first);
        let joined =
            others.into_iter().map(|o| o.join().ok().flatten().expect("faults are caught"));
        std::iter::once(first).chain(joined).collect()
    })
}

/// A thread that waits for its member, and the channel to it.
fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    builder: Builder,
    follow: impl Fn(T) -> T + Send + 'scope,
) -> io::Result<(Sender<T>, ScopedJoinHandle<'scope, Option<T>>)> {
    let (tell, told) = channel();
    let thread = builder.spawn_scoped(scope, move || told.recv().ok().map(follow))?;
    Ok((tell, thread))
}

fn give_up(unstarted: ThreadStartError) -> ! {
    let _ = writeln!(io::stderr().lock(), "error: {unstarted}");
    resume_unwind(Box::new(unstarted))
}

#[cfg(all(test, not(any(loom, miri))))]
mod tests {
    use super::*;
    use std::{
        cell::Cell,
        panic::{AssertUnwindSafe, catch_unwind},
    };

    /// A thread whose stack exceeds any address space stands for one too many.
    #[test]
    fn where_a_thread_cannot_be_started_nothing_begins() {
        let count = Cell::new(0);
        let builder = || {
            count.set(count.get() + 1);
            let builder = Builder::new();
            if count.get() < 4 { builder } else { builder.stack_size(1 << 60) }
        };
        let begins = |_: u32| -> u32 { unreachable!("some threads are missing") };
        let go = || run_all_with(0..8, begins, begins, builder);
        let said = catch_unwind(AssertUnwindSafe(go)).expect_err("there is no such thread");
        let unstarted = said.downcast::<ThreadStartError>().expect("what is missing");
        assert_eq!((unstarted.threads, unstarted.requested), (4, 8), "{unstarted}")
    }

    #[test]
    fn members_come_back_in_their_order() {
        let come_back = run_all(0..8, |first| first + 100, |other| other * 10);
        assert_eq!(come_back, [100, 10, 20, 30, 40, 50, 60, 70])
    }
}
