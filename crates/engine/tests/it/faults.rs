//! Planted faults of models: each must be detected and named.
use engine::*;
use std::{
    cell::Cell,
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
};

#[derive(Message)]
enum Event {
    Tick,
}

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
enum Fault {
    None,
    /// A container without a journal.
    ForgetsToJournal,
    /// A container that drops its whole journal at every commit.
    CommitsTooMuch,
    /// A container assigned as a whole.
    Assigns,
    /// Two containers swapped.
    Swaps,
    /// State that depends on data outside the model.
    ReadsOutside,
    /// Messages that depend on data outside the model.
    SendsByOutside,
    /// An end that other LPs may have passed.
    StopsAtOnce,
    /// A delay of another link.
    WrongLink,
    Panics,
}

/// A container that looks journalled, with a log of pushes only.
pub(crate) struct Forgetful {
    items: VecDeque<u64>,
    fault: Fault,
    log: Vec<u64>,
    base: u64,
}

impl Digest for Forgetful {
    fn digest(&self, h: &mut Hasher) {
        self.items.iter().for_each(|x| x.digest(h));
        h.word(self.items.len() as u64)
    }
}

impl Forgetful {
    pub(crate) fn new(journals: bool) -> Self {
        let fault = if journals { Fault::None } else { Fault::ForgetsToJournal };
        Forgetful { items: VecDeque::new(), fault, log: vec![], base: 0 }
    }
    pub(crate) fn push(&mut self, x: u64) {
        self.items.push_back(x);
        if self.fault != Fault::ForgetsToJournal {
            self.log.push(x)
        }
    }
}

impl Rewind for Forgetful {
    type Mark = u64;
    fn mark(&self) -> u64 {
        self.base + self.log.len() as u64
    }
    fn rewind(&mut self, to: &u64) {
        while self.mark() > *to && self.log.pop().is_some() {
            self.items.pop_back();
        }
    }
    fn commit(&mut self, upto: &u64) {
        let upto = if self.fault == Fault::CommitsTooMuch { self.mark() } else { *upto };
        self.log.drain(..(upto - self.base) as usize);
        self.base = upto
    }
    fn journal(&mut self, _: Option<u64>) {}
}

#[derive(Rewind)]
struct Faulty {
    fault: Fault,
    n: u64,
    a: Queue<u64>,
    b: Queue<u64>,
    table: Table<u32, Queue<u64>>,
    own: Forgetful,
    peer: Lp<Event>,
}

thread_local! {
    static OUTSIDE: Cell<u64> = const { Cell::new(0) };
}

fn outside() -> u64 {
    OUTSIDE.replace(OUTSIDE.get() + 1)
}

impl Model for Faulty {
    type Event = Event;
    type Record = ();
    fn handle(&mut self, _: &Event, cx: &impl Context<Event, ()>) {
        self.n += 1;
        self.a.push_back(self.n);
        self.own.push(self.n);
        // Rows are inserted, changed, removed and inserted again under the same key.
        let key = cx.random().below(3) as u32;
        if cx.random().chance(0.25) {
            self.table.discard(&key);
        }
        self.table.update_or_insert(key, Queue::new, |q| {
            q.push_back(1);
            if q.len() > 3 {
                q.pop_front();
            }
        });
        match self.fault {
            Fault::None | Fault::ForgetsToJournal | Fault::CommitsTooMuch => {}
            Fault::Assigns => self.a = Queue::new(),
            Fault::Swaps => std::mem::swap(&mut self.a, &mut self.b),
            Fault::ReadsOutside => self.n += outside(),
            Fault::SendsByOutside if outside().is_multiple_of(2) => cx.after(Nanos(7), Event::Tick),
            Fault::SendsByOutside => {}
            Fault::StopsAtOnce => cx.stop(cx.now()),
            Fault::WrongLink => cx.send(self.peer, Delay::link(cx.link(cx.me())), Event::Tick),
            Fault::Panics => assert!(self.n < 100, "a bug of the author's"),
        }
        cx.after(Nanos(1000), Event::Tick)
    }
}

fn go(fault: Fault, scheduler: Scheduler) -> Result<Outcome, String> {
    let run = || {
        let mut topology = Topology::new(Nanos(10), Nanos(20));
        let all = topology.place::<Event>(3, |i| i);
        let mut world = World::new(Shared::new(topology), 5, Nanos::micros(400), |id| Faulty {
            fault,
            n: 0,
            a: Queue::new(),
            b: Queue::new(),
            table: Table::new(),
            own: Forgetful { items: VecDeque::new(), fault, log: vec![], base: 0 },
            peer: all.at((id + 1) % 3),
        });
        all.iter().for_each(|lp| world.start(lp, Nanos(1), Event::Tick));
        world.run(scheduler, |_, _| ())
    };
    catch_unwind(AssertUnwindSafe(run)).map_err(|e| match e.downcast::<String>() {
        Ok(text) => *text,
        Err(e) => e.downcast::<&str>().map(|text| text.to_string()).expect("a text"),
    })
}

const CHECK: Scheduler = Scheduler::RollbackCheck { depth: 6 };

#[test]
fn a_right_model_passes() {
    let once = go(Fault::None, Scheduler::Sequential);
    assert_eq!(once, go(Fault::None, CHECK));
    for threads in [2, 3] {
        assert_eq!(once, go(Fault::None, Scheduler::Conservative { threads }));
        assert_eq!(once, go(Fault::None, Scheduler::Optimistic { threads }))
    }
}

#[test]
fn every_fault_is_caught_and_named() {
    let caught = [
        (Fault::ForgetsToJournal, "field `own` of LP"),
        (Fault::CommitsTooMuch, "field `own` of LP"),
        (Fault::Assigns, "put in place by assignment during a handler"),
        (Fault::Swaps, "was not restored by a rollback"),
        (Fault::ReadsOutside, "field `n` of LP"),
        (Fault::SendsByOutside, "differs when Tick is run again"),
        (Fault::StopsAtOnce, "stops the run at 1 ns: expected at least 21 ns"),
        (Fault::WrongLink, "with a delay of 10 ns, less than the topology's bound of 20 ns"),
        (Fault::Panics, "a bug of the author's"),
    ];
    for (fault, words) in caught {
        let error = go(fault, CHECK).expect_err("caught");
        assert!(error.contains(words), "{fault:?}: {error}");
    }
}

#[test]
fn what_breaks_the_rules_of_time_is_caught_without_the_check_too() {
    for fault in [Fault::StopsAtOnce, Fault::WrongLink, Fault::Panics] {
        let said = go(fault, Scheduler::Sequential).expect_err("caught");
        for threads in [2, 3] {
            let also = go(fault, Scheduler::Conservative { threads }).expect_err("caught");
            assert_eq!(said, also, "{fault:?} on {threads} threads");
            let also = go(fault, Scheduler::Optimistic { threads }).expect_err("caught");
            assert_eq!(said, also, "{fault:?} on {threads} threads")
        }
    }
}
