//! Strategies: the schedule of each stripe, and the throughput with full links.
use crate::schedule::{Kind, Mix, Schedule, Share, chain, naive, pivot};
use crate::{Layout, mean_price};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strategy {
    Naive,
    /// The relay of Otsuji, Tatebe 2013.
    Chain,
    /// Nodes compute parity, round-robin.
    Pivot,
    /// Pivot and naive stripes, mixed by the number of writing clients.
    Auto,
}

impl Strategy {
    pub const ALL: [(&'static str, Strategy); 4] = [
        ("naive", Strategy::Naive),
        ("chain", Strategy::Chain),
        ("pivot", Strategy::Pivot),
        ("auto", Strategy::Auto),
    ];

    pub fn named(name: &str) -> Option<Strategy> {
        Strategy::ALL.iter().find(|(n, _)| *n == name).map(|(_, s)| *s)
    }

    /// Schedule of a client's next stripe. `writers` clients write at a time; `mix` belongs to this
    /// client.
    pub fn deal(self, mix: &mut Mix, layout: &Layout, writers: usize) -> Kind {
        match self {
            Strategy::Naive => Kind::Naive,
            Strategy::Chain => Kind::Chain,
            Strategy::Pivot => mix.deal(),
            Strategy::Auto => {
                mix.set_share(Share::best(layout, writers));
                mix.deal()
            }
        }
    }
}

/// Throughput of C clients in units of one link, if the schedule fills every link as far as it can.
pub fn ideal(layout: &Layout, strategy: Strategy, clients: usize) -> f64 {
    let share = match strategy {
        Strategy::Auto => Share::best(layout, clients),
        Strategy::Naive => Share::ALL,
        Strategy::Chain | Strategy::Pivot => Share::NONE,
    };
    let relayed: Vec<Schedule> = match strategy {
        Strategy::Chain => vec![chain(layout)],
        _ => (0..layout.nodes()).map(|node| pivot(layout, node)).collect(),
    };
    let price = |schedules: &[Schedule]| {
        let price = mean_price(layout, schedules).expect("our own schedules are right");
        [price.client_out.value(), price.node_in.value(), price.node_out.value()]
    };
    let (by_client, by_nodes) = (price(&[naive(layout)]), price(&relayed));
    let f = share.num as f64 / share.den as f64;
    let mixed = |at: usize| f * by_client[at] + (1.0 - f) * by_nodes[at];
    let stripes =
        [clients as f64 / mixed(0), 1.0 / mixed(1), 1.0 / mixed(2).max(f64::MIN_POSITIVE)];
    layout.data() as f64 * stripes.into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured throughputs on shaped links are 0.94 of the ideal; the rest is Ethernet and TCP
    /// headers.
    #[test]
    fn the_ideal_is_what_was_measured_before_but_for_the_headers() {
        let five = Layout::best(5).expect("a layout");
        let near = |strategy, clients, measured: f64| {
            let ideal = ideal(&five, strategy, clients) * 0.94;
            assert!((ideal / measured - 1.0).abs() < 0.04, "{strategy:?} {clients}: {ideal}");
        };
        for (clients, [naive, chain, pivot]) in
            [[0.57, 0.95, 0.93], [1.13, 1.25, 1.85], [1.70, 1.24, 1.98]].into_iter().enumerate()
        {
            near(Strategy::Naive, clients + 1, naive);
            near(Strategy::Chain, clients + 1, chain);
            near(Strategy::Pivot, clients + 1, pivot);
        }
        near(Strategy::Auto, 3, 2.22);
        for clients in 1..=5 {
            let auto = ideal(&five, Strategy::Auto, clients);
            assert!(auto >= ideal(&five, Strategy::Naive, clients) - 1e-9);
            assert!(auto >= ideal(&five, Strategy::Pivot, clients) - 1e-9);
        }
    }
}
