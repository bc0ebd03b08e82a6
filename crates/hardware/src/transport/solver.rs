//! Fluid sharing: one LP owns the solver, and every flow is one in it.
use super::{
    Event, FlowName, Ports, Record,
    flow::{Ends, Request, Start},
};
use crate::{FlowId, FlowSpec, Fluid, Holder, Path, ResourceId};
use cluster::NodeId;
use engine::{Context, Model, Nanos, Rewind, Shared, Table, Timer};
use units::{Bytes, BytesPerSec};

/// The owner of the solver.
#[derive(Rewind)]
pub struct Solver {
    ports: Shared<Ports>,
    fluid: Fluid,
    flows: Table<FlowId, (Ends, Path)>,
    by_name: Table<FlowName, FlowId>,
    lost: Table<NodeId, ()>,
    timer: Option<Timer>,
}

impl Solver {
    /// No flows.
    pub fn new(ports: Shared<Ports>) -> Solver {
        let fluid = Fluid::new(ports.resources.capacities());
        let (flows, by_name, lost) = (Table::new(), Table::new(), Table::new());
        Solver { ports, fluid, flows, by_name, lost, timer: None }
    }

    fn start(&mut self, start: &Start, cx: &impl Context<Event, Record>) {
        let Start { flow, path, bytes, .. } = *start;
        let ends = start.ends();
        if let Some((&lost, ())) = self.lost.iter().find(|(node, ())| self.uses(&path, **node)) {
            return ends.tell_broken(Bytes(0), Some(lost), cx);
        }
        let mut spec = FlowSpec::new(path, bytes);
        if self.ports.settings.latency_weights {
            spec.weight = path.latency_weight(self.ports.resources.shortest_latency())
        }
        let id = self.fluid.start(cx.now(), spec);
        self.flows.insert(id, (ends, path));
        let new = self.by_name.insert(flow, id);
        assert!(new, "{flow:?} is used twice");
        cx.record(Record::Began { flow });
        self.tell_changes(cx)
    }

    /// Flows whose last byte is through end.
    fn finish(&mut self, cx: &impl Context<Event, Record>) {
        self.timer = None;
        while let Some((_, id)) = self.fluid.next_completion().filter(|(at, _)| *at <= cx.now()) {
            self.fluid.finish(cx.now(), id);
            self.tell_rates(cx);
            let ends = self.forget(id);
            cx.record(Record::Ended { flow: ends.flow, whole: true });
            ends.tell_done(cx)
        }
        self.tell_changes(cx)
    }

    fn forget(&mut self, id: FlowId) -> Ends {
        let (ends, _) = self.flows.remove(&id).expect("a flow of the solver is known");
        self.by_name.discard(&ends.flow);
        ends
    }

    fn cut(&mut self, id: FlowId, lost: Option<NodeId>, cx: &impl Context<Event, Record>) {
        let through = self.fluid.cancel(cx.now(), id);
        let ends = self.forget(id);
        cx.record(Record::Ended { flow: ends.flow, whole: false });
        ends.tell_broken(through, lost, cx)
    }

    fn lose(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        self.lost.insert(node, ());
        let gone = self.flows.iter().filter(|(_, (_, path))| self.uses(path, node));
        let gone: Vec<FlowId> = gone.map(|(id, _)| *id).collect();
        gone.into_iter().for_each(|id| self.cut(id, Some(node), cx));
        self.tell_changes(cx)
    }

    fn uses(&self, path: &Path, node: NodeId) -> bool {
        path.iter().any(|&resource| self.ports.resources.get(resource).node() == Some(node))
    }

    fn slow(&mut self, resource: ResourceId, rate: BytesPerSec, cx: &impl Context<Event, Record>) {
        let new = self.ports.resources.capacity(resource).at_most(rate);
        self.fluid.set_capacity(cx.now(), resource, new);
        cx.record(Record::Slow { resource, rate: new.rate.0 });
        self.tell_changes(cx)
    }

    /// Rates have changed, and with them when the next flow ends.
    fn tell_changes(&mut self, cx: &impl Context<Event, Record>) {
        self.tell_rates(cx);
        if let Some(timer) = self.timer.take() {
            cx.cancel(timer);
        }
        let next = self.fluid.next_completion().filter(|(at, _)| *at < Nanos::MAX);
        self.timer = next.map(|(at, _)| cx.timer(at.saturating_sub(cx.now()), Event::FlowEnds))
    }

    /// What each flow is limited by now, and what each resource carries.
    fn tell_rates(&mut self, cx: &impl Context<Event, Record>) {
        let changes = self.fluid.settle().clone();
        for id in changes.flows {
            let Some(&(Ends { flow, .. }, _)) = self.flows.get(&id) else { continue };
            match self.fluid.bottleneck(id) {
                Holder::Resource(resource) => cx.record(Record::Limited { flow, resource }),
                Holder::OwnCap => unreachable!("flows of the transport have no cap of their own"),
            }
        }
        for resource in changes.resources {
            let (rate, streams) = (self.fluid.used(resource), self.fluid.streams(resource));
            cx.record(Record::Use { resource, rate, streams })
        }
    }
}

impl Model for Solver {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::FlowEnds => self.finish(cx),
            Event::Flow(Request::Start(start)) => self.start(start, cx),
            Event::Flow(Request::Cut(flow)) => {
                if let Some(&id) = self.by_name.get(flow) {
                    self.cut(id, None, cx);
                    self.tell_changes(cx)
                }
            }
            Event::Flow(Request::Lost(node)) => self.lose(*node, cx),
            Event::Flow(Request::Back(node)) => drop(self.lost.discard(node)),
            Event::Flow(Request::Slow { resource, rate }) => self.slow(*resource, *rate, cx),
            _ => unreachable!("the solver was sent {event:?}"),
        }
    }
}
