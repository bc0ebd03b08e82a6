//! Stripes run by plans, windows and tails, with blocks that arrive in any order.
use std::collections::BTreeMap;
use xor_protocol::node_plan::{NodePlan, Progress, StepKind, Unexpected};
use xor_protocol::schedule::{Kind, Mix, Party, Share, Source};
use xor_protocol::window::{Tails, Window};
use xor_protocol::{Cell, Layout};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn number(stripe: u64, data: usize) -> u64 {
    (stripe * 1000 + data as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

struct Flight {
    /// `None`: from the client.
    from: Option<usize>,
    to: usize,
    stripe: u64,
    block: usize,
    value: u64,
}

struct Node {
    tails: Tails,
    stripes: BTreeMap<u64, (Kind, Progress)>,
    ring: Vec<Option<(u64, u64)>>,
    stored: BTreeMap<(u64, Cell), u64>,
}

struct Run {
    layout: Layout,
    plans: BTreeMap<(Kind, usize), NodePlan>,
    nodes: Vec<Node>,
    flights: Vec<Flight>,
    /// In transit to the client.
    acks: Vec<(usize, u64)>,
    slots: usize,
    size: u64,
}

impl Run {
    fn new(layout: Layout, size: u64) -> Run {
        let n = layout.nodes();
        let kinds = (0..n).map(Kind::Pivot).chain([Kind::Naive, Kind::Chain]);
        let mut plans = BTreeMap::new();
        for kind in kinds {
            let schedule = kind.schedule(&layout);
            (0..n).for_each(|node| {
                plans.insert((kind, node), NodePlan::of(&schedule, node));
            });
        }
        let slots = plans.values().map(NodePlan::blocks_in).max().expect("plans");
        let node = |_| Node {
            tails: Tails::new(1 + n, size),
            stripes: BTreeMap::new(),
            ring: vec![None; slots * size as usize],
            stored: BTreeMap::new(),
        };
        let nodes = (0..n).map(node).collect();
        Run { layout, plans, nodes, flights: Vec::new(), acks: Vec::new(), slots, size }
    }

    fn client_sends(&mut self, stripe: u64, kind: Kind) {
        for step in kind.schedule(&self.layout).steps.iter().filter(|s| s.from == Party::Client) {
            let value = step.xor.iter().fold(0, |sum, source| match source {
                Source::Data(data) => sum ^ number(stripe, *data),
                Source::Block(_) => unreachable!("the client has data only"),
            });
            self.flights.push(Flight { from: None, to: step.to, stripe, block: step.block, value });
        }
    }

    /// A block arrives, and the node performs the steps that it enables. A forwarded block stays in
    /// use until it has arrived.
    fn deliver(&mut self, flight: Flight, kinds: &[Kind]) {
        let (to, stripe) = (flight.to, flight.stripe);
        if let Some(from) = flight.from {
            self.complete_step(from, 1 + to, stripe);
        }
        let kind = kinds[stripe as usize];
        let plan = self.plans[&(kind, to)].clone();
        let node = &mut self.nodes[to];
        node.tails.admit(stripe).expect("no writer overtakes a tail");
        if let std::collections::btree_map::Entry::Vacant(place) = node.stripes.entry(stripe) {
            place.insert((kind, Progress::new(&plan)));
            let uses = [None].into_iter().chain((0..self.layout.nodes()).map(Some));
            node.tails.begin(stripe, uses.map(|consumer| plan.uses(consumer)));
        }
        let slot = (stripe % self.size) as usize * self.slots + flight.block;
        node.ring[slot] = Some((stripe, flight.value));
        let mut ready = Vec::new();
        let progress = &mut node.stripes.get_mut(&stripe).expect("begun").1;
        progress.arrive(&plan, flight.block, &mut ready).expect("expected");
        for step in ready.into_iter().map(|at| &plan.steps()[at]) {
            let base = (stripe % self.size) as usize * self.slots;
            let value = step.from.iter().fold(0, |sum, &block| {
                let (of, value) = self.nodes[to].ring[base + block].expect("it has arrived");
                assert_eq!(of, stripe, "the slot was overwritten");
                sum ^ value
            });
            match step.kind {
                StepKind::Keep { row } => {
                    let cell = Cell { node: to, row };
                    let before = self.nodes[to].stored.insert((stripe, cell), value);
                    assert_eq!(before, None, "stored twice");
                    self.complete_step(to, 0, stripe);
                }
                StepKind::Forward { to: next, block } => {
                    self.flights.push(Flight { from: Some(to), to: next, stripe, block, value });
                }
            }
        }
    }

    fn complete_step(&mut self, node: usize, consumer: usize, stripe: u64) {
        let tails = &mut self.nodes[node].tails;
        let before = tails.low();
        tails.complete_step(consumer, stripe);
        if tails.low() != before {
            self.acks.push((node, tails.low()));
        }
    }
}

fn kinds_of(choice: usize, n: usize, stripes: u64) -> Vec<Kind> {
    let mut mix = Mix::new(n, Share { num: 1, den: 3 }, choice);
    let deal = |stripe: u64| match choice % 4 {
        0 => Kind::Naive,
        1 => Kind::Chain,
        2 => Kind::Pivot(stripe as usize % n),
        _ => mix.deal(),
    };
    (0..stripes).map(deal).collect()
}

/// Any order of arrival, any window: the run ends, nothing is overwritten, all cells are right.
#[test]
fn no_order_of_arrival_deadlocks_or_overwrites() {
    let mut dice = Dice(1);
    for seed in 0..240 {
        let layout = Layout::best(3 + seed % 6).expect("a layout");
        let (n, stripes, size) = (layout.nodes(), 12, 1 + dice.below(5) as u64);
        let kinds = kinds_of(seed / 6, n, stripes);
        let mut run = Run::new(layout, size);
        let mut window = Window::new(n, size);
        loop {
            while window.next() < stripes
                && let Some(stripe) = window.begin()
            {
                run.client_sends(stripe, kinds[stripe as usize]);
            }
            let waiting = run.flights.len() + run.acks.len();
            if waiting == 0 {
                break;
            }
            match dice.below(waiting) {
                at if at < run.flights.len() => {
                    let flight = run.flights.swap_remove(at);
                    run.deliver(flight, &kinds);
                }
                at => {
                    let at = at - run.flights.len();
                    let (node, upto) = run.acks.swap_remove(at);
                    window.ack(node, upto).expect("of stripes that were begun");
                }
            }
        }
        assert_eq!(window.all_done_before(), stripes, "seed {seed}: it stands still");
        for stripe in 0..stripes {
            for cell in run.layout.cells() {
                let data = run.layout.contents(cell).iter();
                let right = data.fold(0, |sum, &d| sum ^ number(stripe, d));
                assert_eq!(run.nodes[cell.node].stored[&(stripe, cell)], right);
            }
        }
    }
}

#[test]
fn what_was_not_to_come_is_refused() {
    let layout = Layout::best(3).expect("a layout");
    let plan = NodePlan::of(&Kind::Chain.schedule(&layout), 1);
    let (mut progress, mut ready) = (Progress::new(&plan), Vec::new());
    assert_eq!(progress.arrive(&plan, 2, &mut ready), Err(Unexpected::Beyond(2)));
    assert_eq!(progress.arrive(&plan, 1, &mut ready), Ok(()));
    assert_eq!(progress.arrive(&plan, 1, &mut ready), Err(Unexpected::Twice(1)));
    assert!(ready.is_empty(), "its own block is still missing");
    assert_eq!(progress.arrive(&plan, 0, &mut ready), Ok(()));
    assert_eq!(ready.len(), 2, "one to keep, the sum to send");
}

#[test]
fn a_tail_holds_the_writer() {
    let mut tails = Tails::new(2, 2);
    tails.begin(1, [1, 0].into_iter());
    assert!(tails.admit(0).is_ok() && tails.admit(1).is_ok());
    assert_eq!(tails.admit(2).map_err(|e| e.low), Err(0));
    tails.begin(0, [0, 2].into_iter());
    tails.complete_step(0, 1);
    tails.complete_step(1, 0);
    assert_eq!(tails.low(), 0, "one thing is left to do in stripe 0");
    tails.complete_step(1, 0);
    assert_eq!(tails.low(), 2);
    assert!(tails.admit(1).is_err() && tails.admit(3).is_ok());
}

#[test]
fn a_window_trusts_no_ack_of_what_was_not_begun() {
    let mut window = Window::new(2, 2);
    assert_eq!((window.begin(), window.begin(), window.begin()), (Some(0), Some(1), None));
    assert!(window.ack(0, 3).is_err());
    window.ack(0, 2).expect("begun");
    assert_eq!(window.begin(), None, "node 1 is not done");
    window.ack(1, 1).expect("begun");
    window.ack(1, 0).expect("late, and no harm");
    assert_eq!((window.begin(), window.begin(), window.all_done_before()), (Some(2), None, 1));
}
