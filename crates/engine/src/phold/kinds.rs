//! Three kinds of LP and three kinds of event behind one enum each.
use super::{Rules, Setting, Value, prepare, work};
use crate::{Context, Delay, Lps, Message, Model, Rewind, Shared, World};

/// 64 bytes with the tag.
#[derive(Message)]
pub(super) enum Event {
    Count { words: [u64; 7] },
    Add { words: [u64; 7], sign: bool },
    Keep { words: [u64; 7], place: u32 },
}

#[derive(Rewind, Model)]
pub(super) enum Node {
    Counter(Counter),
    Adder(Adder),
    Keeper(Keeper),
}

#[derive(Rewind)]
pub(super) struct Counter {
    rules: Shared<Rules>,
    all: Lps<Event>,
    counts: [u32; 6],
}

#[derive(Rewind)]
pub(super) struct Adder {
    rules: Shared<Rules>,
    all: Lps<Event>,
    sum: u64,
    negative: u64,
}

#[derive(Rewind)]
pub(super) struct Keeper {
    rules: Shared<Rules>,
    all: Lps<Event>,
    kept: [u64; 4],
}

impl Model for Counter {
    type Event = Event;
    type Record = Value;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Value>) {
        let words = event.words();
        let count = &mut self.counts[(words[1] % 6) as usize];
        *count += 1;
        cx.record(Value(*count as u64));
        pass_on(&self.rules, self.all, words, cx)
    }
}

impl Model for Adder {
    type Event = Event;
    type Record = Value;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Value>) {
        let words = event.words();
        let total = match event {
            Event::Add { sign: true, .. } => &mut self.negative,
            _ => &mut self.sum,
        };
        *total = total.wrapping_add(words[0]);
        cx.record(Value(*total));
        pass_on(&self.rules, self.all, words, cx)
    }
}

impl Model for Keeper {
    type Event = Event;
    type Record = Value;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Value>) {
        let words = event.words();
        let place = if let Event::Keep { place, .. } = event { *place % 4 } else { 0 };
        let old = std::mem::replace(&mut self.kept[place as usize], words[2]);
        cx.record(Value(old));
        pass_on(&self.rules, self.all, words, cx)
    }
}

impl Event {
    fn words(&self) -> &[u64; 7] {
        match self {
            Event::Count { words } | Event::Add { words, .. } | Event::Keep { words, .. } => words,
        }
    }
    /// Each kind of LP gets its own kind of event.
    #[expect(clippy::cast_possible_truncation, reason = "random bits, of which 32 are enough")]
    fn for_lp(id: u32, mut words: [u64; 7], bits: u64) -> Event {
        words[0] = bits;
        match id % 3 {
            0 => Event::Count { words },
            1 => Event::Add { words, sign: bits & 1 == 1 },
            _ => Event::Keep { words, place: bits as u32 },
        }
    }
}

fn pass_on(rules: &Rules, all: Lps<Event>, words: &[u64; 7], cx: &impl Context<Event, Value>) {
    work(rules.work);
    let mut draw = cx.random();
    let to = rules.target(&mut draw, all, cx.me());
    let delay = Delay::link(cx.link(to)).plus(draw.exponential(rules.mean));
    cx.send(to, delay, Event::for_lp(to.id(), *words, draw.bits()))
}

pub(super) fn world(setting: &Setting) -> World<'static, Node> {
    let build = |id, rules, all| match id % 3 {
        0 => Node::from(Counter { rules, all, counts: [0; 6] }),
        1 => Adder { rules, all, sum: 0, negative: 0 }.into(),
        _ => Keeper { rules, all, kept: [0; 4] }.into(),
    };
    prepare(setting, build, |word| Event::Count { words: [word; 7] })
}
