//! Flows over shared paths, as LPs for all systems, so that two systems can share a NIC.
//!
//! ```text
//!  system A ── flow::Request ──► ┌───────────┐  fluid: one LP owns the solver
//!           ◄── flow::Reply ──── │ transport │
//!  system B ── flow::Request ──► └───────────┘  queue: an LP for each node and each rack's switch
//!           ◄── flow::Reply ────       │
//!                                      └─► Record: use of resources, what limited a flow
//! ```
//!
//! A system that moves bytes declares `#[message(sends(flow::Request))]`, handles `#[from]
//! flow::Reply`, holds a `Shared<Ports>` and calls [`Ports::start`]. It does not depend on the kind
//! of sharing. The other end of a flow may receive the replies, too ([`flow::Start::peer`]).
//! [`Transport`] is the submodel: `place`, `build`, then `#[hears(flow::Request)]
//! Transport(transport::Node)` in the enum that wires the systems.
//!
//! # Queue sharing
//!
//! The resources of a path serve a chunk one after the other. At each, flows take turns, a chunk
//! each (round robin). A flow has at most four chunks per hop of its path in transit. With windows
//! that are large enough, round robin gives max-min fair rates (E. Hahne, *Round-robin scheduling
//! for max-min fairness in data networks*, IEEE JSAC 9(7), 1991), which `fluid` computes. Where
//! both apply they agree within 2 %, and a test checks this.
//!
//! A path is announced once to the LPs along it, which keep a row for each of its hops. A chunk is
//! then a flow's name, a hop, and the receiver's row: 16 bytes. It is in no queue, since a row
//! counts its waiting chunks. The receiver acknowledges once per quarter of a window.
//!
//! A chunk is sent when its turn begins, to arrive when it is served and has crossed to the next
//! LP; also from a node that fails in between. So only the arrival of a chunk, and the end of a
//! turn for which others wait, need an event. A resource, and a flow at a resource, take a cache
//! line each, which [`Model::foresee`] prefetches.
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
use cluster::{Network, Sharing};
use engine::{Group, Model, Rewind, Shared, Topology};
pub use flow::FlowName;
pub use hop::TouchedRows;
pub use messages::{Event, Record, Route};
pub use place::Place;
pub use ports::Ports;
pub use solver::Solver;
pub use turns::REPORTED_EVERY;
use units::Bytes;

/// How flows share resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub sharing: Sharing,
    /// Queue: size of a chunk; 1 byte to 4 GiB.
    pub chunk: Bytes,
    /// Fluid. For LV08 the resources are of [`lv08::effective`](crate::lv08::effective) hardware.
    pub network: Network,
}

#[derive(Rewind, Model)]
pub enum Node {
    /// Fluid: the only LP.
    Solver(Box<Solver>),
    /// Queue: a node's disks and NIC, or a rack's switch.
    Place(Box<Place>),
}

pub struct Transport {
    pub ports: Shared<Ports>,
}

impl Transport {
    /// Assigns ids to its LPs; see [`Ports::place`].
    ///
    /// # Panics
    /// For chunks of 0 bytes or of more than 4 GiB, which the scenario's check rejects.
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

    /// `None` if the LP is not the transport's.
    pub fn build(&self, id: u32) -> Option<Node> {
        let place = self.ports.places().index(id)?;
        let ports = Shared::clone(&self.ports);
        Some(match self.ports.settings.sharing {
            Sharing::Fluid => Node::Solver(Box::new(Solver::new(ports))),
            Sharing::Queue => Node::Place(Box::new(Place::new(ports, place))),
        })
    }
}

/// An event with the tag of its variant, and the tag that a system of several kinds adds, fits half
/// a cache line.
const _: () = assert!(size_of::<Event>() <= 24);
