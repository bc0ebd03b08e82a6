//! Clients and a server.
use crate::policy;
use crate::trace::{Gathered, Plain};
use cluster::{BadInput, Sheet};
use engine::*;
use system::{Failure, Footprint, How, Simulated, Simulation, Tell, Words};

/// One hop.
pub const HOP: Nanos = Nanos::micros(20);

/// Who asked, and when; when that came, was begun, and done.
#[derive(Message)]
pub struct Request {
    pub from: Lp<Event>,
    pub asked: Nanos,
    pub came: Nanos,
    pub began: Nanos,
    pub done: Nanos,
}

#[derive(Message)]
pub enum Event {
    /// To a client: ask.
    Ask,
    /// To the server.
    Asked(Request),
    /// The server is done with one.
    Served(Request),
    /// To a client.
    Reply(Request),
}

#[derive(Rewind)]
pub struct Node {
    sheet: Shared<(Lp<Event>, Nanos, policy::Policy)>,
    /// A client's requests that are not yet asked.
    left: u64,
    busy: bool,
    waiting: Queue<Request>,
}

impl engine::Model for Node {
    type Event = Event;
    type Record = Request;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Request>) {
        match event.clone() {
            Event::Ask => self.ask(cx),
            Event::Asked(request) => self.waiting.push_back(Request { came: cx.now(), ..request }),
            Event::Served(request) => {
                self.busy = false;
                let reply = Event::Reply(Request { done: cx.now(), ..request });
                cx.send(request.from, Delay::link(cx.link(request.from)), reply)
            }
            Event::Reply(request) => {
                cx.record(request);
                self.ask(cx)
            }
        }
        self.serve(cx)
    }
}

impl Node {
    fn ask(&mut self, cx: &impl Context<Event, Request>) {
        let (server, asked) = (self.sheet.0, cx.now());
        if self.left > 0 {
            self.left -= 1;
            let none = Nanos::ZERO;
            let request = Request { from: cx.me(), asked, came: none, began: none, done: none };
            cx.send(server, Delay::link(cx.link(server)), Event::Asked(request))
        }
    }

    fn serve(&mut self, cx: &impl Context<Event, Request>) {
        if !self.busy && !self.waiting.is_empty() {
            let (_, time, (_, _, next)) = *self.sheet;
            let request = self.waiting.remove(next(self.waiting.len())).expect("there is one");
            self.busy = true;
            let served = Event::Served(Request { began: cx.now(), ..request });
            cx.after(cx.random().exponential(time), served)
        }
    }
}

/// How echo is simulated.
pub struct Model;

impl Simulation for Model {
    fn words(&self) -> &dyn Words {
        &Plain
    }
    fn check(&self, sheet: &Sheet) -> Result<(), BadInput> {
        let names = policy::ALL.map(|policy| policy.0);
        match names.contains(&sheet.text("policy.queue")) {
            true => Ok(()),
            false => Err(sheet.reject("policy.queue", &names).into()),
        }
    }
    fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        Some(Footprint { bytes: sheet.count("cluster.clients") * 400, key: "cluster.clients" })
    }
    fn run(
        &self,
        sheet: &Sheet,
        seed: u64,
        how: How<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Simulated, Failure> {
        let mut topology = Topology::new(HOP, HOP);
        let server = topology.place::<Event>(1, |_| 0).at(0);
        let clients = topology.place::<Event>(sheet.count32("cluster.clients"), |i| 1 + i % 8);
        let named = sheet.text("policy.queue");
        let policy = *policy::ALL.iter().find(|policy| policy.0 == named).expect("checked");
        let shared = Shared::new((server, sheet.time("server.time"), policy));
        let requests = sheet.count("workload.requests");
        let mut world = World::new(Shared::new(topology), seed, Nanos::secs(1 << 30), move |id| {
            let left = if id == server.id() { 0 } else { requests };
            Node { sheet: Shared::clone(&shared), left, busy: false, waiting: Queue::default() }
        });
        clients.iter().for_each(|client| world.start(client, Nanos(1), Event::Ask));
        let mut gathered = Gathered::new(seed);
        let (outcome, effort) = how.run(world, |at, request| gathered.add(at.at, request), tell);
        let (trace, reading) = gathered.requests.finish(gathered.trace);
        // Nothing happens after the last answer.
        let simulated = trace.last();
        Ok(Simulated { simulated, ..Simulated::of(trace, reading, outcome, effort) })
    }
}
