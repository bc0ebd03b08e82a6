//! Policy `naive`: the client computes the parity.
use super::{SchedulePolicy, StripeSchedule, dealt};
use xor_protocol::Layout;
use xor_protocol::strategy::{Strategy, ideal};

pub struct Naive;

impl SchedulePolicy for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn doc(&self) -> &'static str {
        "The client makes the parity and sends every cell.\n\n# What it decides\nNo node forwards \
         anything.\n\n# When it helps\nAs many clients write as there are nodes: the nodes' links \
         are full, and forwarding would add to their load. Reed-Solomon by the client moves the \
         same bytes.\n\n# What it costs\nThe client's link carries n / (n - 2) times the data: a \
         lone client gets 60 % of its link with five nodes.\n\n# Reference\nThe baseline of \
         Otsuji, Tatebe 2013."
    }

    fn sequence(&self, layout: &Layout, writers: usize, first: usize) -> Vec<StripeSchedule> {
        dealt(Strategy::Naive, layout, writers, first)
    }

    fn ideal(&self, layout: &Layout, writers: usize) -> f64 {
        ideal(layout, Strategy::Naive, writers)
    }
}
