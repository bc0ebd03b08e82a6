//! Fluid sharing: one LP owns the solver, which has all flows.
use super::{
    Event, FlowName, Ports, Record,
    ends::Ends,
    flow::{Request, Start},
};
use crate::{FlowId, FlowSpec, Fluid, Holder, Path, ResourceId};
use cluster::{Network, NodeId};
use engine::{Context, Model, Nanos, Rewind, Shared, Table, Timer};
use units::{Bytes, BytesPerSec};

#[derive(Rewind)]
pub struct Solver {
    ports: Shared<Ports>,
    fluid: Fluid,
    flows: Table<FlowId, (Ends, Path)>,
    by_name: Table<FlowName, FlowId>,
    lost: Table<NodeId, ()>,
    timer: Option<Timer>,
}

/// A resource, and its total rate before a change \[bytes/s\].
type ResourceRate = (ResourceId, f64);

impl Solver {
    pub fn new(ports: Shared<Ports>) -> Solver {
        let fluid = Fluid::new(ports.resources.capacities());
        let (flows, by_name, lost) = (Table::new(), Table::new(), Table::new());
        Solver { ports, fluid, flows, by_name, lost, timer: None }
    }

    fn start(&mut self, start: &Start, cx: &impl Context<Event, Record>) {
        let Start { flow, path, bytes, .. } = *start;
        let ends = Ends::of(start);
        if let Some((&lost, ())) = self.lost.iter().find(|(node, ())| self.uses(&path, **node)) {
            return ends.notify_broken(Bytes(0), Some(lost), cx);
        }
        let mut spec = FlowSpec::new(path, bytes);
        let resources = &self.ports.resources;
        match self.ports.settings.network {
            Network::Fair => {}
            Network::Cm02 => spec.weight = path.latency_weight(resources.shortest_latency()),
            Network::Lv08 => spec.weight = resources.lv08_weight(&path),
        }
        spec.back = self.back(&path);
        let before = self.gives(&path);
        let id = self.fluid.start(cx.now(), spec);
        self.flows.insert(id, (ends, path));
        let new = self.by_name.insert(flow, id);
        assert!(new, "{flow:?} is used twice");
        cx.record(Record::Began { flow });
        self.record_changes(&before, cx)
    }

    /// Ends all flows that are complete.
    fn finish(&mut self, cx: &impl Context<Event, Record>) {
        self.timer = None;
        while let Some((_, id)) = self.fluid.next_completion().filter(|(at, _)| *at <= cx.now()) {
            let before = self.flows.get(&id).map_or(vec![], |(_, path)| self.gives(path));
            self.fluid.finish(cx.now(), id);
            self.record_rates(&before, cx);
            let ends = self.forget(id);
            cx.record(Record::Ended { flow: ends.flow, whole: true });
            ends.notify_done(cx)
        }
        self.record_changes(&[], cx)
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
        ends.notify_broken(through, lost, cx)
    }

    fn lose(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        self.lost.insert(node, ());
        let gone = self.flows.iter().filter(|(_, (_, path))| self.uses(path, node));
        let gone: Vec<(FlowId, Path)> = gone.map(|(id, (_, path))| (*id, *path)).collect();
        let before: Vec<ResourceRate> =
            gone.iter().flat_map(|(_, path)| self.gives(path)).collect();
        gone.into_iter().for_each(|(id, _)| self.cut(id, Some(node), cx));
        self.record_changes(&before, cx)
    }

    fn uses(&self, path: &Path, node: NodeId) -> bool {
        path.iter().any(|&resource| self.ports.resources.get(resource).node() == Some(node))
    }

    fn slow(&mut self, resource: ResourceId, rate: BytesPerSec, cx: &impl Context<Event, Record>) {
        let new = self.ports.resources.capacity(resource).at_most(rate);
        let before = (resource, self.fluid.capacity(resource));
        self.fluid.set_capacity(cx.now(), resource, new);
        cx.record(Record::Slow { resource, rate: new.rate.0 });
        self.record_changes(&[before], cx)
    }

    /// Records the changed rates, and sets the timer of the next completion.
    fn record_changes(&mut self, before: &[ResourceRate], cx: &impl Context<Event, Record>) {
        self.record_rates(before, cx);
        if let Some(timer) = self.timer.take() {
            cx.cancel(timer);
        }
        let next = self.fluid.next_completion().filter(|(at, _)| *at < Nanos::MAX);
        self.timer = next.map(|(at, _)| cx.timer(at.saturating_sub(cx.now()), Event::FlowEnds))
    }

    /// The way of acknowledgements, if they are counted.
    fn back(&self, path: &Path) -> Option<Path> {
        let counted = self.ports.settings.network == Network::Lv08;
        counted.then(|| self.ports.resources.reverse(path))
    }

    /// Present total rates of the resources that a flow uses.
    fn gives(&self, path: &Path) -> Vec<ResourceRate> {
        let back = self.back(path);
        let all = path.iter().chain(back.iter().flat_map(|back| back.iter()));
        all.map(|&resource| (resource, self.fluid.capacity(resource))).collect()
    }

    /// Records what limits each changed flow, and the use of each resource. A resource with equal
    /// use but another number of flows is included, since its disk seeks more or less.
    fn record_rates(&mut self, before: &[ResourceRate], cx: &impl Context<Event, Record>) {
        let mut changes = self.fluid.settle().clone();
        for id in changes.flows {
            let Some(&(Ends { flow, .. }, _)) = self.flows.get(&id) else { continue };
            match self.fluid.bottleneck(id) {
                Holder::Resource(resource) => cx.record(Record::Limited { flow, resource }),
                Holder::OwnCap => unreachable!("flows of the transport have no cap of their own"),
            }
        }
        let changed =
            |&&(resource, before): &&ResourceRate| self.fluid.capacity(resource) != before;
        changes.resources.extend(before.iter().filter(changed).map(|(resource, _)| *resource));
        changes.resources.sort_unstable();
        changes.resources.dedup();
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
                    let before = self.flows.get(&id).map_or(vec![], |(_, path)| self.gives(path));
                    self.cut(id, None, cx);
                    self.record_changes(&before, cx)
                }
            }
            Event::Flow(Request::Lost(node)) => self.lose(*node, cx),
            Event::Flow(Request::Back(node)) => drop(self.lost.discard(node)),
            Event::Flow(Request::Slow { resource, rate }) => self.slow(*resource, *rate, cx),
            _ => unreachable!("the solver was sent {event:?}"),
        }
    }
}
