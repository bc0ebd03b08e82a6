//! Clients and a server, and the trace of what they did.
use crate::policy;
use crate::tale::Tale;
use cluster::{BadInput, Sheet};
use engine::*;
use system::{Failure, Footprint, How, Simulated, Simulation, Tell};

/// One hop.
pub const HOP: Nanos = Nanos::micros(20);

#[derive(Message)]
pub enum Event {
    /// To a client: ask.
    Ask,
    /// To the server.
    Request { from: Lp<Event>, asked: Nanos },
    /// The server is done with one.
    Served { from: Lp<Event>, asked: Nanos, came: Nanos, began: Nanos },
    /// To a client: when it had asked, when that came, was begun and done.
    Reply { asked: Nanos, came: Nanos, began: Nanos, done: Nanos },
}

/// A request is through.
#[derive(Message)]
pub struct Answered {
    pub asked: Nanos,
    pub came: Nanos,
    pub began: Nanos,
    pub done: Nanos,
}

/// What never changes.
struct Settings {
    server: Lp<Event>,
    time: Nanos,
    policy: usize,
}

#[derive(Rewind)]
pub struct Node {
    settings: Shared<Settings>,
    /// A client's requests that are not yet asked.
    left: u64,
    busy: bool,
    waiting: Queue<(Lp<Event>, Nanos, Nanos)>,
}

impl engine::Model for Node {
    type Event = Event;
    type Record = Answered;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Answered>) {
        match *event {
            Event::Ask => self.ask(cx),
            Event::Request { from, asked } => self.waiting.push_back((from, asked, cx.now())),
            Event::Served { from, asked, came, began } => {
                self.busy = false;
                let reply = Event::Reply { asked, came, began, done: cx.now() };
                cx.send(from, Delay::link(cx.link(from)), reply)
            }
            Event::Reply { asked, came, began, done } => {
                cx.record(Answered { asked, came, began, done });
                self.ask(cx)
            }
        }
        self.serve(cx)
    }
}

impl Node {
    fn ask(&mut self, cx: &impl Context<Event, Answered>) {
        let server = self.settings.server;
        if self.left > 0 {
            self.left -= 1;
            let request = Event::Request { from: cx.me(), asked: cx.now() };
            cx.send(server, Delay::link(cx.link(server)), request)
        }
    }

    fn serve(&mut self, cx: &impl Context<Event, Answered>) {
        if self.busy || self.waiting.is_empty() {
            return;
        }
        let next = policy::ALL[self.settings.policy].next(self.waiting.len());
        let (from, asked, came) = self.waiting.remove(next).expect("there is one");
        self.busy = true;
        let service = cx.random().exponential(self.settings.time);
        cx.after(service, Event::Served { from, asked, came, began: cx.now() })
    }
}

/// How echo is simulated.
pub struct Model;

impl Simulation for Model {
    fn check(&self, sheet: &Sheet) -> Result<(), BadInput> {
        let names: Vec<&str> = policy::ALL.iter().map(|policy| policy.name()).collect();
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
        let clients = sheet.count32("cluster.clients");
        let mut topology = Topology::new(HOP, HOP);
        let server = topology.place::<Event>(1, |_| 0).at(0);
        let lps = topology.place::<Event>(clients, |i| 1 + i % 8);
        let named = |name: &str| policy::ALL.iter().position(|policy| policy.name() == name);
        let policy = named(sheet.text("policy.queue")).expect("checked");
        let settings = Shared::new(Settings { server, time: sheet.time("server.time"), policy });
        let requests = sheet.count("workload.requests");
        let mut world = World::new(Shared::new(topology), seed, Nanos::secs(1 << 30), move |id| {
            let left = if id == server.id() { 0 } else { requests };
            let settings = Shared::clone(&settings);
            Node { settings, left, busy: false, waiting: Queue::default() }
        });
        lps.iter().for_each(|client| world.start(client, Nanos(1), Event::Ask));
        let mut tale = Tale::new(sheet, seed);
        let sink = |stamp: Stamp, record: Answered| tale.add(stamp.at, record);
        let (outcome, effort) = how.run(world, sink, tell);
        Ok(tale.finish(outcome, effort))
    }
}
