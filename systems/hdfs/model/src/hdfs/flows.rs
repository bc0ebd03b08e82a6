//! Translates the transport's records of flows into records of orders and copies.
use super::{
    NodeRecord,
    messages::{Order, Record},
    setup::Setup,
};
use engine::Nanos;
use hardware::transport::{self, FlowName};
use std::collections::BTreeMap;

/// Orders under way.
pub struct Flows<'a> {
    setup: &'a Setup,
    /// By the tag of its flow.
    orders: BTreeMap<u32, OrderFlow>,
}

/// `longest`: where its chunks have spent most time so far, and this time; `None` is the latency.
struct OrderFlow {
    order: Order,
    longest: (Nanos, Option<u32>),
}

impl<'a> Flows<'a> {
    pub fn new(setup: &'a Setup) -> Flows<'a> {
        Flows { setup, orders: BTreeMap::new() }
    }

    /// Passes HDFS's records on and translates the transport's. Flows of clients appear only as use
    /// of resources.
    pub fn each(&mut self, record: NodeRecord, mut to: impl FnMut(&Record)) {
        match record {
            NodeRecord::Hdfs(record) => {
                if let Record::Flows(order) = record {
                    let way = self.setup.path(&order).latency;
                    let chunks = order.bytes.0.div_ceil(self.setup.model.chunk.0.max(1));
                    let travelling = Nanos(way.0.saturating_mul(chunks));
                    let moving = OrderFlow { order, longest: (travelling, None) };
                    self.orders.insert(order.first.0, moving);
                }
                to(&record)
            }
            NodeRecord::Transport(record) => self.translate(&record, to),
        }
    }

    fn translate(&mut self, record: &transport::Record, mut to: impl FnMut(&Record)) {
        use transport::Record as Its;
        match *record {
            Its::Use { resource, rate, streams } => {
                to(&Record::Use { resource: resource.0, rate, queue: streams })
            }
            Its::Busy { resource, since, busy } => {
                to(&Record::Busy { resource: resource.0, since, busy })
            }
            Its::Slow { resource, rate } => to(&Record::Slow { resource: resource.0, rate }),
            Its::Began { flow } => {
                let order = self.order(flow);
                order.into_iter().flat_map(Order::legs).for_each(|leg| to(&Record::Started(leg)))
            }
            Its::Limited { flow, resource } => {
                let order = self.order(flow);
                let limited = |copy| Record::Limited { copy, resource: resource.0 };
                order.into_iter().flat_map(Order::copies).for_each(|copy| to(&limited(copy)))
            }
            Its::Spent { flow, resource, queued, served, .. } => {
                if let Some(moving) = self.orders.get_mut(&flow.tag) {
                    moving.longest = moving.longest.max((queued + served, Some(resource.0)))
                }
            }
            Its::Ended { flow, whole } => {
                let Some(moving) = self.orders.remove(&flow.tag).filter(|_| whole) else { return };
                let OrderFlow { order, longest: (_, by) } = moving;
                if !self.setup.is_fluid() {
                    order.legs().for_each(|leg| to(&Record::Held { copy: leg.copy, by }))
                }
                order.legs().for_each(|leg| to(&Record::Done(leg)))
            }
        }
    }

    fn order(&self, flow: FlowName) -> Option<&Order> {
        self.orders.get(&flow.tag).map(|moving| &moving.order)
    }
}
