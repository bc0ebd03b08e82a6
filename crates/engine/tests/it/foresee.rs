//! What a model is shown ahead of its events.
use engine::*;
use std::{cell::RefCell, collections::BTreeMap};

#[derive(Message)]
pub enum Event {
    Ball { n: u64 },
}

#[derive(Message)]
pub struct Record;

/// By ball: the steps at which it was foreseen; and whether it has come.
type Seen = BTreeMap<(u32, u64), (Vec<u32>, bool)>;

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

#[derive(Rewind)]
pub struct Player {
    id: u32,
    all: Lps<Event>,
}

impl Model for Player {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, Event::Ball { n }: &Event, cx: &impl Context<Event, Record>) {
        SEEN.with_borrow_mut(|seen| seen.entry((self.id, *n)).or_default().1 = true);
        let to = self.all.at((self.id * 7 + 3) % self.all.len());
        let n = n + 1;
        cx.send(to, Delay::link(cx.link(to)).plus(Nanos(n * 37 % 1000)), Event::Ball { n })
    }
    fn foresee(&self, Event::Ball { n }: &Event, step: u32) {
        SEEN.with_borrow_mut(|seen| {
            let (steps, has_come) = seen.entry((self.id, *n)).or_default();
            assert!(!*has_come, "ball {n} has come to {} and is foreseen", self.id);
            steps.push(step)
        })
    }
}

/// Every other one is behind a pointer.
#[derive(Rewind, Model)]
enum Node {
    Near(Player),
    Far(Box<Player>),
}

#[test]
fn a_model_is_shown_its_own_events_before_they_come_a_step_after_the_other() {
    let mut topology = Topology::new(Nanos(100), Nanos(100));
    let all = topology.place::<Event>(200, |_| 0);
    let node = |id| match id % 2 {
        0 => Node::Near(Player { id, all }),
        _ => Node::Far(Box::new(Player { id, all })),
    };
    let mut world = World::new(Shared::new(topology), 1, Nanos(50_000), node);
    (0..).zip(all.iter()).for_each(|(i, lp)| {
        // No ball comes twice to a player.
        world.start(lp, Nanos(i % 10), Event::Ball { n: 1_000_000 * i })
    });
    let outcome = world.run(Scheduler::Sequential, |_, _| ());
    let seen = SEEN.take();
    let come = seen.values().filter(|(_, has_come)| *has_come).count() as u64;
    assert_eq!(come, outcome.events);
    let mut shown = 0;
    for ((id, n), (steps, _)) in &seen {
        let whole: Vec<u32> = (0..FORESIGHT - id % 2).collect();
        assert!(steps.is_empty() || *steps == whole, "ball {n} at {id}: {steps:?}");
        shown += !steps.is_empty() as u64
    }
    assert!(shown > outcome.events / 2, "{shown} of {} events", outcome.events);
}
