//! A client with its NIC and, where switches have a NIC for each node, its port.
//!
//! ```text
//!  alone (closed loops, no loss): nothing of its own is ever in its way, so an answer's event
//!  computes when it is there, and sends the next request:   Answer ─► Ask        2 events
//!  else each end of a way is an event:                      Answer ─► Heard ─► Ask
//! ```
use super::message::{Done, Event, Lost, Pass, Record, Reply};
use super::network::Line;
use super::settings::{Settings, Switching};
use super::workload;
use engine::*;
use ppmds_protocol::{Client as Protocol, Heard, Op, Sending, SmallMap};

/// A step of an operation under way.
#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct Flight {
    op: Op,
    asked: Op,
    server: u32,
    wanted: Nanos,
    start: Nanos,
    nic_queue: u64,
    port_queue: u64,
    timer: Option<Timer>,
}

/// Queues of a client that may be in its own way.
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
    /// Operations begun, names created, messages sent.
    begun: u64,
    created: u32,
    sent: u64,
    protocol: Protocol,
    flights: SmallMap<Flight>,
    way: Box<Way>,
}

impl Model for Client {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Begin => self.arrival(cx),
            Event::Answer(reply) => self.answer(*reply, cx),
            Event::Heard(reply) => self.heard(*reply, cx.now(), cx),
            Event::Late(number) => self.late(*number, cx),
            _ => unreachable!("{event:?} to a client"),
        }
    }
    fn finish(&self, cx: &impl Recorder<Record>) {
        cx.record(Record::Client { client: self.me, sent: self.sent })
    }
}

impl Client {
    pub fn new(settings: Shared<Settings>, me: u32) -> Client {
        Client {
            settings,
            me,
            begun: 0,
            created: 0,
            sent: 0,
            protocol: Protocol::new(me),
            flights: SmallMap::default(),
            way: Box::default(),
        }
    }

    /// Open: an operation comes, whatever became of those before it.
    fn arrival(&mut self, cx: &impl Context<Event, Record>) {
        if let Some((gap, until)) = self.settings.open {
            let mut draw = cx.draw("arrival", u64::from(self.me), self.begun + 1);
            let gap = draw.exponential(gap);
            if cx.now() + gap < until {
                cx.after(gap, Event::Begin)
            }
        } else if self.begun == self.settings.operations {
            return;
        }
        self.begin(cx.now(), cx)
    }

    fn begin(&mut self, at: Nanos, cx: &impl Context<Event, Record>) {
        let wanted = workload::next(&self.settings, cx, self.me, self.begun, self.created);
        self.begun += 1;
        self.created += u32::from(wanted.op == Op::Create);
        let (op, directory, name) = (wanted.op, wanted.directory, wanted.name);
        let sending = self.protocol.begin(op, directory, name, &self.settings.placed);
        self.step(sending, op, at, at, cx)
    }

    /// A step of an operation that was wanted at `wanted` begins at `start`, which may be a moment
    /// ahead where the client is alone.
    fn step(
        &mut self,
        sending: Sending,
        op: Op,
        wanted: Nanos,
        start: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let Sending { server, ask } = sending;
        let (asked, nic_queue, port_queue, timer) = (ask.op, 0, 0, None);
        let flight = Flight { op, asked, server, wanted, start, nic_queue, port_queue, timer };
        self.send(sending, flight, cx)
    }

    fn send(&mut self, sending: Sending, mut flight: Flight, cx: &impl Context<Event, Record>) {
        let Sending { server, ask } = sending;
        let times = self.settings.times;
        self.sent += 1;
        let lost = self.settings.loss > 0.0
            && cx.draw("request-lost", u64::from(self.me), self.sent).chance(self.settings.loss);
        if self.settings.loss > 0.0 {
            flight.timer = Some(cx.timer(self.settings.timeout, Event::Late(ask.number)))
        }
        if self.settings.alone() {
            let there = flight.start + times.startup + times.client + times.startup;
            self.flights.put(ask.number, flight);
            return deliver(cx, self.settings.server_lps.at(server), there, Event::Ask(ask));
        }
        let out = self.way.out.pass(cx.now(), times.startup + times.client);
        flight.nic_queue = out.queued().0;
        let head = out.start + times.startup;
        if self.settings.switching == Switching::Port {
            let up = self.way.up.pass(head + times.client, times.startup + times.switch);
            flight.port_queue = up.queued().0;
            if !lost {
                let there = up.start + times.startup;
                deliver(cx, self.settings.server_lps.at(server), there, Event::Ask(ask))
            }
        } else if !lost {
            let pass = Event::Pass(Box::new(Pass::Up { ask, server }));
            deliver(cx, self.settings.switch_lps.at(0), head, pass)
        }
        self.flights.put(ask.number, flight)
    }

    /// The head of an answer is at this client's side.
    fn answer(&mut self, reply: Reply, cx: &impl Context<Event, Record>) {
        let times = self.settings.times;
        if self.settings.alone() {
            let there = cx.now() + times.switch + times.startup + times.client;
            return self.heard(reply, there, cx);
        }
        let mut there = cx.now() + times.client;
        if self.settings.switching == Switching::Port {
            let taken = self.way.down_in.pass(cx.now(), times.switch);
            let down = self.way.down.pass(taken.end, times.startup + times.client);
            there = down.start + times.startup + times.client;
            let waited = taken.queued() + down.queued();
            if let Some(mut flight) = self.flights.get(reply.response.number) {
                flight.port_queue += waited.0;
                self.flights.put(reply.response.number, flight)
            }
        }
        cx.after(there - cx.now(), Event::Heard(reply))
    }

    /// An answer is there at `at`.
    fn heard(&mut self, reply: Reply, at: Nanos, cx: &impl Context<Event, Record>) {
        let number = reply.response.number;
        let heard = self.protocol.heard(reply.response, &self.settings.placed);
        if heard == Heard::Stray {
            return;
        }
        let flight = self.flights.get(number).expect("the protocol waits for it");
        if let Some(timer) = flight.timer {
            cx.cancel(timer);
        }
        let last = match heard {
            Heard::Done { outcome, .. } => Some(outcome),
            _ => None,
        };
        cx.record(Record::Done(Done {
            client: self.me,
            server: reply.other,
            number,
            op: flight.op,
            asked: flight.asked,
            last,
            wanted: flight.wanted,
            start: flight.start,
            end: at,
            nic_queue: flight.nic_queue,
            down_queue: flight.port_queue,
            store_queue: reply.store_queue,
            store: reply.store,
            out_queue: reply.out_queue,
            up_queue: reply.up_queue,
        }));
        if let Heard::Next(sending) = heard {
            return self.step(sending, flight.op, flight.wanted, at, cx);
        }
        self.flights.drop(number);
        if self.settings.open.is_none() && self.begun < self.settings.operations {
            self.begin(at, cx)
        }
    }

    /// No answer has come in time: ask again.
    fn late(&mut self, number: u32, cx: &impl Context<Event, Record>) {
        let Some(sending) = self.protocol.again(number) else { return };
        let flight = self.flights.get(number).expect("the protocol waits for it");
        cx.record(Record::Lost(Lost { op: flight.op, start: flight.start, end: cx.now() }));
        self.step(sending, flight.op, flight.wanted, cx.now(), cx)
    }
}

/// Sends so that it is there at `there`.
pub fn deliver(cx: &impl Context<Event, Record>, to: Lp<Event>, there: Nanos, event: Event) {
    let link = cx.link(to);
    let delay = there - cx.now();
    cx.send(to, Delay::link(link).plus(delay - link.bound()), event)
}
