//! Policy `auto`: pivot and naive stripes, by the number of writing clients.
use super::{SchedulePolicy, StripeSchedule, dealt};
use xor_protocol::Layout;
use xor_protocol::strategy::{Strategy, ideal};

pub struct Auto;

impl SchedulePolicy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn doc(&self) -> &'static str {
        "Pivot stripes and naive ones, mixed by the number of writing clients.\n\n# What it \
         decides\nThe share of naive stripes: the one at which the clients' links and the nodes' \
         links are full together.\n\n# When it helps\nAlways: it is the better of pivot and naive, \
         and between them (three clients on five nodes) a third faster than either.\n\n# What it \
         costs\nThe nodes must report the number of writers.\n\n# \
         Reference\nsystems/xor/docs/protocol.md, f = (C in - D) / ((n m - D) + C (in - m))."
    }

    fn sequence(&self, layout: &Layout, writers: usize, first: usize) -> Vec<StripeSchedule> {
        dealt(Strategy::Auto, layout, writers, first)
    }

    fn ideal(&self, layout: &Layout, writers: usize) -> f64 {
        ideal(layout, Strategy::Auto, writers)
    }
}
