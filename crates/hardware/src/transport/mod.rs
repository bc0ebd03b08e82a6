//! Flows over shared paths, as LPs that every system can use, so that two systems can share a NIC.
//!
//! ```text
//!  system A ── flow::Request ──► ┌───────────┐  fluid: one LP owns the solver
//!           ◄── flow::Reply ──── │ transport │
//!  system B ── flow::Request ──► └───────────┘  queue: an LP for each node and each rack's switch
//!           ◄── flow::Reply ────       │
//!                                      └─► Record: use of resources, what limited a flow
//! ```
//!
//! A system that moves bytes says `#[message(sends(flow::Request))]`, hears
//! `#[from] flow::Reply`, holds a `Shared<Ports>`, and calls [`Ports::start`]; it sees nothing of
//! how resources are shared. The other end of a flow may hear the replies, too
//! ([`flow::Start::peer`]). [`Transport`] is the submodel: `place`, `build`, then
//! `#[hears(flow::Request)] Transport(transport::Node)` in the enum that wires the systems.
//!
//! # Queue sharing
//!
//! A chunk is served by one resource of its path after the other. At each, flows take turns, a
//! chunk each (round robin), and a flow has at most four chunks for each hop of its path under way.
//! Round robin with windows that are large enough gives max-min fair rates (E. Hahne, *Round-robin
//! scheduling for max-min fairness in data networks*, IEEE JSAC 9(7), 1991), which is what `fluid`
//! computes: they agree within 2 % where both apply, and a test says so.
//!
//! A path is made known once to the LPs along it, which keep a row for each of its hops. A chunk is
//! then a flow's name, a hop, and the row at which the receiver finds both: 16 bytes, and it lies
//! in no queue, since a row counts those that wait. The receiver acknowledges once for each quarter
//! of a window.
//!
//! A chunk whose turn comes is sent on at once, to arrive when it is through and has crossed to the
//! next LP; also from a node that is lost in between. So an event is needed where a chunk comes,
//! and where a turn ends for which others wait. A resource, and a flow at a resource, are a cache
//! line each, and are asked for before the event comes ([`Model::foresee`]).
mod ends;
pub mod flow;
mod hop;
mod hops;
mod messages;
mod place;
mod ports;
mod solver;
mod source;
mod turns;
use crate::Resources;
use cluster::Sharing;
use engine::{Group, Model, Rewind, Shared, Topology};
pub use flow::FlowName;
pub use hop::Touched;
pub use messages::{Event, Record, Route};
pub use place::Place;
pub use ports::Ports;
pub use solver::Solver;
pub use turns::REPORTED_EVERY;
use units::Bytes;

/// How flows share what they run through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub sharing: Sharing,
    /// Queue: the size of a chunk; 1 byte to 4 GiB.
    pub chunk: Bytes,
    /// Fluid: flows get rates in proportion to 1/latency, as SimGrid's CM02.
    pub latency_weights: bool,
}

/// One LP of the transport.
#[derive(Rewind, Model)]
pub enum Node {
    /// Fluid: the one that owns the solver.
    Solver(Box<Solver>),
    /// Queue: a node's disks and NIC, or a rack's switch.
    Place(Box<Place>),
}

pub struct Transport {
    /// For the systems that use it.
    pub ports: Shared<Ports>,
}

impl Transport {
    /// Ids for its LPs; see [`Ports::place`].
    ///
    /// # Panics
    /// A chunk of no bytes, or of more than 4 GiB: the scenario's check refuses them.
    pub fn place(
        topology: &mut Topology,
        racks: &[Group],
        resources: Resources,
        settings: Settings,
    ) -> Transport {
        let chunk = settings.chunk.0;
        assert!((1..=u32::MAX as u64).contains(&chunk), "chunks of {chunk} bytes");
        Transport { ports: Shared::new(Ports::place(topology, racks, resources, settings)) }
    }

    /// The LP of an id, if it is the transport's.
    pub fn build(&self, id: u32) -> Option<Node> {
        let place = self.ports.places().index(id)?;
        let ports = Shared::clone(&self.ports);
        Some(match self.ports.settings.sharing {
            Sharing::Fluid => Node::Solver(Box::new(Solver::new(ports))),
            Sharing::Queue => Node::Place(Box::new(Place::new(ports, place))),
        })
    }
}

/// An event with the tag of its variant, and the tag that a system of several kinds adds, lies in
/// half a cache line.
const _: () = assert!(size_of::<Event>() <= 24);
