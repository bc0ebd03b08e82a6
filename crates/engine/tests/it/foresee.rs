//! The events that `foresee` shows to a model.
use engine::*;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

#[derive(Message)]
pub enum Event {
    Ball {
        n: u64,
    },
    /// Set at each ball; the player's next ball cancels it if it is still pending.
    Rest {
        n: u64,
    },
}

#[derive(Message)]
pub struct Record;

/// By player, number, and whether the event is a `Rest`: the steps of `foresee` for it, and whether
/// it has been handled or cancelled.
type Seen = BTreeMap<(u32, u64, bool), (Vec<u32>, bool)>;

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
    static CANCELLED: Cell<u64> = const { Cell::new(0) };
}

#[derive(Rewind)]
pub struct Player {
    id: u32,
    all: Lps<Event>,
    rest: Option<Timer>,
    rests_after: u64,
}

impl Player {
    fn new(id: u32, all: Lps<Event>) -> Player {
        Player { id, all, rest: None, rests_after: 0 }
    }

    /// Notes that an event was handled or cancelled.
    fn over(&self, n: u64, rests: bool) {
        SEEN.with_borrow_mut(|seen| seen.entry((self.id, n, rests)).or_default().1 = true)
    }
}

impl Model for Player {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        let n = match *event {
            Event::Ball { n } => n,
            Event::Rest { n } => {
                self.rest = None;
                return self.over(n, true);
            }
        };
        self.over(n, false);
        if let Some(rest) = self.rest.take() {
            assert!(cx.cancel(rest));
            self.over(self.rests_after, true);
            CANCELLED.set(CANCELLED.get() + 1)
        }
        self.rest = Some(cx.timer(Nanos(n * 53 % 2000), Event::Rest { n }));
        self.rests_after = n;
        let to = self.all.at((self.id * 7 + 3) % self.all.len());
        let n = n + 1;
        cx.send(to, Delay::link(cx.link(to)).plus(Nanos(n * 37 % 1000)), Event::Ball { n })
    }
    fn foresee(&self, event: &Event, step: u32) {
        let (n, rests) = match *event {
            Event::Ball { n } => (n, false),
            Event::Rest { n } => (n, true),
        };
        SEEN.with_borrow_mut(|seen| {
            let (steps, is_over) = seen.entry((self.id, n, rests)).or_default();
            assert!(!*is_over, "ball {n} ({rests}) is over for {} and is foreseen", self.id);
            steps.push(step)
        })
    }
}

/// Every other player is in a `Box`.
#[derive(Rewind, Model)]
enum Node {
    Near(Player),
    Far(Box<Player>),
}

#[test]
fn a_model_is_shown_its_own_events_and_timers_before_they_come_step_by_step() {
    let mut topology = Topology::new(Nanos(100), Nanos(100));
    let all = topology.place::<Event>(200, |_| 0);
    let node = |id| match id % 2 {
        0 => Node::Near(Player::new(id, all)),
        _ => Node::Far(Box::new(Player::new(id, all))),
    };
    let mut world = World::new(Shared::new(topology), 1, Nanos(50_000), node);
    (0..).zip(all.iter()).for_each(|(i, lp)| {
        // A player never gets the same ball twice.
        world.start(lp, Nanos(i % 10), Event::Ball { n: 1_000_000 * i })
    });
    let outcome = world.run(Scheduler::Sequential, |_, _| ());
    let seen = SEEN.take();
    let over = seen.values().filter(|(_, is_over)| *is_over).count() as u64;
    assert_eq!(over, outcome.events + CANCELLED.get());
    let mut shown = [0, 0];
    for ((id, n, rests), (steps, _)) in &seen {
        let whole: Vec<u32> = (0..FORESIGHT - id % 2).collect();
        assert!(steps.is_empty() || *steps == whole, "ball {n} ({rests}) at {id}: {steps:?}");
        shown[usize::from(*rests)] += u64::from(!steps.is_empty())
    }
    let [balls, rests] = shown;
    let cancelled = CANCELLED.get();
    let events = format!("{balls} balls and {rests} rests of {} events", outcome.events);
    assert!(balls > outcome.events / 4 && rests > 1000 && cancelled > 1000, "{events}");
}
