//! Fluid sharing: one LP owns the solver, and every copy is a flow in it.
use super::{
    datanode::broken,
    messages::{CopyId, Event, Order, Record},
    setup::Setup,
};
use cluster::{DiskId, NodeId};
use engine::{Context, Model, Nanos, Rewind, Shared, Table, Timer};
use hardware::{FlowId, FlowSpec, Fluid, Holder, ResourceId};
use units::BytesPerSec;

/// The owner of the solver.
#[derive(Rewind)]
pub struct Network {
    setup: Shared<Setup>,
    fluid: Fluid,
    flows: Table<FlowId, Order>,
    lost: Table<NodeId, ()>,
    /// Disks that failed.
    failed: Table<(NodeId, DiskId), ()>,
    /// Tasks that came to nothing: a flow of theirs may be on its way here.
    aborted: Table<CopyId, ()>,
    timer: Option<Timer>,
}

impl Network {
    /// An empty network.
    pub fn new(setup: Shared<Setup>) -> Network {
        let fluid = Fluid::new(setup.resources.capacities());
        let (flows, lost, failed) = (Table::new(), Table::new(), Table::new());
        let aborted = Table::new();
        Network { setup, fluid, flows, lost, failed, aborted, timer: None }
    }

    fn start(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let lost = self.lost.iter().any(|(node, ())| order.is_of(*node));
        let aborted = self.aborted.contains(&order.task);
        if lost || aborted || self.failed.iter().any(|(&(node, disk), ())| order.uses(node, disk)) {
            return self.broken(order, cx);
        }
        let path = self.setup.path(&order);
        let mut flow = FlowSpec::new(path, order.bytes);
        if self.setup.model.latency_weights {
            flow.weight = path.latency_weight(self.setup.resources.shortest_latency())
        }
        let id = self.fluid.start(cx.now(), flow);
        self.flows.insert(id, order);
        if !order.purpose.is_foreground() {
            order.legs().for_each(|leg| cx.record(Record::Started(leg)))
        }
        self.tell_changes(cx);
        self.wake(cx)
    }

    fn finish(&mut self, cx: &impl Context<Event, Record>) {
        self.timer = None;
        while let Some((_, id)) = self.fluid.next_completion().filter(|(at, _)| *at <= cx.now()) {
            self.fluid.finish(cx.now(), id);
            self.tell_changes(cx);
            let order = self.flows.remove(&id).expect("a known flow");
            if order.purpose.is_foreground() {
                self.setup.serve(order, true, cx);
                continue;
            }
            order.legs().for_each(|leg| cx.record(Record::Done(leg)));
            self.tell(order.source, Event::Sent { order, whole: true }, cx);
            order.targets().iter().for_each(|to| self.tell(*to, Event::Arrived(order), cx))
        }
        self.wake(cx)
    }

    /// All its flows break off.
    fn lose(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        self.lost.insert(node, ());
        self.break_off(|order| order.is_of(node), cx)
    }

    /// All its flows break off, and those that are still to come.
    fn abort(&mut self, task: CopyId, cx: &impl Context<Event, Record>) {
        self.aborted.insert(task, ());
        self.break_off(|order| order.task == task, cx)
    }

    /// All flows from and to it break off.
    fn fail_disk(&mut self, node: NodeId, disk: DiskId, cx: &impl Context<Event, Record>) {
        self.failed.insert((node, disk), ());
        self.break_off(|order| order.uses(node, disk), cx)
    }

    fn break_off(&mut self, which: impl Fn(&Order) -> bool, cx: &impl Context<Event, Record>) {
        let gone: Vec<(FlowId, Order)> =
            self.flows.iter().filter(|(_, o)| which(o)).map(|(id, o)| (*id, *o)).collect();
        for (id, order) in gone {
            self.fluid.cancel(cx.now(), id);
            self.flows.discard(&id);
            self.broken(order, cx)
        }
        self.tell_changes(cx);
        self.wake(cx)
    }

    /// A resource gives no more than this from now on, to however many.
    fn slow(&mut self, resource: ResourceId, rate: BytesPerSec, cx: &impl Context<Event, Record>) {
        let old = self.setup.resources.capacity(resource);
        let new = old.at_most(rate);
        self.fluid.set_capacity(cx.now(), resource, new);
        cx.record(Record::Slow { resource: resource.0, rate: new.rate.0 });
        self.tell_changes(cx);
        self.wake(cx)
    }

    fn broken(&self, order: Order, cx: &impl Context<Event, Record>) {
        if order.purpose.is_foreground() {
            return self.setup.serve(order, false, cx);
        }
        // Of a task its node says so, once for all of its flows.
        if !order.purpose.is_of_task() {
            broken(&order, cx)
        }
        self.tell(order.source, Event::Sent { order, whole: false }, cx);
        order.targets().iter().for_each(|to| self.tell(*to, Event::Gone(order), cx))
    }

    fn tell(&self, node: NodeId, event: Event, cx: &impl Context<Event, Record>) {
        let to = self.setup.lps.datanodes.at(node.0);
        cx.tell(to, event)
    }

    /// What each flow is limited by now, and what each resource carries.
    fn tell_changes(&mut self, cx: &impl Context<Event, Record>) {
        let changes = self.fluid.settle().clone();
        for id in changes.flows {
            let order = self.flows.get(&id).filter(|order| !order.purpose.is_foreground());
            let Some(order) = order else { continue };
            let resource = match self.fluid.bottleneck(id) {
                Holder::Resource(r) => r.0,
                Holder::OwnCap => unreachable!("copies have no cap of their own"),
            };
            let copies = order.legs().map(|leg| leg.copy);
            copies.for_each(|copy| cx.record(Record::Limited { copy, resource }))
        }
        for resource in changes.resources {
            let (rate, queue) = (self.fluid.used(resource), self.fluid.streams(resource));
            cx.record(Record::Use { resource: resource.0, rate, queue })
        }
    }

    /// When the next flow ends.
    fn wake(&mut self, cx: &impl Context<Event, Record>) {
        if let Some(timer) = self.timer.take() {
            cx.cancel(timer);
        }
        let next = self.fluid.next_completion().filter(|(at, _)| *at < Nanos::MAX);
        self.timer = next.map(|(at, _)| cx.timer(at.saturating_sub(cx.now()), Event::FlowEnds))
    }
}

impl Model for Network {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Flow(order) => self.start(order, cx),
            Event::FlowEnds => self.finish(cx),
            Event::Abort(task) => self.abort(task, cx),
            Event::Lost(node) => self.lose(node, cx),
            Event::Back(node) => drop(self.lost.discard(&node)),
            Event::DiskLost(node, disk) => self.fail_disk(node, disk, cx),
            Event::Slow { resource, rate } => {
                self.slow(ResourceId(resource), BytesPerSec(rate), cx)
            }
            _ => unreachable!("the network was sent {event:?}"),
        }
    }
}
