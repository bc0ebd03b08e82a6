//! Who of the transport's LPs is where, and how systems speak to them.
use super::{Event, Settings, flow};
use crate::{Path, Resource, ResourceId, Resources};
use cluster::{InterRack, NodeId, Sharing};
use engine::{Context, Delay, Group, Lp, Lps, Message, Nanos, Says, Topology};

/// The transport as systems and its own LPs see it: what there is, and where. Built once, then
/// shared by all.
pub struct Ports {
    pub(super) resources: Resources,
    pub(super) settings: Settings,
    /// Fluid: the solver. Queue: a place for each node, then one for each rack's switch.
    pub(super) places: Lps<Event>,
    /// By resource: its place, and its number there.
    owner: Vec<(u32, u32)>,
    /// By place: its resources.
    owned: Vec<Vec<ResourceId>>,
}

impl Ports {
    /// Finds a place for everything. Racks' groups are in the order of `RackId`; the solver, and
    /// one link between two racks, are in no rack.
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
        Ports { resources, settings, places, owner, owned }
    }

    /// Everything that can limit a flow.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// All LPs of the transport.
    pub fn places(&self) -> Lps<Event> {
        self.places
    }

    /// Who hears of the flows of a path: [`flow::Request::Start`] and `Cut`.
    pub fn entry(&self, path: &Path) -> Lp<flow::Request> {
        self.of(path[0])
    }

    /// Who hears of a resource: [`flow::Request::Slow`].
    pub fn of(&self, resource: ResourceId) -> Lp<flow::Request> {
        self.places.at(self.owner(resource).0).port()
    }

    /// Who hears of a node: [`flow::Request::Lost`] and `Back`.
    pub fn of_node(&self, node: NodeId) -> Lp<flow::Request> {
        self.of(self.resources.nic_out(node))
    }

    /// A flow begins, now: what is the same for all systems that start one.
    ///
    /// Under queue sharing chunks carry the latency of their way; under fluid sharing all of it
    /// passes before the flow's rate is found.
    ///
    /// # Panics
    /// A path through nothing.
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

    /// The place of a resource, and its number there.
    pub(super) fn owner(&self, resource: ResourceId) -> (u32, u32) {
        self.owner[resource.at()]
    }

    /// The resources of a place.
    pub(super) fn owned(&self, place: u32) -> &[ResourceId] {
        &self.owned[place as usize]
    }

    /// On top of the topology's bound, from a resource to the next one's place: the one link of two
    /// racks is a hop from everybody, and what it takes to cross it passes behind it.
    pub(super) fn crossing(&self, from: ResourceId) -> Nanos {
        match self.resources.get(from) {
            Resource::InterRackLink => self.resources.inter_rack_latency(),
            _ => Nanos::ZERO,
        }
    }
}

fn place_of(settings: &Settings, nodes: u32, resource: Resource) -> u32 {
    match (settings.sharing, resource.node(), resource.rack()) {
        (Sharing::Fluid, ..) => 0,
        (Sharing::Queue, Some(node), _) => node.0,
        (Sharing::Queue, None, rack) => nodes + rack.map_or(0, |rack| rack.0),
    }
}
