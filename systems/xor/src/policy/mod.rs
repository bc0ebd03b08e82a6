//! Who makes the parity: each policy says by which schedules a client's stripes are written.
mod auto;
mod chain;
mod copies;
mod naive;
mod pivot;

use xor_protocol::Layout;
use xor_protocol::schedule::{Kind, Mix, Schedule, Share};
use xor_protocol::strategy::Strategy;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// With parity, by this schedule.
    Parity(Kind),
    /// As copies of each block.
    Copies,
}

impl Way {
    pub fn schedule(self, layout: &Layout) -> Schedule {
        match self {
            Way::Parity(kind) => kind.schedule(layout),
            Way::Copies => copies::schedule(layout.nodes()),
        }
    }

    /// Data blocks of a stripe.
    pub fn data(self, layout: &Layout) -> usize {
        match self {
            Way::Parity(_) => layout.data(),
            Way::Copies => layout.nodes(),
        }
    }
}

pub trait Scheduling: Sync {
    /// As `policy.schedule` names it.
    fn name(&self) -> &'static str;

    fn doc(&self) -> &'static str;

    /// The ways of a client's stripes, which repeat after the last; the client is the `first`-th of
    /// so many that write to the same nodes.
    fn ways(&self, layout: &Layout, writers: usize, first: usize) -> Vec<Way>;

    /// Data that `writers` clients get through together over links that are full, in units of one
    /// link.
    fn ideal(&self, layout: &Layout, writers: usize) -> f64;
}

pub static ALL: [&dyn Scheduling; 5] =
    [&naive::Naive, &chain::Chain, &pivot::Pivot, &auto::Auto, &copies::Copies];

/// The policy of this name.
pub fn named(name: &str) -> Option<&'static dyn Scheduling> {
    ALL.into_iter().find(|policy| policy.name() == name)
}

/// The layout of a file over so many nodes, 3 to 26, as the relay has it.
///
/// # Panics
/// Another number of nodes: the scenario's check refuses it.
pub fn layout(nodes: usize) -> Layout {
    Layout::best(nodes).expect("3 to 26 nodes have a layout")
}

/// What a strategy deals, until it begins again.
fn dealt(strategy: Strategy, layout: &Layout, writers: usize, first: usize) -> Vec<Way> {
    let nodes = layout.nodes();
    let mut mix = Mix::new(nodes, Share::NONE, first);
    let turns = match strategy {
        Strategy::Naive | Strategy::Chain => 1,
        Strategy::Pivot => nodes as u64,
        Strategy::Auto => Share::best(layout, writers).den * nodes as u64,
    };
    (0..turns).map(|_| Way::Parity(strategy.deal(&mut mix, layout, writers))).collect()
}
