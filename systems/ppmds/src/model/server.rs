//! A server with its NIC, its store and, with `network.switch = "port"`, its port.
//!
//! The queues before the store are FIFO, so one event computes a request's whole way. The store can
//! reorder, so each result is an event. Reads without store time need none ([`Settings::in_line`]).
//! If only the start has reads, answers need none either ([`Settings::uniform`]).
mod crash;
mod envelopes;
mod foresee;
mod store;
mod under_way;
use super::message::{Envelope, Event, Record, StepWaits};
use super::network::{Line, deliver, leave, send_head};
use super::settings::{Settings, Switching};
use crate::policy::metadata::Placed;
use engine::*;
use envelopes::Envelopes;
use ppmds_protocol::message::{Message as ProtocolMessage, Peer};
use ppmds_protocol::record::Record as Logged;
use ppmds_protocol::{Net, OperationKind, Outcome, Rules, Server as Protocol, Timer as Wake};
use under_way::UnderWay;

#[derive(Rewind, Default)]
struct Way {
    /// The port's input, shared by all clients.
    taken: Line,
    down: Line,
    out: Line,
    up: Line,
}

#[derive(Rewind)]
pub struct Server {
    settings: Shared<Settings>,
    me: u32,
    /// Entries at the start of the service.
    first: u64,
    /// A single entry. A table, so that a rollback can restore what a crash replaces.
    protocol: Table<u32, Protocol>,
    way: Way,
    /// When the last message arrived.
    came: Nanos,
    store: store::Stores,
    under_way: UnderWay,
    sent: u64,
    /// Messages since the last crash, and starts so far.
    received: u64,
    start: u32,
    down: bool,
    crashes: u32,
    /// Transactions committed and entries moved before the last start.
    counted: (u64, u64),
    log: Queue<Vec<Logged>>,
}

/// The environment of one message: what it sends waits for the store.
#[derive(Default)]
struct Out {
    me: u32,
    now: u64,
    keeps_log: bool,
    envelopes: Envelopes,
    timers: Vec<(u64, Wake)>,
    records: Vec<Logged>,
    changes: bool,
}

impl Net for Out {
    fn send(&mut self, to: Peer, message: ProtocolMessage) {
        let (from, waits) = (Peer::Server(self.me), StepWaits::default());
        self.envelopes.push(Envelope { from, to, message, waits, bulk: 0 })
    }
    fn later(&mut self, after: u64, wake: Wake) {
        self.timers.push((after, wake))
    }
    fn now(&self) -> u64 {
        self.now
    }
    fn changes(&mut self) {
        self.changes = true
    }
    fn logs(&self) -> bool {
        self.keeps_log
    }
    fn log(&mut self, record: &Logged) {
        self.records.push(record.clone())
    }
}

/// A client's request: client and number, kind, waits so far.
type Request = ((u32, u32), OperationKind, StepWaits);

impl Model for Server {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Restart => self.restart(cx),
            Event::Crash => self.crash(cx),
            Event::Leaves(envelope) => leave(cx, &self.settings, envelope),
            _ if self.down => {}
            Event::Head(envelope) => self.head(envelope, cx),
            Event::Ready(job) if job.start == self.start => self.leave(job, cx.now(), cx),
            // The pending messages may have left with an earlier read.
            Event::Pending => self.release(cx.now(), cx),
            Event::Write(job) if job.start == self.start => self.write(job, cx),
            Event::Flushed(start) if *start == self.start => self.flushed(cx),
            Event::Wake(start, wake) if *start == self.start => self.wake(*wake, cx),
            Event::Ready(_) | Event::Write(_) | Event::Flushed(_) | Event::Wake(..) => {}
            _ => unreachable!("{event:?} to a server"),
        }
    }
    fn foresee(&self, event: &Event, step: u32) {
        self.look_ahead(event, step)
    }
    fn finish(&self, cx: &impl Recorder<Record>) {
        if self.settings.history {
            for (client, number, answer) in self.protocol().store.all_answered() {
                let (outcome, saw) = (answer.outcome.clone(), answer.saw.clone());
                cx.record(Record::Answered { client, number, outcome, saw })
            }
        }
        cx.record(Record::Server {
            server: self.me,
            rows: self.rows(),
            store_busy: self.store.busy(),
            sent: self.sent,
            transactions: self.counted.0 + self.protocol().counted().transactions,
            moved: self.counted.1 + self.protocol().counted().moved,
            crashes: self.crashes,
        })
    }
}

impl Server {
    pub fn new(settings: Shared<Settings>, me: u32) -> Server {
        let store = settings.first_store(me);
        let first = store.entries_len() as u64;
        let protocol = [(0, Protocol::new(store))].into_iter().collect();
        let store = store::Stores::new(&settings, me);
        Server {
            settings,
            me,
            first,
            protocol,
            way: Way::default(),
            came: Nanos::ZERO,
            store,
            under_way: UnderWay::default(),
            sent: 0,
            received: 0,
            start: 0,
            down: false,
            crashes: 0,
            counted: (0, 0),
            log: Queue::new(),
        }
    }

    fn protocol(&self) -> &Protocol {
        self.protocol.get(&0).expect("there is one")
    }

    fn rows(&self) -> u64 {
        (self.protocol().store.entries_len() as u64).saturating_sub(self.first)
    }

    /// When a message is received whose head arrives now. The NIC itself never queues: its one
    /// sender has the same rate.
    fn come(&mut self, now: Nanos, bulk: Nanos) -> Nanos {
        let times = self.settings.times;
        if self.settings.switching != Switching::Port {
            return now + times.server + bulk;
        }
        let taken = self.way.taken.pass(now, times.switch);
        let took = times.at_server() + bulk;
        self.way.down.pass(taken.end, took).start + took
    }

    fn head(&mut self, envelope: &Envelope, cx: &impl Context<Event, Record>) {
        let came = self.come(cx.now(), Nanos(envelope.bulk));
        self.came = self.came.max(came);
        self.received += 1;
        let asked = match &envelope.message {
            ProtocolMessage::Ask(ask) => {
                Some(((ask.client, ask.number), ask.operation.kind(), envelope.waits))
            }
            _ => None,
        };
        self.under_way.note(&envelope.message);
        let message = &envelope.message;
        self.work(asked, cx, |protocol, rules, out| protocol.handle_message(message, rules, out))
    }

    fn wake(&mut self, wake: Wake, cx: &impl Context<Event, Record>) {
        self.came = self.came.max(cx.now());
        self.work(None, cx, |protocol, rules, out| protocol.wake(wake, rules, out))
    }

    /// Runs the protocol; messages leave through the store.
    fn work(
        &mut self,
        asked: Option<Request>,
        cx: &impl Context<Event, Record>,
        work: impl FnOnce(&mut Protocol, &Rules<'_, Placed>, &mut Out),
    ) {
        let settings = &self.settings;
        let keeps_log = settings.crashes();
        let mut out = Out { me: self.me, now: self.came.0, keeps_log, ..Out::default() };
        let rules = Rules { options: &settings.options, placement: &settings.placed };
        self.protocol.update(&0, |protocol| work(protocol, &rules, &mut out));
        for (after, wake) in out.timers.drain(..) {
            self.under_way.count_wait(wake, after);
            let wait = self.came - cx.now() + Nanos(after);
            cx.after(wait, Event::Wake(self.start, wake))
        }
        self.charge(asked.as_ref(), &mut out.envelopes, cx);
        self.put(asked.map(|(_, op, _)| op), out, cx)
    }

    /// Attributes the waits of requests to the messages sent.
    fn charge(
        &mut self,
        asked: Option<&Request>,
        envelopes: &mut Envelopes,
        cx: &impl Context<Event, Record>,
    ) {
        let mut answered = false;
        for Envelope { to, message, waits, bulk, .. } in envelopes.iter_mut() {
            if let ProtocolMessage::Answer(answer) = message {
                let Peer::Client(client) = *to else { unreachable!("answers are clients'") };
                let key = (client, answer.number);
                let is_under_way = || self.under_way.contains(&key);
                match asked {
                    Some((asked, _, of)) if *asked == key && !is_under_way() => {
                        (*waits, answered) = (*of, true)
                    }
                    _ => *waits = self.under_way.finish(key, self.came, cx),
                }
            }
            self.under_way.note(message);
            *bulk = self.settings.bulk(message)
        }
        if let (Some((key, op, waits)), false) = (asked, answered) {
            self.under_way.begin(*key, *op, *waits, self.came)
        }
    }

    /// Sends a message that is `ready`, which never decreases.
    fn send(
        &mut self,
        mut envelope: Box<Envelope>,
        ready: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let times = self.settings.times;
        let bulk = Nanos(envelope.bulk);
        let out = self.way.out.pass(ready, times.at_server() + bulk);
        envelope.waits.out_queue = out.queued().0;
        self.sent += 1;
        self.sends(&envelope, out.end, cx);
        let loss = self.settings.loss;
        let lost = loss > 0.0 && cx.draw("answer-lost", u64::from(self.me), self.sent).chance(loss);
        let head = out.start + times.startup;
        match (envelope.to, self.settings.switching) {
            _ if lost && self.settings.switching != Switching::Port => {}
            (_, Switching::Lp | Switching::Document | Switching::Single) => {
                deliver(cx, self.settings.switch_lps.at(1), head, Event::Head(envelope))
            }
            (Peer::Client(_), Switching::Port) => {
                let came = head + times.server + bulk;
                let up = self.way.up.pass(came, times.startup + times.switch + bulk);
                envelope.waits.up_queue = up.queued().0;
                if !lost {
                    send_head(cx, &self.settings, up.start + times.startup, envelope)
                }
            }
            (Peer::Server(_), Switching::Port) if lost => {}
            (Peer::Server(_), Switching::Port) => send_head(cx, &self.settings, head, envelope),
        }
    }
}

impl Server {
    /// Records the NIC's time that clients do not report with their plain answers.
    fn sends(&self, envelope: &Envelope, at: Nanos, cx: &impl Context<Event, Record>) {
        let plain = matches!(envelope.message, ProtocolMessage::Answer(_));
        let took = Nanos(envelope.bulk)
            + if plain { Nanos::ZERO } else { self.settings.times.at_server() };
        if took > Nanos::ZERO {
            cx.record(Record::Sent { server: self.me, at, took })
        }
    }
}

fn is_stale(message: &ProtocolMessage) -> bool {
    matches!(message, ProtocolMessage::Answer(a) if matches!(a.outcome, Outcome::Stale(_)))
}
