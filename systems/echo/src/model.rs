use crate::policy::{Next, QUEUE};
use crate::trace::{self, HOP, Spoken};
use cluster::Sheet;
use engine::*;
use system::{Failure, Reporter, RunOptions, SimulatedRun, Simulation};

/// Times of sending, arrival, start and end of service; zero until then.
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
    Ask,
    Asked(Request),
    Served(Request),
    Reply(Request),
}

#[derive(Rewind)]
pub struct Node {
    settings: Shared<(Lp<Event>, Nanos, Next)>,
    /// Requests that the client has not sent yet.
    left: u64,
    busy: bool,
    waiting: Queue<Request>,
}

impl engine::Model for Node {
    type Event = Event;
    type Record = Request;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Request>) {
        let now = cx.now();
        match event.clone() {
            Event::Ask => self.ask(cx),
            Event::Asked(request) => self.waiting.push_back(Request { came: now, ..request }),
            Event::Served(request) => {
                self.busy = false;
                cx.notify(request.from, Event::Reply(Request { done: now, ..request }))
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
        if self.left > 0 {
            self.left -= 1;
            let (from, asked, none) = (cx.me(), cx.now(), Nanos::ZERO);
            let request = Request { from, asked, came: none, began: none, done: none };
            cx.notify(self.settings.0, Event::Asked(request))
        }
    }

    fn serve(&mut self, cx: &impl Context<Event, Request>) {
        if !self.busy && !self.waiting.is_empty() {
            let (_, time, next) = *self.settings;
            let request = self.waiting.remove(next(self.waiting.len())).expect("there is one");
            self.busy = true;
            let served = Event::Served(Request { began: cx.now(), ..request });
            cx.after(cx.random().exponential(time), served)
        }
    }
}

pub struct Model;

impl Simulation for Model {
    fn reporter(&self) -> &dyn Reporter {
        &Spoken
    }
    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let mut topology = Topology::new(HOP, HOP);
        let server = topology.place::<Event>(1, |_| 0).at(0);
        let clients = topology.place::<Event>(sheet.count32("cluster.clients"), |i| 1 + i % 8);
        let settings = Shared::new((server, sheet.time("server.time"), QUEUE.of(sheet)));
        let requests = sheet.count("workload.requests");
        let mut world = World::new(Shared::new(topology), seed, Nanos::secs(1 << 30), |id| {
            let left = if id == server.id() { 0 } else { requests };
            let settings = Shared::clone(&settings);
            Node { settings, left, busy: false, waiting: Queue::default() }
        });
        clients.iter().for_each(|client| world.start(client, Nanos(1), Event::Ask));
        let mut requests = trace::requests(seed);
        let ended = how.run(world, |at, Request { asked, came, began, done, .. }| {
            requests.add(asked, [came, began, done, at.at])
        });
        Ok(SimulatedRun::to_last_record(requests.finish(), ended))
    }
}
