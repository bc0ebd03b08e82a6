//! A client with its NIC and, with `network.switch = "port"`, its port.
//!
//! ```text
//!  alone (closed loop, no loss): its messages never queue behind each other, so the event of an
//!  answer's head also computes its arrival and sends the next request:   Head ─► Head   2 events
//!  else each end of a way is an event:                          Head ─► Delivered ─► Head
//! ```
use super::message::{Done, Envelope, Event, Lost, Record, Seen, StepWaits, TransactionCost};
use super::network::{Line, deliver, leave, send_head};
use super::prefetch::{soon, soon_few};
use super::settings::{Settings, Switching};
use super::workload::{Next, State};
use engine::*;
use ppmds_protocol::message::{Answer, Message as ProtocolMessage, Peer};
use ppmds_protocol::{
    Client as Protocol, Completed, Ino, MessageEffect, Net, Operation, OperationKind, Outcome,
    Rules, SmallMap, Timer as Wake,
};

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct Flight {
    op: OperationKind,
    directory: Ino,
    wanted: Nanos,
    /// Time up to here is attributed to a resource already.
    upto: Nanos,
    timer: Option<Timer>,
    late: u32,
    /// Used by a transaction that the client coordinates.
    spent: TransactionCost,
}

/// The client's queues, where its own messages can wait for each other.
#[derive(Rewind, Default)]
struct Way {
    out: Line,
    up: Line,
    down_in: Line,
    down: Line,
}

#[derive(Rewind)]
pub struct Client {
    settings: Shared<Settings>,
    me: u32,
    state: State,
    protocol: Protocol,
    flights: SmallMap<Flight>,
    way: Box<Way>,
    sent: u64,
    gone: bool,
}

impl Model for Client {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if self.gone {
            return;
        }
        match event {
            Event::Begin => self.arrival(cx),
            Event::Head(envelope) => self.head(envelope, cx),
            Event::Leaves(envelope) => leave(cx, &self.settings, envelope),
            Event::Delivered(envelope) => self.receive(envelope, cx.now(), cx),
            Event::Late(number) => self.late(*number, cx),
            Event::Wake(_, wake) => self.wake(*wake, cx),
            Event::Arrived(items) => self.arrived(*items, cx),
            Event::Go(phase, items) => {
                self.state.start_phase(&self.settings.workload, (*phase, *items), cx.now());
                self.follow(cx.now(), cx)
            }
            Event::Crash => self.gone = true,
            _ => unreachable!("{event:?} to a client"),
        }
    }
    /// Between two events of one client its memory has left the cache.
    fn foresee(&self, event: &Event, step: u32) {
        let (first, then) = self.protocol.near();
        match step {
            0 => {
                soon(self);
                if let Event::Head(envelope) | Event::Delivered(envelope) = event {
                    soon(&**envelope)
                }
            }
            1 => {
                soon_few(first);
                if let Event::Head(envelope) | Event::Delivered(envelope) = event {
                    foresee_answer(&envelope.message)
                }
            }
            _ => soon_few(then),
        }
    }
    fn finish(&self, cx: &impl Recorder<Record>) {
        cx.record(Record::Client { client: self.me, sent: self.sent });
        if self.settings.history {
            for (number, operation) in self.protocol.asked() {
                let invoked = self.flights.get(number).map_or(Nanos::ZERO, |f| f.wanted);
                cx.record(self.seen(number, operation.clone(), invoked, None, None))
            }
        }
    }
}

/// The environment of one event: messages pass the client's NIC.
struct Out<'a, C> {
    settings: &'a Settings,
    me: u32,
    way: &'a mut Way,
    sent: &'a mut u64,
    /// The client's time. If the client is alone it may be ahead of the event's.
    at: Nanos,
    cx: &'a C,
    /// Timeouts of the event's operation so far.
    late: u32,
    timer: Option<Timer>,
    spent: TransactionCost,
}

impl<C: Context<Event, Record>> Net for Out<'_, C> {
    fn send(&mut self, to: Peer, message: ProtocolMessage) {
        assert!(matches!(to, Peer::Server(_)), "clients do not talk to one another");
        let Settings { times, loss, .. } = *self.settings;
        *self.sent += 1;
        let lost =
            loss > 0.0 && self.cx.draw("request-lost", u64::from(self.me), *self.sent).chance(loss);
        match &message {
            ProtocolMessage::Ask(ask) if self.settings.resend_base_ns.is_some() => {
                let timeout =
                    self.settings.options.resend_interval(self.late).map_or(Nanos::MAX, Nanos);
                let wait = self.at - self.cx.now() + timeout;
                self.timer = Some(self.cx.timer(wait, Event::Late(ask.number)))
            }
            ProtocolMessage::Ask(_) => {}
            _ => self.spent.messages += 1,
        }
        let waits = StepWaits { start: self.at, ..StepWaits::default() };
        let bulk = self.settings.bulk(&message);
        let from = Peer::Client(self.me);
        let mut envelope = Box::new(Envelope { from, to, message, waits, bulk });
        if self.settings.alone() {
            let there = self.at + times.startup + times.client + times.startup;
            return send_head(self.cx, self.settings, there, envelope);
        }
        let out = self.way.out.pass(self.at, times.startup + times.client + Nanos(bulk));
        envelope.waits.nic_queue = out.queued().0;
        let head = out.start + times.startup;
        if self.settings.switching == Switching::Port {
            let up = self.way.up.pass(head + times.client, times.startup + times.switch);
            envelope.waits.port_queue = up.queued().0;
            if !lost {
                send_head(self.cx, self.settings, up.start + times.startup, envelope)
            }
        } else if !lost {
            deliver(self.cx, self.settings.switch_lps.at(0), head, Event::Head(envelope))
        }
    }
    fn later(&mut self, after: u64, wake: Wake) {
        self.spent.count_wait(wake, after);
        let wait = self.at - self.cx.now() + Nanos(after);
        self.cx.after(wait, Event::Wake(0, wake))
    }
    fn now(&self) -> u64 {
        self.at.0
    }
}

impl Client {
    pub fn new(settings: Shared<Settings>, me: u32) -> Client {
        Client {
            me,
            state: State::new(&settings.workload),
            settings,
            protocol: Protocol::new(me),
            flights: SmallMap::default(),
            way: Box::default(),
            sent: 0,
            gone: false,
        }
    }

    /// Runs the protocol, and adds the cost to the operation's flight.
    fn with<R, C: Context<Event, Record>>(
        &mut self,
        number: u32,
        at: Nanos,
        cx: &C,
        work: impl FnOnce(
            &mut Protocol,
            &Rules<'_, crate::policy::metadata::Placed>,
            &mut Out<'_, C>,
        ) -> R,
    ) -> R {
        let Client { settings, me, protocol, flights, way, sent, .. } = self;
        let late = flights.get(number).map_or(0, |flight| flight.late);
        let rules = Rules { options: &settings.options, placement: &settings.placed };
        let (me, timer, spent) = (*me, None, TransactionCost::default());
        let mut out = Out { settings, me, way, sent, at, cx, late, timer, spent };
        let result = work(protocol, &rules, &mut out);
        let Out { timer, spent, .. } = out;
        if timer.is_some() || spent != TransactionCost::default() {
            self.flights.update(number, |flight| {
                flight.timer = timer.or(flight.timer);
                flight.spent.add(spent)
            });
        }
        result
    }

    /// Open loop: starts an operation, independent of earlier ones.
    fn arrival(&mut self, cx: &impl Context<Event, Record>) {
        if let Some((gap, until)) = self.settings.workload.open {
            let mut draw = cx.draw("arrival", u64::from(self.me), self.state.issued() + 1);
            let gap = draw.exponential(gap);
            if cx.now() + gap < until {
                cx.after(gap, Event::Begin)
            }
        }
        self.follow(cx.now(), cx)
    }

    /// Starts the next operation: now, after a wait, or after the barrier.
    fn follow(&mut self, at: Nanos, cx: &impl Context<Event, Record>) {
        match self.state.next(&self.settings.workload, cx, self.me, at) {
            Next::Operation(operation, wanted) => self.begin(operation, (wanted, at), cx),
            Next::Later(until) => cx.after(until - cx.now(), Event::Begin),
            Next::Barrier(phase) => {
                if let Some(phase) = phase {
                    cx.record(phase)
                }
                self.meet(0, at, Event::Arrived(self.state.items()), cx)
            }
            Next::Nothing => {}
        }
    }

    /// Client 0 counts the clients at the end of a phase.
    fn arrived(&mut self, items: u32, cx: &impl Context<Event, Record>) {
        if let Some((phase, items)) = self.state.arrived(&self.settings.workload, items) {
            (0..self.settings.clients)
                .for_each(|client| self.meet(client, cx.now(), Event::Go(phase, items), cx))
        }
    }

    /// Sends a message of a barrier, which takes half the barrier's time.
    fn meet(&self, client: u32, at: Nanos, event: Event, cx: &impl Context<Event, Record>) {
        let there = at + self.settings.barrier;
        if client == self.me {
            return cx.after(there - cx.now(), event);
        }
        deliver(cx, self.settings.client_lps.at(client), there, event)
    }

    fn begin(
        &mut self,
        operation: Operation,
        (wanted, at): (Nanos, Nanos),
        cx: &impl Context<Event, Record>,
    ) {
        let number = self.protocol.next();
        let (op, directory) = (operation.kind(), operation.directory());
        let (upto, timer, late, spent) = (at, None, 0, TransactionCost::default());
        let flight = Flight { op, directory, wanted, upto, timer, late, spent };
        self.flights.put(number, flight);
        self.with(number, at, cx, |protocol, rules, out| protocol.begin(operation, rules, out));
    }

    /// The head of a message has reached the client's port or NIC.
    fn head(&mut self, envelope: &Envelope, cx: &impl Context<Event, Record>) {
        let times = self.settings.times;
        if self.settings.alone() {
            let there = cx.now() + times.switch + times.startup + times.client;
            return self.receive(envelope, there + Nanos(envelope.bulk), cx);
        }
        let mut there = cx.now() + times.client + Nanos(envelope.bulk);
        let mut envelope = Box::new(envelope.clone());
        if self.settings.switching == Switching::Port {
            let taken = self.way.down_in.pass(cx.now(), times.switch);
            let took = times.startup + times.client + Nanos(envelope.bulk);
            let down = self.way.down.pass(taken.end, took);
            there = down.start + took;
            envelope.waits.port_queue += (taken.queued() + down.queued()).0
        }
        cx.after(there - cx.now(), Event::Delivered(envelope))
    }

    /// A whole message is received at `at`.
    fn receive(&mut self, envelope: &Envelope, at: Nanos, cx: &impl Context<Event, Record>) {
        let Some(number) = about(&envelope.message) else { return };
        let Some(flight) = self.flights.get(number).copied() else { return };
        let server = match envelope.from {
            Peer::Server(server) => server,
            Peer::Client(_) => unreachable!("clients do not talk to one another"),
        };
        let asked = match &envelope.message {
            ProtocolMessage::Answer(answer) => match answer.outcome {
                Outcome::List(_) => OperationKind::Servers,
                _ => flight.op,
            },
            _ => flight.op,
        };
        if !matches!(envelope.message, ProtocolMessage::Answer(_)) {
            self.flights.update(number, |flight| flight.spent.messages += 1);
        }
        let operation = self.settings.history.then(|| self.protocol.operation(number).cloned());
        let message = envelope.message.clone();
        let effect = self.with(number, at, cx, |protocol, rules, out| {
            protocol.handle_message(message, rules, out)
        });
        let step = |flight: Flight, last| {
            let Flight { op, directory, wanted, upto: start, .. } = flight;
            let (client, end) = (self.me, at);
            let mut waits = envelope.waits;
            match &envelope.message {
                ProtocolMessage::Answer(_) => {}
                // A message of the client's own transaction: the whole step counts as rounds and
                // waits.
                _ => {
                    let (rounds, others) = flight.spent.split(end - start);
                    waits = StepWaits { start, rounds, others, ..StepWaits::default() }
                }
            }
            Done { client, server, number, directory, op, asked, last, wanted, start, end, waits }
        };
        match effect {
            MessageEffect::Stray => {}
            MessageEffect::Going => {
                if matches!(envelope.message, ProtocolMessage::Answer(_)) {
                    self.cancel(&flight, cx);
                    cx.record(Record::Done(step(flight, None)));
                    self.flights.update(number, |flight| (flight.upto, flight.late) = (at, 0));
                }
            }
            MessageEffect::Completed(done) => {
                self.cancel(&flight, cx);
                let flight = self.flights.get(number).copied().unwrap_or(flight);
                let failed = matches!(done.outcome, Outcome::Failed(_));
                cx.record(Record::Done(step(flight, Some(failed))));
                self.flights.drop(number);
                self.complete(flight, done, operation.flatten(), at, cx)
            }
        }
    }

    /// A timer that has fired or was replaced needs no cancelling.
    fn cancel(&self, flight: &Flight, cx: &impl Context<Event, Record>) {
        if let Some(timer) = flight.timer {
            cx.cancel(timer);
        }
    }

    fn complete(
        &mut self,
        flight: Flight,
        done: Completed,
        operation: Option<Operation>,
        at: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let Flight { op, spent, wanted, .. } = flight;
        spent.cost(op).into_iter().for_each(|cost| cx.record(cost));
        let record = self.state.on_outcome(&self.settings.workload, self.me, op, &done.outcome);
        record.into_iter().for_each(|record| cx.record(record));
        if let Some(operation) = operation {
            let (number, answer) = (done.number, Some((done.outcome, done.saw)));
            cx.record(self.seen(number, operation, wanted, Some(at), answer))
        }
        if self.settings.workload.open.is_some() {
            return;
        }
        match self.settings.workload.think {
            Nanos::ZERO => self.follow(at, cx),
            mean => {
                let mut draw = cx.draw("think", u64::from(self.me), self.state.issued());
                cx.after(at - cx.now() + draw.exponential(mean), Event::Begin)
            }
        }
    }

    fn seen(
        &self,
        number: u32,
        operation: Operation,
        invoked: Nanos,
        completed: Option<Nanos>,
        answer: Option<(Outcome, Vec<ppmds_protocol::RowEvidence>)>,
    ) -> Record {
        let (outcome, saw) = answer.map_or((None, Vec::new()), |(o, saw)| (Some(o), saw));
        let client = self.me;
        Record::Seen(Box::new(Seen { client, number, operation, invoked, completed, outcome, saw }))
    }

    fn late(&mut self, number: u32, cx: &impl Context<Event, Record>) {
        let Some(flight) = self.flights.get(number).copied() else { return };
        if self.protocol.runs(number) {
            return;
        }
        cx.record(Record::Lost(Lost { op: flight.op, start: flight.upto, end: cx.now() }));
        self.flights.update(number, |flight| {
            flight.upto = cx.now();
            flight.late += 1
        });
        self.with(number, cx.now(), cx, |protocol, _, out| protocol.resend(number, out));
    }

    fn wake(&mut self, wake: Wake, cx: &impl Context<Event, Record>) {
        let number = match wake {
            Wake::Resend(_, number, _)
            | Wake::Retry(_, number, ..)
            | Wake::NextAttempt(_, number, _)
            | Wake::Settle(_, number)
            | Wake::Held(.., number)
            | Wake::Parked(_, number) => number,
        };
        self.with(number, cx.now(), cx, |protocol, rules, out| protocol.wake(wake, rules, out))
    }
}

fn foresee_answer(message: &ProtocolMessage) {
    match message {
        ProtocolMessage::Answer(Answer { outcome: Outcome::Inode(inode), .. }) => soon(&**inode),
        ProtocolMessage::Answer(Answer { outcome: Outcome::Page(page), .. }) => soon(&**page),
        _ => {}
    }
}

/// The number of the operation that a message belongs to.
fn about(message: &ProtocolMessage) -> Option<u32> {
    Some(match message {
        ProtocolMessage::Answer(answer) => answer.number,
        ProtocolMessage::Opened(opened) => opened.id.number,
        ProtocolMessage::OutcomeReply(reply) => reply.query.requester.number,
        ProtocolMessage::Decided(id, ..) => id.number,
        _ => return None,
    })
}
