//! A network in one thread, with an order of events by seed, and faults on demand.
//!
//! A block is read from its sender's slot only when it arrives: a slot reused too early shows as
//! corrupted data. Blocks overtake each other and messages; messages of a link keep their order.
//! Time passes only when nothing is in transit.
use std::cell::{RefCell, RefMut};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::ops::DerefMut;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;
use xor_relay::memory::{Memory, Ring, Rings};
use xor_relay::transport::{Event, Link, Transport, Waker, Write};

/// Time until a half-open link is noticed.
const SILENCE: Duration = Duration::from_secs(30);

/// Probabilities in 1/65536 for each item in transit.
#[derive(Clone, Copy, Default, Debug)]
pub struct Faults {
    pub cut: u32,
    /// The link remains but carries nothing any more.
    pub silence: u32,
    /// One byte of the block is changed in transit.
    pub corrupt: u32,
    /// The receiver has no posted receive: the block is sent again six times, then the sender's
    /// queue pair fails.
    pub unready: u32,
    /// The block arrives without an acknowledgement: the sender's queue pair fails.
    pub unacknowledged: u32,
    /// The sender's queue pair fails, and its posted requests are flushed.
    pub flushed: u32,
}

/// Repetitions for a receiver that is not ready, as verbs count (`rnr_retry`).
const RETRIES: u32 = 6;

/// In transit to one end.
enum Thing {
    Message(Vec<u8>),
    Block(Write),
}

struct Way {
    /// The other end's owner and link.
    to: (usize, Link),
    messages: VecDeque<Vec<u8>>,
    blocks: Vec<Write>,
    silent_until: Option<Duration>,
    /// Consecutive refused blocks.
    retries: u32,
}

struct Owner {
    address: String,
    is_alive: bool,
    rings: Rings,
    ways: BTreeMap<Link, Way>,
    allowed: BTreeMap<(Link, Ring), usize>,
    next: Link,
    events: VecDeque<Event>,
    waker: Waker,
    woken: mpsc::Receiver<u64>,
}

struct Inner {
    owners: Vec<Owner>,
    state: u64,
    now: Duration,
    faults: Faults,
}

/// Clones share the network.
#[derive(Clone)]
pub struct Net(Rc<RefCell<Inner>>);

pub struct Endpoint {
    net: Net,
    me: usize,
    /// Runs the rest of the world until this end has an event; `None` for nodes.
    drive: Option<Box<dyn FnMut() -> bool>>,
}

impl Net {
    pub fn new(seed: u64, faults: Faults) -> Net {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
        let (owners, now) = (Vec::new(), Duration::ZERO);
        Net(Rc::new(RefCell::new(Inner { owners, state, now, faults })))
    }

    /// A new owner. `drive` does one step of the world; false if there was none.
    pub fn join(&self, address: &str, drive: Option<Box<dyn FnMut() -> bool>>) -> Endpoint {
        let (waker, woken) = Waker::silent();
        let mut inner = self.0.borrow_mut();
        inner.owners.push(Owner {
            address: address.into(),
            is_alive: true,
            rings: Rings::default(),
            ways: BTreeMap::new(),
            allowed: BTreeMap::new(),
            next: 0,
            events: VecDeque::new(),
            waker,
            woken,
        });
        Endpoint { net: self.clone(), me: inner.owners.len() - 1, drive }
    }

    pub fn below(&self, n: usize) -> usize {
        self.0.borrow_mut().below(n)
    }

    pub fn set_faults(&self, faults: Faults) {
        self.0.borrow_mut().faults = faults
    }

    pub fn is_busy(&self) -> bool {
        self.0.borrow().owners.iter().flat_map(|o| o.ways.values()).any(Way::is_busy)
    }

    pub fn end_silence(&self) {
        self.0.borrow_mut().pass(SILENCE)
    }

    pub fn has_events(&self, owner: usize) -> bool {
        let owner = &mut self.0.borrow_mut().owners[owner];
        owner.events.extend(owner.woken.try_iter().map(Event::Woken));
        !owner.events.is_empty()
    }

    /// Delivers one random item; false if there was none.
    pub fn deliver(&self) -> bool {
        self.0.borrow_mut().deliver()
    }

    pub fn kill(&self, owner: usize) {
        let mut inner = self.0.borrow_mut();
        inner.owners[owner].is_alive = false;
        let links: Vec<Link> = inner.owners[owner].ways.keys().copied().collect();
        links.into_iter().for_each(|link| inner.cut(owner, link, "closed the connection"));
        // Its rings stay: its stand-in in a test may use them.
        inner.owners[owner].events.clear();
    }
}

impl Way {
    fn is_busy(&self) -> bool {
        !self.messages.is_empty() || !self.blocks.is_empty()
    }
}

impl Inner {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % n as u64) as usize
    }

    fn happens(&mut self, odds: u32) -> bool {
        odds > 0 && self.below(65536) < odds as usize
    }

    fn deliver(&mut self) -> bool {
        let is_busy = |way: &&(usize, Link)| self.owners[way.0].ways[&way.1].is_busy();
        let all = self.owners.iter().enumerate();
        let ways: Vec<(usize, Link)> =
            all.flat_map(|(o, owner)| owner.ways.keys().map(move |l| (o, *l))).collect();
        let busy: Vec<(usize, Link)> = ways.iter().filter(is_busy).copied().collect();
        if busy.is_empty() {
            return false;
        }
        let at = self.below(busy.len());
        let (owner, link) = busy[at];
        let faults = self.faults;
        if self.happens(faults.cut) {
            self.cut(owner, link, "the connection was cut");
            return true;
        }
        if self.happens(faults.silence) {
            self.silence(owner, link)
        }
        if self.happens(faults.flushed) {
            self.fail(owner, link, "the queue pair failed, and its work requests were flushed");
            return true;
        }
        let thing = self.take(owner, link);
        if self.owners[owner].ways[&link].silent_until.is_some() {
            return true;
        }
        match thing {
            Thing::Block(write) if self.happens(faults.unready) => self.again(owner, link, write),
            Thing::Block(_) if self.happens(faults.unacknowledged) => {
                self.arrive(owner, link, thing);
                self.fail(owner, link, "an acknowledgement did not come: retry exceeded")
            }
            thing => self.arrive(owner, link, thing),
        }
        true
    }

    /// The receiver has no place for the block: retries it.
    fn again(&mut self, owner: usize, link: Link, write: Write) {
        let way = self.owners[owner].ways.get_mut(&link).expect("a busy way");
        way.blocks.push(write);
        way.retries += 1;
        if way.retries > RETRIES {
            self.fail(owner, link, "the receiver is not ready: retry exceeded")
        }
    }

    fn take(&mut self, owner: usize, link: Link) -> Thing {
        let count = |way: &Way| (way.messages.len().min(1), way.blocks.len());
        let (message, blocks) = count(&self.owners[owner].ways[&link]);
        let at = self.below(message + blocks);
        let way = self.owners[owner].ways.get_mut(&link).expect("a busy way");
        match at < blocks {
            true => Thing::Block(way.blocks.swap_remove(at)),
            false => Thing::Message(way.messages.pop_front().expect("counted")),
        }
    }

    fn arrive(&mut self, owner: usize, link: Link, thing: Thing) {
        let (to, there) = self.owners[owner].ways[&link].to;
        match thing {
            Thing::Message(bytes) => {
                self.owners[to].events.push_back(Event::Message { link: there, bytes })
            }
            Thing::Block(write) => {
                let Write { length, ring, slot, imm, token, .. } = write;
                let source = self.owners[owner].rings.find(write.from.0);
                let Some(source) = source else { return self.cut(owner, link, "no such ring") };
                let mut bytes = source.get(write.from.1, length).to_vec();
                let odds = self.faults.corrupt;
                if self.happens(odds) {
                    let at = self.below(length);
                    bytes[at] ^= 1 << self.below(8);
                }
                let slots = self.owners[to].allowed.get(&(there, ring)).copied().unwrap_or(0);
                let Some(memory) = self.owners[to].rings.find_mut(ring).filter(|_| slots > 0)
                else {
                    if slots == 0 {
                        self.cut(owner, link, "it may not write there")
                    }
                    return;
                };
                if slot as usize >= slots || length > memory.slot_bytes() {
                    return self.cut(owner, link, "it may not write there");
                }
                memory.get_mut(slot as usize, length).copy_from_slice(&bytes);
                if let Some(way) = self.owners[owner].ways.get_mut(&link) {
                    way.retries = 0
                }
                let arrived = Event::Arrived { link: there, ring, slot, length, imm };
                self.owners[to].events.push_back(arrived);
                self.owners[owner].events.push_back(Event::Sent { link, token });
            }
        }
    }

    /// Ends both directions, with an event at both ends.
    fn cut(&mut self, owner: usize, link: Link, why: &str) {
        let Some(way) = self.owners[owner].ways.remove(&link) else { return };
        let (to, there) = way.to;
        let is_there = self.owners[to].ways.remove(&there).is_some();
        for (end, link) in [Some((owner, link)), is_there.then_some((to, there))].iter().flatten() {
            let down = Event::Down { link: *link, why: why.into() };
            self.owners[*end].events.push_back(down);
        }
    }

    /// A queue pair fails: its end has an event, but none of the requests that it had posted. The
    /// other end notices after its timeout.
    fn fail(&mut self, owner: usize, link: Link, why: &str) {
        self.silence(owner, link);
        self.owners[owner].ways.remove(&link);
        let is_sent = |e: &Event| matches!(e, Event::Sent { link: of, .. } if *of == link);
        self.owners[owner].events.retain(|event| !is_sent(event));
        self.owners[owner].events.push_back(Event::Down { link, why: why.into() })
    }

    fn silence(&mut self, owner: usize, link: Link) {
        let until = Some(self.now + SILENCE);
        let (to, there) = self.owners[owner].ways[&link].to;
        for (end, link) in [(owner, link), (to, there)] {
            if let Some(way) = self.owners[end].ways.get_mut(&link) {
                way.silent_until = until;
            }
        }
    }

    /// Advances the time and ends due silent links.
    fn pass(&mut self, time: Duration) {
        self.now += time;
        let now = self.now;
        let is_due = |way: &Way| way.silent_until.is_some_and(|until| until <= now);
        let all = self.owners.iter().enumerate();
        let due: Vec<(usize, Link)> = all
            .flat_map(|(o, owner)| owner.ways.iter().map(move |(l, way)| (o, *l, way)))
            .filter(|(_, _, way)| is_due(way))
            .map(|(o, l, _)| (o, l))
            .collect();
        due.into_iter().for_each(|(owner, link)| self.cut(owner, link, "no answer"));
    }
}

impl Endpoint {
    /// For [`Net::kill`].
    pub fn number(&self) -> usize {
        self.me
    }

    fn own<R>(&self, work: impl FnOnce(&mut Owner) -> R) -> R {
        work(&mut self.net.0.borrow_mut().owners[self.me])
    }

    fn next(&self) -> Option<Event> {
        self.own(|owner| {
            owner.events.extend(owner.woken.try_iter().map(Event::Woken));
            owner.events.pop_front()
        })
    }
}

impl Transport for Endpoint {
    fn is_node(&self, _link: Link, _node: usize) -> bool {
        true
    }

    fn connect(&mut self, address: &str, _node: usize) -> Link {
        let inner = &mut *self.net.0.borrow_mut();
        let link = inner.owners[self.me].next;
        inner.owners[self.me].next += 1;
        let found = inner.owners.iter().rposition(|o| o.address == address && o.is_alive);
        let Some(to) = found else {
            let why = "no process listens there".into();
            inner.owners[self.me].events.push_back(Event::Down { link, why });
            return link;
        };
        let there = inner.owners[to].next;
        inner.owners[to].next += 1;
        let way = |to| Way {
            to,
            messages: VecDeque::new(),
            blocks: Vec::new(),
            silent_until: None,
            retries: 0,
        };
        inner.owners[self.me].ways.insert(link, way((to, there)));
        inner.owners[to].ways.insert(there, way((self.me, link)));
        inner.owners[self.me].events.push_back(Event::Up(link));
        inner.owners[to].events.push_back(Event::Opened(there));
        link
    }

    fn close(&mut self, link: Link) {
        let inner = &mut *self.net.0.borrow_mut();
        inner.cut(self.me, link, "closed the connection");
        inner.owners[self.me].events.retain(|event| !event.is_of(link));
    }

    fn register(&mut self, slots: usize, slot_bytes: usize) -> io::Result<Ring> {
        Ok(self.own(|owner| owner.rings.register(slots, slot_bytes)))
    }

    fn release(&mut self, ring: Ring) {
        self.own(|owner| {
            owner.ways.values_mut().for_each(|way| way.blocks.retain(|w| w.from.0 != ring));
            owner.rings.release(ring);
        })
    }

    fn allow(&mut self, link: Link, ring: Ring, slots: usize) {
        self.own(|owner| owner.allowed.insert((link, ring), slots));
    }

    fn memory(&mut self, ring: Ring) -> impl DerefMut<Target = Memory> + '_ {
        RefMut::map(self.net.0.borrow_mut(), |inner| {
            let memory = inner.owners[self.me].rings.find_mut(ring);
            memory.unwrap_or_else(|| panic!("ring {ring} is not registered"))
        })
    }

    fn registered(&self) -> usize {
        self.own(|owner| owner.rings.bytes())
    }

    fn write_imm(&mut self, link: Link, write: Write) {
        self.own(|owner| owner.ways.get_mut(&link).map(|way| way.blocks.push(write)));
    }

    fn send(&mut self, link: Link, message: Vec<u8>) {
        self.own(|owner| owner.ways.get_mut(&link).map(|way| way.messages.push_back(message)));
    }

    fn poll(&mut self, wait: Duration) -> Option<Event> {
        loop {
            if let Some(event) = self.next() {
                return Some(event);
            }
            let drive = self.drive.as_mut()?;
            if !drive() {
                break;
            }
        }
        self.net.0.borrow_mut().pass(wait);
        self.next()
    }

    fn waker(&self) -> Waker {
        self.own(|owner| owner.waker.clone())
    }

    fn now(&self) -> Duration {
        self.net.0.borrow().now
    }
}
