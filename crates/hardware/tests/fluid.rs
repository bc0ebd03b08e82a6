//! Compares the fluid solver with a naive progressive filling, and with the definition of max-min
//! fairness.
use crate::common::Dice;
use crate::oracle::oracle;
use hardware::*;
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec, Nanos};

/// A solver, and all its inputs.
struct Pair {
    fluid: Fluid,
    capacity: Vec<Capacity>,
    flows: BTreeMap<FlowId, FlowSpec>,
    now: Nanos,
}

fn capacity(dice: &mut Dice) -> Capacity {
    let rate = BytesPerSec::mb(
        [10, 20, 50, 65, 100, 125, 125, 1 + dice.below(300)][dice.below(8) as usize],
    );
    if dice.below(3) == 0 {
        Capacity {
            seek: Nanos::millis(1 + dice.below(10)),
            batch: Bytes(1 << 20),
            curve: cluster::DiskCurve::quarters(dice.below(5) as u8),
            ..Capacity::fixed(rate)
        }
    } else {
        Capacity::fixed(rate)
    }
}

impl Pair {
    fn new(dice: &mut Dice, resources: u64) -> Pair {
        let capacity: Vec<Capacity> = (0..resources).map(|_| capacity(dice)).collect();
        Pair { fluid: Fluid::new(&capacity), capacity, flows: BTreeMap::new(), now: Nanos(0) }
    }

    fn path(&self, dice: &mut Dice, most: u64) -> Path {
        let mut path = Path::new(Nanos(0));
        for _ in 0..1 + dice.below(most) {
            let id = ResourceId(dice.below(self.capacity.len() as u64) as u32);
            if !path.contains(&id) {
                path = path.via(id)
            }
        }
        path
    }

    fn start(&mut self, dice: &mut Dice, weighted: bool) {
        let path = self.path(dice, 6);
        let mut spec = FlowSpec::new(path, Bytes(1 + dice.below(1 << 30)));
        if weighted && dice.below(2) == 0 {
            spec.weight = [0.5, 2.0, 6.0, 0.1, 1.0 / 3.0][dice.below(5) as usize]
        }
        if weighted && dice.below(3) == 0 {
            spec.back = Some(self.path(dice, 8))
        }
        if dice.below(5) == 0 {
            spec.cap = Some(BytesPerSec::mb(1 + dice.below(60)))
        }
        let id = self.fluid.start(self.now, spec);
        assert!(self.flows.insert(id, spec).is_none(), "{id:?} is in use");
    }

    fn any(&self, dice: &mut Dice) -> Option<FlowId> {
        let n = self.flows.len() as u64;
        (n > 0).then(|| *self.flows.keys().nth(dice.below(n) as usize).unwrap())
    }

    fn change(&mut self, dice: &mut Dice, weighted: bool, aim: u64) {
        let few = (self.flows.len() as u64) < aim;
        match dice.below(10) {
            0 => {
                let id = dice.below(self.capacity.len() as u64);
                self.capacity[id as usize] = capacity(dice);
                self.fluid.set_capacity(
                    self.now,
                    ResourceId(id as u32),
                    self.capacity[id as usize],
                );
            }
            n if n < if few { 8 } else { 3 } => self.start(dice, weighted),
            _ => {
                if let Some(flow) = self.any(dice) {
                    self.fluid.cancel(self.now, flow);
                    self.flows.remove(&flow);
                }
            }
        }
    }

    fn check(&self) {
        let specs: Vec<FlowSpec> = self.flows.values().copied().collect();
        let expected = oracle(&self.capacity, &specs);
        for (expected, &id) in expected.iter().zip(self.flows.keys()) {
            let rate = self.fluid.rate(id);
            assert!(
                (rate - expected).abs() <= 1e-9 * expected,
                "{id:?}: {rate}, should be {expected}"
            );
        }
        self.check_definition();
    }

    /// No capacity is exceeded, and each flow has the bottleneck that is reported.
    fn check_definition(&self) {
        let mut used = vec![0.0; self.capacity.len()];
        let mut most = vec![0.0f64; self.capacity.len()];
        let mut streams = vec![0; self.capacity.len()];
        for (&id, spec) in &self.flows {
            for at in 0..used.len() {
                let (rate, part) = (self.fluid.rate(id), spec.use_of(ResourceId(at as u32)));
                used[at] += rate * part;
                streams[at] += u32::from(part > 0.0);
                most[at] = most[at].max(if part > 0.0 { rate / spec.weight } else { 0.0 });
            }
        }
        let full: Vec<f64> = self.capacity.iter().zip(&streams).map(|(c, &n)| c.at(n)).collect();
        for (i, (&used, &full)) in used.iter().zip(&full).enumerate() {
            assert!(used <= full * (1.0 + 1e-9), "resource {i}: {used} of {full}");
            let told = self.fluid.used(ResourceId(i as u32));
            assert!((told - used).abs() < 0.01, "resource {i} uses {used}, told {told}");
        }
        for (&id, spec) in &self.flows {
            let rate = self.fluid.rate(id);
            match self.fluid.bottleneck(id) {
                Holder::OwnCap => assert!(rate >= spec.cap.unwrap().0 as f64 * (1.0 - 1e-8)),
                Holder::Resource(r) => {
                    assert!(spec.use_of(r) > 0.0);
                    assert!(
                        used[r.at()] >= full[r.at()] * (1.0 - 1e-8),
                        "{id:?}: {r:?} is not full"
                    );
                    let share = rate / spec.weight;
                    assert!(share >= most[r.at()] * (1.0 - 1e-8), "{id:?} is not first in {r:?}");
                }
            }
        }
    }
}

#[test]
fn thousands_of_small_networks() {
    for seed in 0..3000 {
        let mut dice = Dice(seed);
        let resources = 1 + dice.below(12);
        let mut pair = Pair::new(&mut dice, resources);
        let (weighted, aim) = (dice.below(2) == 0, 1 + dice.below(25));
        for _ in 0..20 {
            for _ in 0..1 + dice.below(3) {
                pair.change(&mut dice, weighted, aim);
            }
            pair.fluid.settle();
            pair.check();
            pair.now += Nanos(dice.below(1_000_000));
        }
    }
}

#[test]
fn a_long_history_leaves_no_error() {
    let mut dice = Dice(77);
    let mut pair = Pair::new(&mut dice, 120);
    for step in 0..6000 {
        pair.change(&mut dice, true, 60);
        pair.fluid.settle();
        if step % 10 == 0 {
            pair.check();
        }
        pair.now += Nanos(dice.below(1_000_000));
    }
    let cost = pair.fluid.cost();
    assert!(cost.fills < 3000 && cost.evaluations > 10_000, "both ways are taken: {cost:?}");
}

/// Exactly the reported flows and resources have changed.
#[test]
fn changes_are_complete_and_not_idle() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let mut pair = Pair::new(&mut dice, 15);
        let mut seen: BTreeMap<FlowId, (f64, Holder)> = BTreeMap::new();
        let mut used = vec![0.0; 15];
        for _ in 0..60 {
            let starts_or_ends: Vec<FlowId> = pair.flows.keys().copied().collect();
            pair.change(&mut dice, true, 12);
            let changes = pair.fluid.settle().clone();
            let kept = |id: &FlowId| starts_or_ends.contains(id);
            for &id in pair.flows.keys() {
                let now = (pair.fluid.rate(id), pair.fluid.bottleneck(id));
                let differs = seen.get(&id) != Some(&now) || !kept(&id);
                assert_eq!(changes.flows.contains(&id), differs, "seed {seed}: {id:?}");
                seen.insert(id, now);
            }
            seen.retain(|id, _| pair.flows.contains_key(id));
            assert!(changes.flows.is_sorted() && changes.resources.is_sorted());
            for (id, used) in (0..).map(ResourceId).zip(&mut used) {
                let now = pair.fluid.used(id);
                assert_eq!(changes.resources.contains(&id), now != *used, "seed {seed}: {id:?}");
                *used = now;
            }
        }
    }
}

/// Every byte arrives, at the time that follows from the rates.
#[test]
fn completions_follow_from_the_rates() {
    for seed in 0..100 {
        let mut dice = Dice(seed);
        let mut pair = Pair::new(&mut dice, 10);
        let mut through: BTreeMap<FlowId, f64> = BTreeMap::new();
        for _ in 0..20 {
            pair.start(&mut dice, true);
        }
        pair.fluid.settle();
        while let Some((at, first)) = pair.fluid.next_completion() {
            assert!(at >= pair.now);
            for &id in pair.flows.keys() {
                let moved = through.entry(id).or_default();
                *moved += pair.fluid.rate(id) * (at - pair.now).as_secs();
                assert!((pair.fluid.moved(at, id).0 as f64 - *moved).abs() < 2.0);
            }
            pair.now = at;
            let (bytes, rate) = (pair.flows[&first].bytes.0 as f64, pair.fluid.rate(first));
            let late = through.remove(&first).unwrap() - bytes;
            assert!(late > -0.01 && late < 0.01 + rate * 2e-9, "{late} bytes late");
            pair.fluid.finish(at, first);
            pair.flows.remove(&first);
            pair.fluid.settle();
            pair.check();
        }
        assert!(pair.fluid.is_empty());
        assert!((0..10).all(|id| pair.fluid.used(ResourceId(id)) == 0.0));
    }
}

fn one_way(ids: &[u32]) -> Path {
    ids.iter().fold(Path::new(Nanos(0)), |path, &id| path.via(ResourceId(id)))
}

#[test]
fn a_dead_link_holds_its_flows_until_it_is_back() {
    let link = |mb| Capacity::fixed(BytesPerSec::mb(mb));
    let mut fluid = Fluid::new(&[link(100), link(100)]);
    let both = fluid.start(Nanos(0), FlowSpec::new(one_way(&[0, 1]), Bytes::mb(100)));
    let one = fluid.start(Nanos(0), FlowSpec::new(one_way(&[0]), Bytes::mb(100)));
    fluid.settle();
    assert_eq!(fluid.next_completion(), Some((Nanos::secs(2), both)));
    fluid.set_capacity(Nanos::secs(1), ResourceId(1), link(0));
    fluid.settle();
    assert_eq!((fluid.rate(both), fluid.completion(both)), (0.0, Nanos::MAX));
    assert_eq!(fluid.bottleneck(both), Holder::Resource(ResourceId(1)));
    assert_eq!(fluid.next_completion(), Some((Nanos::millis(1500), one)));
    fluid.finish(Nanos::millis(1500), one);
    fluid.settle();
    assert_eq!(fluid.next_completion(), None);
    fluid.set_capacity(Nanos::secs(9), ResourceId(1), link(200));
    fluid.settle();
    assert_eq!(fluid.next_completion(), Some((Nanos::millis(9500), both)));
}

#[test]
fn a_second_stream_makes_a_disk_thrash() {
    let (seek, batch) = (Nanos::millis(10), Bytes::mb(1));
    let disk = Capacity { seek, batch, ..Capacity::fixed(BytesPerSec::mb(100)) };
    let mut fluid = Fluid::new(&[disk]);
    let first = fluid.start(Nanos(0), FlowSpec::new(one_way(&[0]), Bytes::mb(100)));
    fluid.settle();
    assert_eq!((fluid.rate(first), fluid.used(ResourceId(0))), (1e8, 1e8));
    let second = fluid.start(Nanos(0), FlowSpec::new(one_way(&[0]), Bytes::mb(100)));
    assert_eq!(fluid.settle().flows, [first, second]);
    assert_eq!((fluid.rate(first), fluid.used(ResourceId(0))), (2.5e7, 5e7));
    assert_eq!(fluid.capacity(ResourceId(0)), 5e7);
}

#[test]
fn of_equal_bottlenecks_the_first_on_the_path_is_named() {
    let capacity = [Capacity::fixed(BytesPerSec::mb(100)); 3];
    for path in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let mut fluid = Fluid::new(&capacity);
        let flow = fluid.start(Nanos(0), FlowSpec::new(one_way(&path), Bytes::mb(1)));
        fluid.settle();
        assert_eq!(fluid.bottleneck(flow), Holder::Resource(ResourceId(path[0])));
    }
}

#[test]
#[should_panic(expected = "settle")]
fn a_question_before_settling_is_a_bug() {
    let mut fluid = Fluid::new(&[Capacity::fixed(BytesPerSec(1))]);
    let flow = fluid.start(Nanos(0), FlowSpec::new(one_way(&[0]), Bytes(1)));
    fluid.rate(flow);
}

#[test]
#[should_panic(expected = "not through")]
fn ending_early_is_a_cancel() {
    let mut fluid = Fluid::new(&[Capacity::fixed(BytesPerSec(1))]);
    let flow = fluid.start(Nanos(0), FlowSpec::new(one_way(&[0]), Bytes(5)));
    fluid.settle();
    fluid.finish(Nanos::secs(4), flow);
}

/// Copies among hundreds of nodes in racks: the incremental and the full solver agree.
#[test]
fn clusters_are_solved_alike_both_ways() {
    const NODES: u64 = 240;
    for (seed, streams) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
        let mut dice = Dice(seed);
        // Disk, NIC out, NIC in; behind them an uplink out and in for each rack of 40.
        let node = [150, 125, 125].map(|mb| Capacity::fixed(BytesPerSec::mb(mb)));
        let uplinks = [Capacity::fixed(BytesPerSec::mb(2500)); 12];
        let capacity: Vec<_> = (0..NODES).flat_map(|_| node).chain(uplinks).collect();
        let mut twins = [Fluid::new(&capacity), Fluid::new(&capacity)];
        twins[1].always_fill(true);
        let mut copy = |from: u64| {
            let to = (from + 1 + dice.below(NODES - 1)) % NODES;
            let mut path = one_way(&[3 * from as u32, 3 * from as u32 + 1]);
            if from / 40 != to / 40 {
                let uplink =
                    |rack: u64, into: u64| ResourceId((3 * NODES + 2 * rack + into) as u32);
                path = path.via(uplink(from / 40, 0)).via(uplink(to / 40, 1));
            }
            let path = path.via(ResourceId(3 * to as u32 + 2)).via(ResourceId(3 * to as u32));
            FlowSpec::new(path, Bytes(64_000_000 + dice.below(64_000_000)))
        };
        let first: Vec<FlowSpec> = (0..NODES * streams).map(|i| copy(i / streams)).collect();
        for twin in &mut twins {
            for &spec in &first {
                twin.start(Nanos(0), spec);
            }
            twin.settle();
        }
        for _ in 0..400 {
            let (at, flow) = twins[0].next_completion().unwrap();
            let spec = copy(dice_of(flow) % NODES);
            for twin in &mut twins {
                twin.cancel(at, flow);
                twin.start(at, spec);
                twin.settle();
            }
            for flow in (0..first.len() as u32).map(FlowId) {
                let [ours, fresh] = [twins[0].rate(flow), twins[1].rate(flow)];
                assert!((ours - fresh).abs() <= 1e-9 * fresh, "{flow:?}: {ours} and {fresh}");
            }
        }
        assert!(twins[0].cost().fills < 20, "followed, not filled: {:?}", twins[0].cost());
    }
}

fn dice_of(flow: FlowId) -> u64 {
    Dice(flow.0 as u64).next()
}
