//! Policies: each gives the schedules of a client's stripes.
mod auto;
mod chain;
mod copies;
mod naive;
mod pivot;

use xor_protocol::Layout;
use xor_protocol::schedule::{Kind, Mix, Schedule, Share};
use xor_protocol::strategy::Strategy;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StripeSchedule {
    Parity(Kind),
    Copies,
}

impl StripeSchedule {
    pub fn schedule(self, layout: &Layout) -> Schedule {
        match self {
            StripeSchedule::Parity(kind) => kind.schedule(layout),
            StripeSchedule::Copies => copies::schedule(layout.nodes()),
        }
    }

    /// Data blocks of a stripe.
    pub fn data(self, layout: &Layout) -> usize {
        match self {
            StripeSchedule::Parity(_) => layout.data(),
            StripeSchedule::Copies => layout.nodes(),
        }
    }
}

pub trait SchedulePolicy: Sync {
    /// As in `policy.schedule`.
    fn name(&self) -> &'static str;

    fn doc(&self) -> &'static str;

    /// The sequence of a client's stripe schedules, which repeats. The client is number `first` of
    /// `writers` on the same nodes.
    fn sequence(&self, layout: &Layout, writers: usize, first: usize) -> Vec<StripeSchedule>;

    /// Total throughput of `writers` clients over full links, in units of one link.
    fn ideal(&self, layout: &Layout, writers: usize) -> f64;
}

pub static ALL: [&dyn SchedulePolicy; 5] =
    [&naive::Naive, &chain::Chain, &pivot::Pivot, &auto::Auto, &copies::Copies];

pub fn named(name: &str) -> Option<&'static dyn SchedulePolicy> {
    ALL.into_iter().find(|policy| policy.name() == name)
}

/// The layout of the relay for 3 to 26 nodes.
///
/// # Panics
/// On any other number; the scenario's check rejects it.
pub fn layout(nodes: usize) -> Layout {
    Layout::best(nodes).expect("3 to 26 nodes have a layout")
}

/// One period of a strategy's sequence.
fn dealt(strategy: Strategy, layout: &Layout, writers: usize, first: usize) -> Vec<StripeSchedule> {
    let nodes = layout.nodes();
    let mut mix = Mix::new(nodes, Share::NONE, first);
    let turns = match strategy {
        Strategy::Naive | Strategy::Chain => 1,
        Strategy::Pivot => nodes as u64,
        Strategy::Auto => Share::best(layout, writers).den * nodes as u64,
    };
    (0..turns).map(|_| StripeSchedule::Parity(strategy.deal(&mut mix, layout, writers))).collect()
}
