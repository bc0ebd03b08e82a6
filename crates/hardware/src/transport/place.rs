//! Queue sharing: the LP of a node or of a rack's switch, where chunks are served.
use super::{
    Event, FlowName, Ports, Record, Route,
    flow::{Request, Start},
    hops::{self, Hop, Hops, Next},
    source::{Sources, tell_broken},
    turns::NONE,
};
use crate::ResourceId;
use cluster::NodeId;
use engine::{Context, Delay, Lp, Model, Nanos, Recorder, Rewind, Shared};
use units::{Bytes, BytesPerSec};

/// The disks and the NIC of a node, or the uplink of a rack.
#[derive(Rewind)]
pub struct Place {
    ports: Shared<Ports>,
    me: u32,
    hops: Hops,
    sources: Sources,
    /// The node is gone.
    lost: bool,
}

impl Place {
    /// Idle.
    pub fn new(ports: Shared<Ports>, me: u32) -> Place {
        let hops = Hops::new(&ports, me);
        Place { ports, me, hops, sources: Sources::default(), lost: false }
    }

    fn start(&mut self, start: &Start, cx: &impl Context<Event, Record>) {
        let Start { flow, path, bytes } = *start;
        if self.lost {
            return tell_broken(flow, Bytes(0), Some(NodeId(self.me)), cx);
        }
        let first = self.sources.start(start, &self.ports);
        self.open(&Route { flow, path, bytes, hop: 0 }, cx);
        self.join(flow, 0, first, cx)
    }

    /// A path begins or goes on here: a row for each of its hops, then on to the next place.
    fn open(&mut self, route: &Route, cx: &impl Context<Event, Record>) {
        let source = self.ports.owner(route.path[0]).0;
        if self.lost {
            return self.tell_source(source, route.flow, cx);
        }
        let (chunks, last) = hops::chunks(route.bytes.0, self.ports.settings.chunk.0);
        let end = self.end_of_run(route);
        let beyond = route.path.get(end as usize).map(|&there| self.ports.owner(there).0);
        let mut next = beyond.map_or(Next::End, |place| Next::Place(place, NONE));
        for hop in (route.hop..end).rev() {
            let station = self.ports.owner(route.path[hop as usize]).1;
            let mut new = Hop::new(route.flow, source, chunks, last);
            (new.next, new.station, new.hop, new.hops) =
                (next, station, hop, u8::try_from(route.path.len()).expect("a path of few hops"));
            next = Next::Row(self.hops.add(new))
        }
        if let (Some(before), Next::Row(row)) = (route.hop.checked_sub(1), next) {
            let sender = self.ports.places.at(self.ports.owner(route.path[before as usize]).0);
            let label = Event::Label { flow: route.flow, hop: before, row };
            cx.send(sender, Delay::link(cx.link(sender)), label)
        }
        self.pass_on(route, end, Event::Open, cx)
    }

    /// A flow is broken off, here and further on.
    fn close(&mut self, route: &Route, cx: &impl Context<Event, Record>) {
        let end = self.end_of_run(route);
        (route.hop..end).for_each(|hop| self.hops.close(route.flow, hop));
        self.pass_on(route, end, Event::Close, cx)
    }

    /// The first hop, from the route's on, that is another place's.
    fn end_of_run(&self, route: &Route) -> u8 {
        let rest = &route.path[route.hop as usize..];
        let mine = rest.iter().take_while(|&&hop| self.ports.owner(hop).0 == self.me);
        route.hop + u8::try_from(mine.count()).expect("a path of few hops")
    }

    fn pass_on(
        &self,
        route: &Route,
        hop: u8,
        event: impl Fn(Box<Route>) -> Event,
        cx: &impl Context<Event, Record>,
    ) {
        if let Some(&there) = route.path.get(hop as usize) {
            let to = self.ports.places.at(self.ports.owner(there).0);
            let route = Route { flow: route.flow, path: route.path, bytes: route.bytes, hop };
            let way = self.way(route.path[hop as usize - 1], to, cx);
            cx.send(to, way, event(Box::new(route)))
        }
    }

    fn way(&self, from: ResourceId, to: Lp<Event>, cx: &impl Context<Event, Record>) -> Delay {
        Delay::link(cx.link(to)).plus(self.ports.crossing(from))
    }

    /// Chunks stand in line at a hop, unless the flow has been broken off.
    fn join(&mut self, flow: FlowName, hop: u8, chunks: u32, cx: &impl Context<Event, Record>) {
        if let Some(row) = self.hops.find(flow, hop) {
            self.join_row(row, chunks, cx)
        }
    }

    fn join_row(&mut self, row: u32, chunks: u32, cx: &impl Context<Event, Record>) {
        if let Some(station) = self.hops.join(row, chunks, cx.now()) {
            self.serve(station, cx)
        }
    }

    fn serve(&mut self, station: u32, cx: &impl Context<Event, Record>) {
        let Some(turn) = self.hops.serve(station, cx.now()) else { return };
        if let Some((since, busy)) = turn.report {
            let resource = self.hops.turns[station as usize].resource;
            cx.record(Record::Busy { resource, since, busy })
        }
        cx.after(turn.takes, Event::Served { station, epoch: turn.epoch })
    }

    /// The chunk in turn has been served: the next one's turn, and this one goes on.
    fn served(&mut self, station: u32, epoch: u32, cx: &impl Context<Event, Record>) {
        let turns = self.hops.turns[station as usize];
        if turns.epoch != epoch {
            return;
        }
        let acknowledge = hops::window(self.hops.get(turns.serving).hops).1;
        let (hop, row, through) = self.hops.served(station, acknowledge);
        self.serve(station, cx);
        if !hop.open {
            return self.hops.release(row);
        }
        if hop.left == 0 {
            let ((queued, served), flow, resource) = (hop.spent(), hop.flow, turns.resource);
            let chunks = hop.chunks;
            cx.record(Record::Spent { flow, resource, queued, served, chunks });
            self.hops.release(row)
        }
        match hop.next {
            Next::Row(row) => self.join_row(row, 1, cx),
            Next::Place(place, row) => {
                let to = self.ports.places.at(place);
                let chunk = Event::Chunk { flow: hop.flow, hop: hop.hop + 1, row };
                cx.send(to, self.way(turns.resource, to, cx), chunk)
            }
            Next::End if through > 0 => self.acknowledge(&hop, through, cx),
            Next::End => {}
        }
    }

    fn acknowledge(&mut self, hop: &Hop, chunks: u32, cx: &impl Context<Event, Record>) {
        if hop.source == self.me {
            return self.through(hop.flow, chunks, cx);
        }
        let source = self.ports.places.at(hop.source);
        let through = Event::Through { flow: hop.flow, chunks };
        cx.send(source, Delay::link(cx.link(source)), through)
    }

    fn through(&mut self, flow: FlowName, chunks: u32, cx: &impl Context<Event, Record>) {
        let more = self.sources.through(flow, chunks, cx);
        if more > 0 {
            self.join(flow, 0, more, cx)
        }
    }

    /// A flow that begins here breaks off.
    fn cut(&mut self, flow: FlowName, lost: Option<NodeId>, cx: &impl Context<Event, Record>) {
        if let Some(route) = self.sources.cut(flow, lost, &self.ports, cx) {
            self.close(&route, cx)
        }
    }

    /// This node is gone: what passes here breaks off, and so does what begins here.
    fn lose(&mut self, cx: &impl Context<Event, Record>) {
        self.lost = true;
        let passing = self.hops.flows();
        self.hops.restart();
        let me = Some(NodeId(self.me));
        self.sources.flows().into_iter().for_each(|flow| self.cut(flow, me, cx));
        for (flow, source) in passing.into_iter().filter(|(_, source)| *source != self.me) {
            self.tell_source(source, flow, cx)
        }
    }

    fn tell_source(&self, source: u32, flow: FlowName, cx: &impl Context<Event, Record>) {
        let to = self.ports.places.at(source);
        cx.send(to, Delay::link(cx.link(to)), Event::Broken { flow, lost: self.me })
    }

    fn slow(&mut self, id: ResourceId, rate: BytesPerSec, cx: &impl Context<Event, Record>) {
        let whole = self.ports.resources.capacity(id);
        let station = self.ports.owner(id).1 as usize;
        self.hops.turns.update(station, |turns| turns.slow(whole.at_most(rate)));
        let rate = self.hops.turns[station].rate().0;
        cx.record(Record::Slow { resource: id, rate })
    }
}

impl Model for Place {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Served { station, epoch } => self.served(*station, *epoch, cx),
            Event::Chunk { flow, hop, row } => {
                if let Some(row) = self.hops.find_at(*row, *flow, *hop) {
                    self.join_row(row, 1, cx)
                }
            }
            Event::Label { flow, hop, row } => self.hops.label(*flow, *hop, *row),
            Event::Through { flow, chunks } => self.through(*flow, *chunks, cx),
            Event::Open(route) => self.open(route, cx),
            Event::Close(route) => self.close(route, cx),
            Event::Broken { flow, lost } => self.cut(*flow, Some(NodeId(*lost)), cx),
            Event::Flow(Request::Start(start)) => self.start(start, cx),
            Event::Flow(Request::Cut(flow)) => self.cut(*flow, None, cx),
            Event::Flow(Request::Lost(_)) => self.lose(cx),
            Event::Flow(Request::Back(_)) => self.lost = false,
            Event::Flow(Request::Slow { resource, rate }) => self.slow(*resource, *rate, cx),
            Event::FlowEnds => unreachable!("a place was sent {event:?}"),
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        for turns in self.hops.turns.iter().filter(|turns| turns.busy > Nanos::ZERO) {
            let (resource, since, busy) = (turns.resource, turns.since, turns.busy);
            cx.record(Record::Busy { resource, since, busy })
        }
    }
}
