//! Chord (Stoica, Morris, Karger, Kaashoek, Balakrishnan, SIGCOMM 2001) with lookups and churn, as
//! a model on this engine.
//!
//! ```text
//! cargo run --release -p engine --example chord -- [NODES] [SECONDS] [SESSION_S] [THREADS]
//! ```
//! Each node looks up a random key every 10 s, and stabilises and repairs a finger every 20 s. A
//! node stays for an exponential time of mean SESSION_S (0: for ever), then is away for a mean of
//! 60 s, and rejoins by a node that it knew. Every answer is compared with the true ring.
use engine::*;
use std::collections::BTreeMap;

/// Bits of an id: the number of fingers.
const BITS: u32 = 32;
/// Successors that a node knows: it survives this many losses between two stabilisations.
const SUCCESSORS: usize = 4;
const STABILISE: Nanos = Nanos::secs(20);
const LOOK: Nanos = Nanos::secs(10);
const AWAY: Nanos = Nanos::secs(60);
/// Timeout of a node's answer; `LATE` is that of a lookup.
const SILENCE: Nanos = Nanos::secs(1);
const LATE: Nanos = Nanos::secs(10);
const NONE: u32 = u32::MAX;

/// Nodes are identified by the number of their LP.
#[derive(Message)]
enum Event {
    /// The run begins; the node rejoins; the node fails without a message.
    Begin,
    Join,
    Leave,
    /// Periodic, in one session.
    Stabilise {
        session: u32,
    },
    Look {
        session: u32,
    },
    /// Requests the owner of a key. The previous hop expects `Came` as acknowledgement.
    Find {
        ask: Ask,
        from: u32,
        turn: u32,
    },
    Came {
        turn: u32,
    },
    Unheard {
        turn: u32,
    },
    Found {
        owner: u32,
        tag: u32,
        hops: u32,
    },
    /// A lookup has timed out.
    Late {
        tag: u32,
    },
    /// Requests the neighbours of a node, and announces its predecessor.
    Near {
        from: u32,
    },
    Neighbours {
        predecessor: u32,
        successors: [u32; SUCCESSORS],
    },
    Silent {
        asked: u32,
    },
}

/// A lookup in transit; the answer goes to `origin`.
#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct Ask {
    key: u32,
    origin: u32,
    tag: u32,
    hops: u32,
}

#[derive(Message)]
enum Seen {
    Joined,
    Left,
    Owner { key: u32, owner: u32, hops: u32 },
    Unanswered,
}

struct Ring {
    all: Lps<Event>,
    /// By LP; all distinct.
    ids: Vec<u32>,
    /// LPs in the order of their ids.
    order: Vec<u32>,
    session: Nanos,
}

impl Ring {
    fn new(all: Lps<Event>, count: u32, session: Nanos) -> Ring {
        // A bijection of 32 bits scatters the numbers over the ring.
        let ids: Vec<u32> =
            (0..count).map(|i| i.wrapping_mul(0x9E37_79B1).rotate_left(7)).collect();
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|lp| ids[*lp as usize]);
        Ring { all, ids, order, session }
    }

    fn id(&self, node: u32) -> u32 {
        self.ids[node as usize]
    }

    /// The first node at or after an id, if all nodes were up.
    fn owner(&self, key: u32) -> u32 {
        let at = self.order.partition_point(|node| self.id(*node) < key);
        self.order[at % self.order.len()]
    }
}

/// Whether a key lies in (from, to] of the ring.
fn is_within(key: u32, from: u32, to: u32) -> bool {
    from == to || key.wrapping_sub(from).wrapping_sub(1) < to.wrapping_sub(from)
}

/// An unanswered lookup of this node.
#[derive(Clone, Rewind)]
struct Open {
    key: u32,
    purpose: Purpose,
    late: Timer,
}

#[derive(Clone, Copy, PartialEq, Scalar)]
enum Purpose {
    User,
    Finger(u32),
    Join,
}

/// A lookup that was forwarded and not acknowledged.
#[derive(Clone, Rewind)]
struct Hop {
    ask: Ask,
    to: u32,
    unheard: Timer,
}

#[derive(Rewind)]
struct Node {
    ring: Shared<Ring>,
    me: u32,
    is_up: bool,
    session: u32,
    predecessor: u32,
    /// Last message of the predecessor.
    heard: Nanos,
    successors: Array<u32>,
    fingers: Array<u32>,
    next_finger: u32,
    /// Expected to answer with its neighbours.
    asked: u32,
    tags: u32,
    open: Table<u32, Open>,
    hops: Table<u32, Hop>,
}

impl Model for Node {
    type Event = Event;
    type Record = Seen;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Seen>) {
        match *event {
            Event::Begin => self.begin(cx),
            Event::Join => self.join(cx),
            Event::Late { tag } => self.late(tag, cx),
            Event::Found { owner, tag, hops } => self.found(owner, tag, hops, cx),
            // A node that is down handles nothing else.
            _ if !self.is_up => {}
            Event::Leave => self.leave(cx),
            Event::Stabilise { session } if session == self.session => self.stabilise(cx),
            Event::Look { session } if session == self.session => {
                cx.after(LOOK, Event::Look { session });
                let key = cx.random().below(1 << BITS);
                self.find(u32::try_from(key).expect("32 bits"), Purpose::User, cx)
            }
            Event::Stabilise { .. } | Event::Look { .. } => {}
            Event::Find { ask, from, turn } => {
                self.tell(from, Event::Came { turn }, cx);
                self.route(ask, cx)
            }
            Event::Came { turn } => {
                if let Some(hop) = self.hops.remove(&turn) {
                    cx.cancel(hop.unheard);
                }
            }
            Event::Unheard { turn } => {
                if let Some(hop) = self.hops.remove(&turn) {
                    self.forget(hop.to);
                    self.route(hop.ask, cx)
                }
            }
            Event::Near { from } => self.near(from, cx),
            Event::Neighbours { predecessor, successors } => self.learn(predecessor, successors),
            Event::Silent { asked } if asked == self.asked => self.forget(asked),
            Event::Silent { .. } => {}
        }
    }
}

impl Node {
    fn id(&self) -> u32 {
        self.ring.id(self.me)
    }

    /// The first known node after this one.
    fn successor(&self) -> u32 {
        let mut known = self.successors.iter().chain(self.fingers.iter());
        *known.find(|node| **node != NONE).unwrap_or(&self.me)
    }

    /// Adds up to 25 ms to the least delay.
    fn tell(&self, to: u32, event: Event, cx: &impl Context<Event, Seen>) {
        let to = self.ring.all.at(to);
        let more = cx.random().below(25_000_000);
        cx.send(to, Delay::link(cx.link(to)).plus(Nanos(more)), event)
    }

    /// All nodes know the true ring at first.
    fn begin(&mut self, cx: &impl Context<Event, Seen>) {
        let ring = Shared::clone(&self.ring);
        let (count, me) = (ring.order.len(), self.id());
        let at = ring.order.partition_point(|node| ring.id(*node) < me);
        self.predecessor = ring.order[(at + count - 1) % count];
        self.successors.replace((1..=SUCCESSORS).map(|i| ring.order[(at + i) % count]));
        self.fingers.replace((0..BITS).map(|i| ring.owner(me.wrapping_add(1 << i))));
        self.up(cx)
    }

    fn up(&mut self, cx: &impl Context<Event, Seen>) {
        self.is_up = true;
        self.session += 1;
        let (session, mut dice) = (self.session, cx.random());
        cx.record(Seen::Joined);
        cx.after(Nanos(dice.below(STABILISE.0)), Event::Stabilise { session });
        cx.after(Nanos(dice.below(LOOK.0)), Event::Look { session });
        if self.ring.session > Nanos::ZERO {
            cx.after(dice.exponential(self.ring.session), Event::Leave)
        }
    }

    fn leave(&mut self, cx: &impl Context<Event, Seen>) {
        self.is_up = false;
        cx.record(Seen::Left);
        cx.after(cx.random().exponential(AWAY), Event::Join)
    }

    /// Requests its successor from a node that it knew.
    fn join(&mut self, cx: &impl Context<Event, Seen>) {
        let known: Vec<u32> = self.fingers.iter().copied().filter(|n| *n != NONE).collect();
        let place = cx.random().below(known.len().max(1) as u64);
        let known = *known.get(place as usize).unwrap_or(&self.successor());
        let ask = self.expect(self.id().wrapping_add(1), Purpose::Join, cx);
        self.tell(known, Event::Find { ask, from: self.me, turn: 0 }, cx)
    }

    /// Opens a lookup with a timeout.
    fn expect(&mut self, key: u32, purpose: Purpose, cx: &impl Context<Event, Seen>) -> Ask {
        self.tags += 1;
        let tag = self.tags;
        self.open.insert(tag, Open { key, purpose, late: cx.timer(LATE, Event::Late { tag }) });
        Ask { key, origin: self.me, tag, hops: 0 }
    }

    fn find(&mut self, key: u32, purpose: Purpose, cx: &impl Context<Event, Seen>) {
        let ask = self.expect(key, purpose, cx);
        self.route(ask, cx)
    }

    /// Answers, or forwards the lookup to the last known node before the key.
    fn route(&mut self, ask: Ask, cx: &impl Context<Event, Seen>) {
        let (owner, Ask { key, origin, tag, hops }) = (self.successor(), ask);
        if is_within(key, self.id(), self.ring.id(owner)) {
            return match origin == self.me {
                true => self.found(owner, tag, hops, cx),
                false => self.tell(origin, Event::Found { owner, tag, hops }, cx),
            };
        }
        self.tags += 1;
        let (to, turn) = (self.last_before(key), self.tags);
        let unheard = cx.timer(SILENCE, Event::Unheard { turn });
        let ask = Ask { hops: hops + 1, ..ask };
        self.hops.insert(turn, Hop { ask, to, unheard });
        self.tell(to, Event::Find { ask, from: self.me, turn }, cx)
    }

    /// The farthest finger before a key, else the successor.
    fn last_before(&self, key: u32) -> u32 {
        let far = key.wrapping_sub(self.id()).max(1).ilog2();
        let is_before = |node: &&u32| {
            let id = self.ring.id(**node);
            id != key && **node != self.me && is_within(id, self.id(), key)
        };
        let fingers = (0..=far as usize).rev().filter_map(|i| self.fingers.get(i));
        *fingers.filter(|node| **node != NONE).find(is_before).unwrap_or(&self.successor())
    }

    fn found(&mut self, owner: u32, tag: u32, hops: u32, cx: &impl Context<Event, Seen>) {
        let Some(open) = self.open.remove(&tag) else { return };
        cx.cancel(open.late);
        match open.purpose {
            Purpose::User => cx.record(Seen::Owner { key: open.key, owner, hops }),
            Purpose::Finger(at) => self.fingers.set(at as usize, owner),
            // Another node still takes this one for a member of the ring.
            Purpose::Join if owner == self.me => self.join(cx),
            Purpose::Join => {
                self.predecessor = NONE;
                self.hops.clear();
                self.successors.replace([owner]);
                self.fingers.set(0, owner);
                self.up(cx)
            }
        }
    }

    fn late(&mut self, tag: u32, cx: &impl Context<Event, Seen>) {
        match self.open.remove(&tag).map(|open| open.purpose) {
            Some(Purpose::Join) => self.join(cx),
            Some(Purpose::User) if self.is_up => cx.record(Seen::Unanswered),
            _ => {}
        }
    }

    fn stabilise(&mut self, cx: &impl Context<Event, Seen>) {
        cx.after(STABILISE, Event::Stabilise { session: self.session });
        let asked = self.successor();
        if asked != self.me {
            self.asked = asked;
            self.tell(asked, Event::Near { from: self.me }, cx);
            cx.after(SILENCE, Event::Silent { asked })
        }
        self.next_finger = (self.next_finger + 1) % BITS;
        let at = self.next_finger;
        self.find(self.id().wrapping_add(1 << at), Purpose::Finger(at), cx)
    }

    /// A node takes this one for its successor, and gets its neighbours.
    fn near(&mut self, from: u32, cx: &impl Context<Event, Seen>) {
        let is_silent = cx.now() > self.heard + STABILISE * 2;
        let successors = std::array::from_fn(|i| *self.successors.get(i).unwrap_or(&NONE));
        let id = |node| self.ring.id(node);
        if [NONE, from].contains(&self.predecessor)
            || is_silent
            || is_within(id(from), id(self.predecessor), self.id())
        {
            self.predecessor = from;
            self.heard = cx.now()
        }
        self.tell(from, Event::Neighbours { predecessor: self.predecessor, successors }, cx)
    }

    /// The successor's answer: another node may have joined in between.
    fn learn(&mut self, between: u32, theirs: [u32; SUCCESSORS]) {
        let next = std::mem::replace(&mut self.asked, NONE);
        if next == NONE {
            return;
        }
        let [me, to] = [self.id(), self.ring.id(next)];
        let is_new =
            ![NONE, self.me, next].contains(&between) && is_within(self.ring.id(between), me, to);
        let first = is_new.then_some(between).into_iter().chain([next]);
        let all = first.chain(theirs).filter(|node| ![NONE, self.me].contains(node));
        self.successors.replace(all.take(SUCCESSORS).collect::<Vec<u32>>())
    }

    /// Removes a node that did not answer.
    fn forget(&mut self, gone: u32) {
        self.asked = NONE;
        let left: Vec<u32> = self.successors.iter().copied().filter(|n| *n != gone).collect();
        self.successors.replace(left);
        for at in 0..BITS as usize {
            if self.fingers.get(at) == Some(&gone) {
                self.fingers.set(at, NONE)
            }
        }
    }
}

#[derive(Default, Debug)]
struct Answers {
    right: u64,
    wrong: u64,
    unanswered: u64,
    hops: u64,
}

fn run(count: u32, until: Nanos, session: Nanos, scheduler: Scheduler) -> (Outcome, Answers) {
    let mut topology = Topology::new(Nanos::millis(10), Nanos::millis(50));
    let all = topology.place::<Event>(count, |i| i % 8);
    let ring = Shared::new(Ring::new(all, count, session));
    let known = Shared::clone(&ring);
    let mut world = World::new(Shared::new(topology), 1, until, move |me| Node {
        ring: Shared::clone(&known),
        me,
        is_up: false,
        session: 0,
        predecessor: NONE,
        heard: Nanos::ZERO,
        successors: Array::new(),
        fingers: Array::new(),
        next_finger: 0,
        asked: NONE,
        tags: 0,
        open: Table::new(),
        hops: Table::new(),
    });
    all.iter().for_each(|node| world.start(node, Nanos(1), Event::Begin));
    let (mut up, mut answers) = (BTreeMap::new(), Answers::default());
    let outcome = world.run(scheduler, |stamp, seen| match seen {
        Seen::Joined => drop(up.insert(ring.id(stamp.lp), stamp.lp)),
        Seen::Left => drop(up.remove(&ring.id(stamp.lp))),
        Seen::Unanswered => answers.unanswered += 1,
        Seen::Owner { key, owner, hops } => {
            answers.hops += u64::from(hops);
            let truth = up.range(key..).next().or_else(|| up.first_key_value());
            match truth.map(|(_, node)| *node) == Some(owner) {
                true => answers.right += 1,
                false => answers.wrong += 1,
            }
        }
    });
    (outcome, answers)
}

fn main() {
    let number = |at: usize, other: u64| {
        std::env::args().nth(at).map_or(other, |text| text.parse().expect("a whole number"))
    };
    let (count, seconds) = (number(1, 100_000), number(2, 100));
    let (session, threads) = (number(3, 600), number(4, 1));
    let scheduler = match threads {
        1 => Scheduler::Sequential,
        threads => Scheduler::Conservative { threads: threads as usize },
    };
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begun = std::time::Instant::now();
    let (outcome, all) = run(count as u32, Nanos::secs(seconds), Nanos::secs(session), scheduler);
    let (wall, answered) = (begun.elapsed().as_secs_f64(), all.right + all.wrong);
    println!(
        "{count} nodes, {seconds} s: {answered} lookups answered, {:.2} % rightly, {} not; {:.2} \
         hops; {} events in {wall:.1} s ({:.2} million/s)",
        100.0 * all.right as f64 / answered as f64,
        all.unanswered,
        all.hops as f64 / answered as f64,
        outcome.events,
        outcome.events as f64 / wall / 1e6,
    )
}

#[cfg(test)]
mod tests;
