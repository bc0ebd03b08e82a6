//! Runs with an observer, which receives every committed event and its part of the trace hash.
//!
//! The model is wrapped in another one that records each event before the handler's own records.
//! Schedulers withhold and order it like any record, so they need no code for it. A run without an
//! observer is of another type and pays nothing. The event adds nothing to a record's digest, so
//! both runs have the same trace hash.
use crate::{
    Context, Delay, Draw, Effort, Execution, Link, Lp, Message, Model, Outcome, Progress, Recorder,
    Says, Stamp, Timer, World,
};
use rewind::{Digest, Hasher, Reader, Rewind, Wire, WireError, schema};
use std::{cell::RefCell, fmt::Debug, marker::PhantomData, ops::ControlFlow};
use units::Nanos;

/// A committed event, or the final records of an LP (`finish`).
pub struct CommittedEvent<'a> {
    /// Time, key and LP of the event.
    pub stamp: Stamp,
    /// Its part of the trace hash: key, receiver, payload, records.
    pub hash: u128,
    /// Hash of the payload alone; 0 for final records.
    pub payload: u128,
    words: &'a dyn EventText,
}

impl CommittedEvent<'_> {
    /// Second half of the key of final records.
    pub const LAST: u64 = u64::MAX;

    /// The event as text; empty for final records.
    pub fn event(&self) -> String {
        self.words.event()
    }

    /// Its records as text.
    pub fn records(&self) -> String {
        self.words.records()
    }
}

trait EventText {
    fn event(&self) -> String;
    fn records(&self) -> String;
}

#[derive(Clone, PartialEq, Debug)]
enum Observed<E, R> {
    /// The event in progress; its records follow.
    Event(E),
    /// A record of the inner model.
    Own(R),
    /// An LP's part of the trace hash at the end; its final records precede it.
    Last(u128),
}

impl<E, R: Digest> Digest for Observed<E, R> {
    fn digest(&self, h: &mut Hasher) {
        if let Observed::Own(record) = self {
            record.digest(h)
        }
    }
}

impl<E: Wire, R: Wire> Wire for Observed<E, R> {
    const SCHEMA: u64 = schema("Seen", &[E::SCHEMA, R::SCHEMA]);
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Observed::Event(event) => (0u16.encode(out), event.encode(out)).1,
            Observed::Own(record) => (1u16.encode(out), record.encode(out)).1,
            Observed::Last(hash) => (2u16.encode(out), hash.encode(out)).1,
        }
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(match from.tag()? {
            0 => Observed::Event(E::decode(from)?),
            1 => Observed::Own(R::decode(from)?),
            2 => Observed::Last(u128::decode(from)?),
            _ => return Err(WireError::Invalid),
        })
    }
}

impl<E: Message, R: Message> Message for Observed<E, R> {
    type Out = Self;
}

struct ObservedModel<M> {
    id: u32,
    model: M,
}

impl<M: Digest> Digest for ObservedModel<M> {
    fn digest(&self, h: &mut Hasher) {
        self.model.digest(h)
    }
    fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
        self.model.parts(see)
    }
    fn weight(&self) -> u64 {
        self.model.weight()
    }
}

impl<M: Rewind> Rewind for ObservedModel<M> {
    type Mark = M::Mark;
    const PLAIN: bool = M::PLAIN;
    fn mark(&self) -> M::Mark {
        self.model.mark()
    }
    fn rewind(&mut self, to: &M::Mark) {
        self.model.rewind(to)
    }
    fn commit(&mut self, upto: &M::Mark) {
        self.model.commit(upto)
    }
    fn journal(&mut self, from: Option<u64>) {
        self.model.journal(from)
    }
    fn clock(&self) -> u64 {
        self.model.clock()
    }
}

impl<M: Model> Model for ObservedModel<M> {
    type Event = M::Event;
    type Record = Observed<M::Event, M::Record>;
    fn handle(&mut self, event: &M::Event, cx: &impl Context<M::Event, Self::Record>) {
        cx.record(Observed::Event(event.clone()));
        self.model.handle(event, &ObserverContext::new(cx, None))
    }
    fn finish(&self, cx: &impl Recorder<Self::Record>) {
        let mut h = Hasher::new(cx.now().0, CommittedEvent::LAST);
        h.word(self.id as u64);
        self.model.digest(&mut h);
        let through = ObserverContext::<_, M::Event>::new(cx, Some(h));
        self.model.finish(&through);
        let h = through.h.expect("it was put in").into_inner();
        cx.record(Observed::Last(h.finish()))
    }
}

struct ObserverContext<'a, C, E> {
    cx: &'a C,
    /// Hashes the records of `finish`; `None` in `handle`.
    h: Option<RefCell<Hasher>>,
    says: PhantomData<fn(E)>,
}

impl<'a, C, E> ObserverContext<'a, C, E> {
    fn new(cx: &'a C, h: Option<Hasher>) -> Self {
        ObserverContext { cx, h: h.map(RefCell::new), says: PhantomData }
    }
}

impl<C: Recorder<Observed<E, R>>, E, R: Digest> Recorder<R> for ObserverContext<'_, C, E> {
    fn now(&self) -> Nanos {
        self.cx.now()
    }
    fn record(&self, record: R) {
        if let Some(h) = &self.h {
            record.digest(&mut h.borrow_mut())
        }
        self.cx.record(Observed::Own(record))
    }
}

impl<C: Context<E, Observed<E, R>>, E: Message, R: Digest> Context<E, R>
    for ObserverContext<'_, C, E>
{
    fn me(&self) -> Lp<E> {
        self.cx.me()
    }
    fn link<T>(&self, to: Lp<T>) -> Link {
        self.cx.link(to)
    }
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        E: Says<T>,
    {
        self.cx.send(to, delay, message)
    }
    fn after(&self, delay: Nanos, event: E) {
        self.cx.after(delay, event)
    }
    fn timer(&self, delay: Nanos, event: E) -> Timer {
        self.cx.timer(delay, event)
    }
    fn cancel(&self, timer: Timer) -> bool {
        self.cx.cancel(timer)
    }
    fn random(&self) -> Draw {
        self.cx.random()
    }
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw {
        self.cx.draw(purpose, entity, n)
    }
    fn stop(&self, at: Nanos) {
        self.cx.stop(at)
    }
}

struct ObserverSink<E, R, W> {
    stamp: Stamp,
    event: Option<E>,
    records: Vec<R>,
    observer: W,
}

impl<E: Message, R: Message> EventText for (&Option<E>, &[R]) {
    fn event(&self) -> String {
        self.0.as_ref().map_or(String::new(), |event| format!("{event:?}"))
    }
    fn records(&self) -> String {
        let all: Vec<String> = self.1.iter().map(|record| format!("{record:?}")).collect();
        all.join(", ")
    }
}

impl<E: Message, R: Message, W: FnMut(&CommittedEvent<'_>)> ObserverSink<E, R, W> {
    /// Takes the records of the wrapped model in order; the inner model's own go to `sink`.
    fn take(&mut self, stamp: Stamp, seen: Observed<E, R>, sink: &mut impl FnMut(Stamp, R)) {
        match seen {
            Observed::Event(event) => {
                self.tell();
                (self.stamp, self.event) = (stamp, Some(event))
            }
            Observed::Own(record) => {
                let is_last = stamp.tie == CommittedEvent::LAST;
                if is_last {
                    self.tell()
                }
                self.records.push(record.clone());
                // Record 0 is the event.
                let index = stamp.index - u32::from(!is_last);
                sink(Stamp { index, ..stamp }, record)
            }
            Observed::Last(hash) => {
                self.tell();
                self.show(Stamp { index: 0, ..stamp }, hash, 0)
            }
        }
    }

    /// Shows the previous event, which now has all its records.
    fn tell(&mut self) {
        let Some(event) = &self.event else { return };
        let mut h = Hasher::new(self.stamp.at.0, self.stamp.tie);
        h.word(self.stamp.lp as u64);
        event.digest(&mut h);
        self.records.iter().for_each(|record| record.digest(&mut h));
        self.show(self.stamp, h.finish(), Hasher::of(event))
    }

    fn show(&mut self, stamp: Stamp, hash: u128, payload: u128) {
        let words = (&self.event, &self.records[..]);
        (self.observer)(&CommittedEvent { stamp, hash, payload, words: &words });
        self.event = None;
        self.records.clear()
    }
}

impl<'a, M: Model + 'a> World<'a, M>
where
    M::Event: Message<Out = M::Event>,
{
    /// As [`run_with`](Self::run_with). In addition, `observer` receives every committed event and
    /// the final records of every LP, in the order of events. A faulty scheduler may break this
    /// order. With several processes, the observer of the first receives all.
    ///
    /// The trace hash is that of a run without an observer, which is faster. Either all processes
    /// of a run have an observer, or none.
    pub fn run_observed<'p>(
        self,
        execution: impl Into<Execution<'p>>,
        mut sink: impl FnMut(Stamp, M::Record),
        observer: impl FnMut(&CommittedEvent<'_>),
        progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> (Outcome, Effort) {
        let stamp = Stamp { at: Nanos(0), tie: 0, lp: 0, index: 0 };
        let mut eye = ObserverSink { stamp, event: None, records: vec![], observer };
        let world = self.map(|id, model| ObservedModel { id, model });
        let take = |stamp, seen| eye.take(stamp, seen, &mut sink);
        let done = world.run_with(execution, take, progress);
        eye.tell();
        done
    }
}
