//! Placement of the transport's LPs, and how systems reach them.
use super::{Event, Settings, flow};
use crate::{Capacity, Path, Resource, ResourceId, Resources};
use cluster::{InterRack, NodeId, Sharing};
use engine::{Context, Delay, Group, Lp, Lps, Message, Nanos, Says, Topology};

/// The transport as systems and its own LPs see it. Built once, then shared by all.
pub struct Ports {
    pub(super) resources: Resources,
    pub(super) settings: Settings,
    /// Fluid: the solver. Queue: one LP per node, then one per rack switch.
    pub(super) places: Lps<Event>,
    /// By resource: its LP, and its index there.
    owner: Vec<(u32, u32)>,
    owned: Vec<Vec<ResourceId>>,
    /// Distinct capacities: few, so that they stay in the cache.
    classes: Vec<Capacity>,
    /// By resource: index in `classes`.
    class_of: Vec<u32>,
}

impl Ports {
    /// Places the LPs and assigns the resources to them. `racks` is in the order of `RackId`. The
    /// solver, and the one link of two racks, are in no rack.
    pub fn place(
        topology: &mut Topology,
        racks: &[Group],
        resources: Resources,
        settings: Settings,
    ) -> Ports {
        let (root, nodes) = (topology.root(), resources.nodes());
        let rack_of = |i: u32| match i.checked_sub(nodes) {
            None => racks[resources.rack_of(NodeId(i)).at()],
            Some(_) if resources.joined_by() == Some(InterRack::OneLink) => root,
            Some(rack) => racks[rack as usize],
        };
        let places = match settings.sharing {
            Sharing::Fluid => topology.place_in(1, |_| root),
            Sharing::Queue => topology.place_in(nodes + units::u32_of(racks.len()), rack_of),
        };
        let mut owned = vec![Vec::new(); places.len() as usize];
        let owner = resources.iter().map(|(id, resource)| {
            let place = place_of(&settings, nodes, resource);
            owned[place as usize].push(id);
            (place, units::u32_of(owned[place as usize].len()) - 1)
        });
        let owner = owner.collect();
        let (classes, class_of) = classes(resources.capacities());
        Ports { resources, settings, places, owner, owned, classes, class_of }
    }

    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    pub fn places(&self) -> Lps<Event> {
        self.places
    }

    /// LP for requests about a path: [`flow::Request::Start`] and `Cut`.
    pub fn entry(&self, path: &Path) -> Lp<flow::Request> {
        self.of(path[0])
    }

    /// LP for requests about a resource: [`flow::Request::Slow`].
    pub fn of(&self, resource: ResourceId) -> Lp<flow::Request> {
        self.places.at(self.owner(resource).0).port()
    }

    /// LP for requests about a node: [`flow::Request::Lost`] and `Back`.
    pub fn of_node(&self, node: NodeId) -> Lp<flow::Request> {
        self.of(self.resources.nic_out(node))
    }

    /// Starts a flow now.
    ///
    /// Under queue sharing chunks carry the latency of their path. Under fluid sharing all of it
    /// passes before the flow has a rate.
    ///
    /// # Panics
    /// If the path is empty.
    pub fn start<E, R>(&self, cx: &impl Context<E, R>, start: flow::Start)
    where
        E: Message + Says<flow::Request>,
    {
        let to = self.entry(&start.path);
        let way = match self.settings.sharing {
            Sharing::Fluid => start.path.latency,
            Sharing::Queue => Nanos::ZERO,
        };
        let request = flow::Request::Start(Box::new(start));
        cx.send(to, Delay::link(cx.link(to)).plus(way), request)
    }

    /// LP of a resource, and its index there.
    pub(super) fn owner(&self, resource: ResourceId) -> (u32, u32) {
        self.owner[resource.at()]
    }

    pub(super) fn owned(&self, place: u32) -> &[ResourceId] {
        &self.owned[place as usize]
    }

    /// Index of a resource's capacity in the distinct ones.
    pub(super) fn class_of(&self, resource: ResourceId) -> u32 {
        self.class_of[resource.at()]
    }

    #[inline]
    pub(super) fn class(&self, class: u32) -> &Capacity {
        &self.classes[class as usize]
    }

    /// Latency to the next LP in addition to the topology's bound. The one link of two racks is one
    /// hop from every node; the time to cross it is added behind it.
    #[inline]
    pub(super) fn crossing(&self, from: u32) -> Nanos {
        match self.resources.joined_by() {
            Some(InterRack::OneLink) if from >= self.resources.nodes() => {
                self.resources.inter_rack_latency()
            }
            _ => Nanos::ZERO,
        }
    }
}

/// Distinct capacities, and by resource the index of its own.
fn classes(capacities: &[Capacity]) -> (Vec<Capacity>, Vec<u32>) {
    let key = |c: &Capacity| (c.rate, c.seek, c.batch, c.curve);
    let mut classes = capacities.to_vec();
    classes.sort_unstable_by_key(key);
    classes.dedup();
    let place = |c| classes.binary_search_by_key(&key(c), key).expect("all are there");
    let class_of = capacities.iter().map(|c| units::u32_of(place(c))).collect();
    (classes, class_of)
}

fn place_of(settings: &Settings, nodes: u32, resource: Resource) -> u32 {
    match (settings.sharing, resource.node(), resource.rack()) {
        (Sharing::Fluid, ..) => 0,
        (Sharing::Queue, Some(node), _) => node.0,
        (Sharing::Queue, None, rack) => nodes + rack.map_or(0, |rack| rack.0),
    }
}
