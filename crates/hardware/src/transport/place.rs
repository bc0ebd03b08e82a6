//! Queue sharing: the LP of a node or of a rack's switch, which serves chunks.
use super::{
    Event, FlowName, Ports, Record, Route,
    ends::Ends,
    flow::{Request, Start},
    hop::{self, ForwardStep, Hop, Next, TouchedRows, TransferSize},
    hops::{Hops, JoinResult},
    source::Sources,
    turns::NONE,
};
use crate::ResourceId;
use cluster::NodeId;
use engine::{Context, Delay, Lp, Model, Nanos, Recorder, Rewind, Shared};
use units::{Bytes, BytesPerSec};

/// Disks and NIC of a node, or the uplink of a rack.
#[derive(Rewind)]
#[repr(C, align(64))]
pub struct Place {
    ports: Shared<Ports>,
    me: u32,
    lost: bool,
    hops: Hops,
    sources: Sources,
}

impl Place {
    pub fn new(ports: Shared<Ports>, me: u32) -> Place {
        let hops = Hops::new(&ports, me);
        Place { ports, me, hops, sources: Sources::default(), lost: false }
    }

    fn start(&mut self, start: &Start, cx: &impl Context<Event, Record>) {
        let Start { flow, path, bytes, .. } = *start;
        if self.lost {
            return Ends::of(start).notify_broken(Bytes(0), Some(NodeId(self.me)), cx);
        }
        cx.record(Record::Began { flow });
        let first = self.sources.start(start, &self.ports);
        self.open(&Route { flow, path, bytes, hop: 0 }, cx);
        self.join(flow, 0, first, cx)
    }

    /// Adds a row for each hop of a path in this LP, then passes it on to the next LP.
    fn open(&mut self, route: &Route, cx: &impl Context<Event, Record>) {
        let source = self.ports.owner(route.path[0]).0;
        if self.lost {
            return self.notify_source(source, route.flow, cx);
        }
        let (chunks, last_bytes) = hop::chunks(route.bytes.0, self.ports.settings.chunk.0);
        let end = self.end_of_run(route);
        let beyond = route.path.get(end as usize).map(|&there| self.ports.owner(there).0);
        let mut next = beyond.map_or(Next::End(0), |place| Next::Place(place, NONE));
        let hops = u8::try_from(route.path.len()).expect("a path of few hops");
        let whole = TransferSize { source, chunks, last_bytes };
        for hop in (route.hop..end).rev() {
            let station = self.ports.owner(route.path[hop as usize]).1;
            let new = Hop::new(route.flow, station, next, (hop, hops), chunks);
            next = Next::Row(self.hops.add(new, whole), station)
        }
        if let (Some(before), Next::Row(row, _)) = (route.hop.checked_sub(1), next) {
            let sender = self.ports.places.at(self.ports.owner(route.path[before as usize]).0);
            let label = Event::Label { flow: route.flow, hop: before, row };
            cx.notify(sender, label)
        }
        self.pass_on(route, end, Event::Open, cx)
    }

    /// Removes a flow that was cut, then passes that on to the next LP.
    fn close(&mut self, route: &Route, cx: &impl Context<Event, Record>) {
        let end = self.end_of_run(route);
        (route.hop..end).for_each(|hop| self.hops.close(route.flow, hop));
        self.pass_on(route, end, Event::Close, cx)
    }

    /// The first hop, from the route's on, that belongs to another LP.
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
            cx.send(to, self.way(to, cx), event(Box::new(route)))
        }
    }

    fn way(&self, to: Lp<Event>, cx: &impl Context<Event, Record>) -> Delay {
        Delay::link(cx.link(to)).plus(self.ports.crossing(self.me))
    }

    /// Queues chunks at a hop, unless the flow was cut.
    fn join(&mut self, flow: FlowName, hop: u8, chunks: u32, cx: &impl Context<Event, Record>) {
        if let Some(row) = self.hops.find(flow, hop) {
            self.join_row(row, chunks, cx)
        }
    }

    #[inline]
    fn join_row(&mut self, row: u32, chunks: u32, cx: &impl Context<Event, Record>) {
        match self.hops.join(row, chunks, cx.now()) {
            JoinResult::Waits => {}
            JoinResult::First(station, left, touched) => self.wake(station, touched, left, cx),
            JoinResult::Idle(station) => self.serve(station, cx),
        }
    }

    #[inline]
    fn wake(
        &self,
        station: u32,
        touched: TouchedRows,
        left: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        cx.after(left, Event::Served { station, epoch: self.hops.epoch(), touched })
    }

    /// Begins the next turn. A chunk that leaves this LP is sent at once, with the time of its turn
    /// as delay: the end of a turn that no flow waits for needs no event.
    fn serve(&mut self, station: u32, cx: &impl Context<Event, Record>) {
        let Some(turn) = self.hops.serve(station, cx.now(), (&self.ports, self.me)) else { return };
        if let Some((since, busy)) = turn.report {
            let resource = self.resource(station);
            cx.record(Record::Busy { resource, since, busy })
        }
        match turn.onward {
            ForwardStep::To { flow, hop, place, row } => {
                let to = self.ports.places.at(place);
                cx.send(to, self.way(to, cx).plus(turn.takes), Event::Chunk { flow, hop, row })
            }
            ForwardStep::Announced { flow, source, chunks } => {
                self.acknowledge((flow, source), chunks, turn.takes, cx)
            }
            ForwardStep::Later | ForwardStep::Untold => {}
        }
        if turn.is_due {
            self.wake(station, turn.touched, turn.takes, cx)
        }
    }

    fn resource(&self, station: u32) -> ResourceId {
        self.ports.owned(self.me)[station as usize]
    }

    /// Ends a turn and begins the next one; the chunk continues, if it was not sent already.
    fn served(&mut self, station: u32, epoch: u32, cx: &impl Context<Event, Record>) {
        if self.hops.epoch() != epoch {
            return;
        }
        let served = self.hops.served(station);
        self.serve(station, cx);
        let Some((hop, row, through)) = served else { return };
        if !hop.open {
            return self.hops.release(row);
        }
        let source = match hop.left {
            0 => self.finish_hop(&hop, row, cx),
            _ => self.me,
        };
        match hop.next {
            Next::Row(row, _) => self.join_row(row, 1, cx),
            Next::Place(place, row) => {
                let to = self.ports.places.at(place);
                let chunk = Event::Chunk { flow: hop.flow, hop: hop.hop + 1, row };
                cx.send(to, self.way(to, cx), chunk)
            }
            Next::End(_) => self.acknowledge((hop.flow, source), through, Nanos::ZERO, cx),
        }
    }

    /// Call when all chunks of a flow have passed a resource. Returns the LP of the flow's source.
    fn finish_hop(&mut self, hop: &Hop, row: u32, cx: &impl Context<Event, Record>) -> u32 {
        let TransferSize { source, chunks, .. } = self.hops.whole(row);
        let ((queued, served), flow) = (hop.spent(), hop.flow);
        let resource = self.resource(hop.station);
        cx.record(Record::Spent { flow, resource, queued, served, chunks });
        self.hops.release(row);
        source
    }

    /// Reports to the source, after `later`, that `chunks` more have passed.
    fn acknowledge(
        &mut self,
        (flow, source): (FlowName, u32),
        chunks: u32,
        later: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        if source == self.me {
            return self.through(flow, chunks, cx);
        }
        let to = self.ports.places.at(source);
        cx.send(to, Delay::link(cx.link(to)).plus(later), Event::Through { flow, chunks })
    }

    fn through(&mut self, flow: FlowName, chunks: u32, cx: &impl Context<Event, Record>) {
        let more = self.sources.through(flow, chunks, cx);
        if more > 0 {
            self.join(flow, 0, more, cx)
        }
    }

    fn cut(&mut self, flow: FlowName, lost: Option<NodeId>, cx: &impl Context<Event, Record>) {
        if let Some(route) = self.sources.cut(flow, lost, &self.ports, cx) {
            self.close(&route, cx)
        }
    }

    /// This node fails: flows through it and from it are cut.
    fn lose(&mut self, cx: &impl Context<Event, Record>) {
        self.lost = true;
        let passing = self.hops.flows();
        self.hops.restart();
        let me = Some(NodeId(self.me));
        self.sources.flows().into_iter().for_each(|flow| self.cut(flow, me, cx));
        for (flow, source) in passing.into_iter().filter(|(_, source)| *source != self.me) {
            self.notify_source(source, flow, cx)
        }
    }

    fn notify_source(&self, source: u32, flow: FlowName, cx: &impl Context<Event, Record>) {
        let to = self.ports.places.at(source);
        cx.notify(to, Event::Broken { flow, lost: self.me })
    }

    fn slow(&mut self, resource: ResourceId, rate: BytesPerSec, cx: &impl Context<Event, Record>) {
        let capacity = self.ports.resources.capacity(resource).at_most(rate);
        self.hops.slow(self.ports.owner(resource).1, capacity);
        cx.record(Record::Slow { resource, rate: capacity.rate.0 })
    }
}

impl Model for Place {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Served { station, epoch, .. } => self.served(*station, *epoch, cx),
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

    #[inline(always)]
    fn foresee(&self, event: &Event, step: u32) {
        match *event {
            Event::Served { station, ref touched, .. } => {
                self.hops.foresee_turn(station, touched, step)
            }
            Event::Chunk { row, .. } => self.hops.foresee_chunk(row, step),
            _ => {}
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        for (station, since, busy) in self.hops.unreported() {
            let resource = self.resource(station);
            cx.record(Record::Busy { resource, since, busy })
        }
    }
}
