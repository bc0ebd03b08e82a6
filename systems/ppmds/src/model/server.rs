//! A server with its NIC, its store and, where switches have a NIC for each node, its port.
//!
//! What comes after one another here is a chain of lines in the order of coming, so one event
//! computes the whole way of a request. Behind the store the order may be another one: there an
//! event stands for each answer that is ready, unless all take the same time
//! ([`Settings::uniform`]).
use super::client::deliver;
use super::message::{Event, Half, Pass, Record, Reply};
use super::network::{Line, short};
use super::settings::{Settings, Switching};
use engine::*;
use hardware::station::{GroupCommit, Grouping, Servers, Station, Turn, Work};
use ppmds_protocol::{Answer, Ask, Op, Outcome, Response, Server as Protocol, Split};
use units::{Bytes, BytesPerSec};

/// Queues on the way in and out.
#[derive(Rewind, Default)]
struct Way {
    /// Messages of all clients meet at the port.
    taken: Line,
    down: Line,
    out: Line,
    up: Line,
}

#[derive(Rewind)]
pub struct Server {
    settings: Shared<Settings>,
    me: u32,
    protocol: Protocol,
    way: Box<Way>,
    /// The last request came to the server.
    came: Nanos,
    store: Station,
    log: GroupCommit<Reply>,
    /// The log has written for so long.
    written: Nanos,
    /// Fetches of the one directory that are still to be answered here; until then creates wait in
    /// `pending` for their time, since a fetch may overtake them in the store.
    fetches: u32,
    pending: Queue<(Nanos, Reply)>,
    replies: u64,
}

impl Model for Server {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Ask(ask) => {
                let came = self.come(cx.now());
                self.ask(*ask, came, cx)
            }
            Event::Ready(reply) => {
                self.answer(*reply, cx.now(), cx);
                self.fetched(reply.response.op, cx)
            }
            // Where all were let go before their time, nothing is left here.
            Event::Pending => self.let_go(cx.now(), cx),
            Event::Write(reply) => {
                let turn = self.log.arrive(cx.now(), Bytes(0), *reply);
                self.turn(turn, cx)
            }
            Event::Flushed => self.flushed(cx),
            Event::Half(half) => self.half(half, cx),
            _ => unreachable!("{event:?} to a server"),
        }
    }
    fn finish(&self, cx: &impl Recorder<Record>) {
        let store_busy = self.store.busy(Nanos::MAX) + self.written;
        let rows = self.protocol.len() as u64;
        cx.record(Record::Server { server: self.me, rows, store_busy })
    }
}

impl Server {
    pub fn new(settings: Shared<Settings>, me: u32) -> Server {
        let (threads, group) = settings.store.unwrap_or((1, 1));
        let is_home = settings.placed.view.home(0) == me;
        let fetches = if settings.uniform() && is_home && !settings.placed.warm {
            settings.clients
        } else {
            0
        };
        let grouping = Grouping {
            most: group,
            delay: Nanos::ZERO,
            startup: settings.write,
            each: settings.each,
            rate: BytesPerSec(1),
        };
        let protocol = Protocol::new(me, settings.loss > 0.0);
        Server {
            settings,
            me,
            protocol,
            way: Box::default(),
            came: Nanos::ZERO,
            store: Station::new(Servers::timed(threads)),
            log: GroupCommit::new(grouping),
            written: Nanos::ZERO,
            fetches,
            pending: Queue::new(),
            replies: 0,
        }
    }

    /// When a request is at the server whose head is at its side now. The server's own NIC takes
    /// in what one sender of the same rate gives it, so it never has a queue.
    fn come(&mut self, now: Nanos) -> Nanos {
        let times = self.settings.times;
        if self.settings.switching != Switching::Port {
            return now + times.server;
        }
        let taken = self.way.taken.pass(now, times.switch);
        self.way.down.pass(taken.end, times.at_server()).start + times.at_server()
    }

    fn ask(&mut self, ask: Ask, came: Nanos, cx: &impl Context<Event, Record>) {
        // What was parked is taken up behind what is in the port already.
        self.came = self.came.max(came);
        match self.protocol.ask(ask, &self.settings.placed) {
            Answer::Response(response) => self.put(ask, response, cx),
            Answer::Split(response, split) => {
                self.put(ask, response, cx);
                self.part(split, cx)
            }
            Answer::Parked | Answer::Old => {}
        }
    }

    /// An answer goes through the store.
    fn put(&mut self, ask: Ask, response: Response, cx: &impl Context<Event, Record>) {
        let settings = &self.settings;
        let (came, other) = (self.came, ask.client);
        let stale = response.outcome == Outcome::Stale;
        let time = if stale { Nanos::ZERO } else { settings.stored(ask.op) };
        let store = short(time);
        let mut reply = Reply { response, other, store_queue: 0, store, out_queue: 0, up_queue: 0 };
        let wait = came - cx.now();
        match settings.store {
            Some((_, group)) if group > 1 && ask.op.writes() && !stale => {
                cx.after(wait, Event::Write(reply))
            }
            Some(_) if !stale => {
                let ticket = self.store.submit(came, Work::time(time));
                reply.store_queue = ticket.queued().0;
                cx.after(ticket.end - cx.now(), Event::Ready(reply))
            }
            None if settings.uniform() && ask.op == Op::Create => {
                if self.fetches == 0 {
                    return self.answer(reply, came + time, cx);
                }
                self.pending.push_back((came + time, reply));
                cx.after(wait + time, Event::Pending)
            }
            _ => cx.after(wait + time, Event::Ready(reply)),
        }
    }

    /// A fetch is answered; after the last nothing overtakes anything any more.
    fn fetched(&mut self, op: Op, cx: &impl Context<Event, Record>) {
        if op == Op::Fetch && self.fetches > 0 {
            self.fetches -= 1;
            if self.fetches == 0 {
                self.let_go(Nanos::MAX, cx)
            }
        }
    }

    /// Those that are ready by `upto` go.
    fn let_go(&mut self, upto: Nanos, cx: &impl Context<Event, Record>) {
        while let Some((ready, reply)) = self.pending.front().copied().filter(|p| p.0 <= upto) {
            self.pending.pop_front();
            self.answer(reply, ready, cx)
        }
    }

    fn turn(&mut self, turn: Option<Turn>, cx: &impl Context<Event, Record>) {
        if let Some(Turn::Flush(flush)) = turn {
            self.written += flush.takes;
            cx.after(flush.takes, Event::Flushed)
        }
    }

    fn flushed(&mut self, cx: &impl Context<Event, Record>) {
        let now = cx.now();
        let mut done = Vec::new();
        let turn = self.log.flushed(now, |written| done.push(written));
        for written in done {
            let mut reply = written.who;
            reply.store_queue = (written.start - written.arrival).0;
            reply.store = short(now - written.start);
            self.answer(reply, now, cx)
        }
        self.turn(turn, cx)
    }

    /// An answer leaves the store at `ready`, not before any that left it.
    fn answer(&mut self, mut reply: Reply, ready: Nanos, cx: &impl Context<Event, Record>) {
        let times = self.settings.times;
        let out = self.way.out.pass(ready, times.at_server());
        reply.out_queue = short(out.queued());
        let client = std::mem::replace(&mut reply.other, self.me);
        self.replies += 1;
        let loss = self.settings.loss;
        let lost =
            loss > 0.0 && cx.draw("answer-lost", u64::from(self.me), self.replies).chance(loss);
        let head = out.start + times.startup;
        if self.settings.switching == Switching::Port {
            let up = self.way.up.pass(head + times.server, times.startup + times.switch);
            reply.up_queue = short(up.queued());
            if !lost {
                let to = self.settings.client_lps.at(client);
                deliver(cx, to, up.start + times.startup, Event::Answer(reply))
            }
        } else if !lost {
            let pass = Event::Pass(Box::new(Pass::Down { reply, client }));
            deliver(cx, self.settings.switch_lps.at(1), head, pass)
        }
    }

    /// Half of a partition leaves for another server, over a way of its own at the link's rate: 64
    /// bytes a row.
    fn part(&self, split: Split, cx: &impl Context<Event, Record>) {
        let Split { directory, part, radix, to, map, rows, said } = split;
        let count = rows.len() as u64;
        let moving = count * 64 * 1_000_000_000 / self.settings.server_rate.max(1);
        cx.record(Record::Moved { rows: count });
        let half = Half { directory, part, radix, map, rows, said };
        let there = self.came + self.settings.times.startup * 2 + Nanos(moving);
        let event = Event::Half(Box::new(half));
        if to == self.me {
            return cx.after(there - cx.now(), event);
        }
        deliver(cx, self.settings.server_lps.at(to), there, event)
    }

    fn half(&mut self, half: &Half, cx: &impl Context<Event, Record>) {
        let Half { directory, part, radix, map, rows, said } = half.clone();
        let split = Split { directory, part, radix, to: self.me, map, rows, said };
        for ask in self.protocol.take(&split) {
            self.ask(ask, cx.now(), cx)
        }
    }
}
