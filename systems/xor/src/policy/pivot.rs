//! Policy `pivot`: nodes compute the parity of stripes round-robin.
use super::{SchedulePolicy, StripeSchedule, dealt};
use xor_protocol::Layout;
use xor_protocol::strategy::{Strategy, ideal};

pub struct Pivot;

impl SchedulePolicy for Pivot {
    fn name(&self) -> &'static str {
        "pivot"
    }

    fn doc(&self) -> &'static str {
        "One node a stripe makes the parity, round-robin.\n\n# What it decides\nAll data of a \
         stripe go to its pivot, which forwards them to the nodes that keep them and sends the \
         sums.\n\n# When it helps\nOne or two clients write: of all schedules whose clients send \
         only the data, none moves fewer bytes between nodes, or into the busiest one.\n\n# What \
         it costs\nWith as many clients as nodes, 0.7 of naive: every block enters a node \
         twice.\n\n# Reference\nsystems/xor/docs/protocol.md: it meets the three lower bounds."
    }

    fn sequence(&self, layout: &Layout, writers: usize, first: usize) -> Vec<StripeSchedule> {
        dealt(Strategy::Pivot, layout, writers, first)
    }

    fn ideal(&self, layout: &Layout, writers: usize) -> f64 {
        ideal(layout, Strategy::Pivot, writers)
    }
}
