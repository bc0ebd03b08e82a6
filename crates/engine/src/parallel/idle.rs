//! Threads to skip while one thread works for all: of hundreds, most have no work in most rounds.
use super::{barrier::RoundSummary, shared::Shared};
use rewind::Wire;

/// Rounds after which all notes of an idle thread are equal: the number of notes it keeps.
const NOTES: u64 = 2;

/// By thread: consecutive rounds without work.
pub(crate) struct Idle(Vec<u64>);

impl Idle {
    pub(crate) fn new(threads: usize) -> Idle {
        Idle(vec![0; threads])
    }

    /// Whether a thread's turn can be skipped, because it would publish the same notes again.
    /// `is_clear`: it does nothing without an event or a message; once true, it is not evaluated
    /// again before one of these.
    pub(crate) fn leaves_out<P: Wire>(
        &mut self,
        thread: usize,
        (shared, round, known): (&Shared<P>, u64, &RoundSummary),
        is_clear: impl FnOnce() -> bool,
    ) -> bool {
        let idle = &mut self.0[thread];
        let has_none = known.next[thread] >= known.in_step(&shared.partition)
            && shared.barrier.senders(thread, round, known).next().is_none();
        *idle = if has_none && (*idle > 0 || is_clear()) { *idle + 1 } else { 0 };
        *idle > NOTES
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::{
        Nanos, Topology,
        parallel::{
            mail::{OutgoingMail, Parcel},
            partition::Partition,
        },
    };
    use std::sync::{Arc, atomic::Ordering::Relaxed};

    /// By round: the third thread's next event, and a message to it; the first one has an event at
    /// 100.
    #[test]
    fn who_has_nothing_is_left_out_once_its_notes_say_so_until_something_comes() {
        let mut topology = Topology::new(Nanos(10), Nanos(10));
        topology.place::<()>(3, |_| 0);
        let partition = Arc::new(Partition::new(&topology, 3, 0, |_| 1));
        let shared = Shared::<u64>::new(partition, 0..3, 3);
        let (mut idle, mut text) = (Idle::new(3), String::new());
        let mut outgoing = OutgoingMail::new(3);
        let rounds =
            [(500, None); 5].into_iter().chain([(500, Some(900)), (500, None), (105, None)]);
        for (round, (next, sent)) in (1..).zip(rounds) {
            for (member, at) in [(0, 100), (1, 400), (2, next)] {
                let notes = shared.barrier.notes(member, round);
                notes.next.store(at, Relaxed);
                if let (0, Some(t)) = (member, sent) {
                    outgoing.put(2, Parcel { t, tie: 0, dst: 2, event: 7 })
                }
                outgoing.post(member, round, &shared.mail, notes)
            }
            let known = shared.barrier.known(round);
            for thread in 0..3 {
                let out = idle.leaves_out(thread, (&*shared, round, &known), || round > 1);
                text.push(if out { '-' } else { 'x' })
            }
            shared.fetch(2, round, &known, |parcel| text += &format!("<{}>", parcel.t));
            text.push(' ')
        }
        assert_eq!(text, "xxx xxx xxx x-- x-- x-x<900> x-x x-x ")
    }
}
