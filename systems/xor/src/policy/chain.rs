//! Policy `chain`: the relay of Otsuji, Tatebe 2013.
use super::{SchedulePolicy, StripeSchedule, dealt};
use xor_protocol::Layout;
use xor_protocol::strategy::{Strategy, ideal};

pub struct Chain;

impl SchedulePolicy for Chain {
    fn name(&self) -> &'static str {
        "chain"
    }

    fn doc(&self) -> &'static str {
        "Parity is made along a chain: each node adds its block and forwards the sum.\n\n# What it \
         decides\nData go to the nodes that keep them; a row's and a diagonal's sum pass from node \
         to node, to the one that keeps the parity.\n\n# When it helps\nOne client writes: its \
         link carries only the data.\n\n# What it costs\nMost traffic between nodes (24 blocks for \
         12 of data, n = 5; a pivot 16), and more into the last node than into the others: two \
         clients get 1.1 of naive, three less.\n\n# Reference\nOtsuji, Tatebe 2013, over the \
         general layout."
    }

    fn sequence(&self, layout: &Layout, writers: usize, first: usize) -> Vec<StripeSchedule> {
        dealt(Strategy::Chain, layout, writers, first)
    }

    fn ideal(&self, layout: &Layout, writers: usize) -> f64 {
        ideal(layout, Strategy::Chain, writers)
    }
}
