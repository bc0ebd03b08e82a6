//! From a scenario to a trace: builds the world, runs it, and checks the result against the
//! invariants.
use super::{
    Node, NodeRecord, Role,
    assembly::Assembly,
    balancer::{Balancer, Balancing},
    clients::Clients,
    datanode::DataNode,
    flows::Flows,
    invariants::{Checker, Violation},
    messages::{Event, Reason},
    namenode::NameNode,
    reasons::SettingKeys,
    scenario_events,
    setup::{Addresses, ByNode, Setup, ends_undetected, last_fault, uplink_copies},
};
use cluster::{BlockIndex, Hardware, Network, NodeId, Sharing};
use engine::{Effort, Execution, Group, Nanos, Shared, Topology, World};
use hardware::{
    Resource, Resources, lv08,
    transport::{Settings, Transport},
};
use hdfs_scenario::{BlockMap, EventKind, Pacing, Redundancy, Scenario};
use hdfs_trace::Trace;
use std::{cell::Cell, ops::ControlFlow, sync::Arc, time::Instant};
use units::{BytesPerSec, u32_of};

pub struct Options<'p> {
    /// Scheduler and processes; the result does not depend on it. With several processes the first
    /// gets the trace.
    pub execution: Execution<'p>,
    /// Checks every record against the invariants.
    pub check: bool,
    /// Receives every committed event, which slows the run. Given in all processes or none.
    pub observer: Option<&'p mut Observer<'p>>,
}

/// Receives committed events in order.
pub type Observer<'w> = dyn FnMut(&engine::CommittedEvent<'_>) + 'w;

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub now: Nanos,
    pub events: u64,
    /// Records so far; with many flows in a resource an event has many.
    pub records: u64,
    /// Blocks short of replicas or racks.
    pub at_risk: u64,
    /// Copies given up so far because they took longer than
    /// `dfs.namenode.reconstruction.pending.timeout-sec`.
    pub given_up: u64,
}

/// Result of a finished or interrupted run.
#[derive(Debug)]
pub struct SimulationResult {
    /// Empty after an interruption, since sorting it can take seconds.
    pub trace: Trace,
    pub events: u64,
    pub records: u64,
    pub trace_hash: u128,
    /// Simulated time at the end.
    pub simulated: Nanos,
    /// Ended by the progress callback.
    pub interrupted: bool,
    /// Cost of the run; differs from run to run.
    pub effort: Effort,
    /// Wall time without building the world and sorting the trace \[s\].
    pub seconds: f64,
    /// CPU time of the calling thread in it \[s\].
    pub worked_s: f64,
    /// In the order of time.
    pub violations: Vec<Violation>,
    /// Blocks still at risk at the end, and why.
    pub unrepaired: Vec<(BlockIndex, Option<Reason>)>,
}

/// Limit of scenarios without an end of their own: no repair takes longer.
const HORIZON: Nanos = Nanos::secs(365 * 24 * 3600);

struct PreparedRun {
    world: World<'static, Node>,
    setup: Shared<Setup>,
    horizon: Nanos,
}

///
/// # Errors
/// If a policy does not exist; reading the scenario checks everything else.
pub fn simulate(
    scenario: &Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
    options: Options<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<SimulationResult, String> {
    Ok(run(prepare(scenario, blocks, seed)?, options, progress))
}

fn prepare(scenario: &Scenario, blocks: Arc<BlockMap>, seed: u64) -> Result<PreparedRun, String> {
    let policy = hdfs_policy::rereplication::registry::find(
        &scenario.policy.rereplication,
        scenario.policy.pacing,
    )
    .map_err(|e| e.to_string())?;
    refuse_groups(scenario, &blocks)?;
    let hardware = effective_hardware(scenario);
    let mut resources = Resources::build(&scenario.cluster, &hardware);
    let bandwidth = BytesPerSec(scenario.hdfs.transfer_bandwidth);
    if bandwidth.0 > 0 && bandwidth < hardware.nic {
        // `DataTransferThrottler`: one for all copies that a DataNode sends.
        resources.add_limit(Resource::CopyLimit, bandwidth)
    }
    if let Some(balancer) = &scenario.balancer {
        // `BlockBalanceThrottler`: one for all moves that a DataNode sends or receives.
        resources.add_limit(Resource::BalanceLimit, balancer.bandwidth)
    }
    let (topology, transport, lps) = places(scenario, &hardware, resources);
    let stop_margin = hardware.nic_latency + hardware.inter_rack_latency;
    let setup = Shared::new(Setup {
        hdfs: scenario.hdfs.clone(),
        balancer: Balancing::new(scenario, &blocks)?,
        keys: scenario.policy.clone(),
        model: scenario.model.clone(),
        racks: scenario.cluster.racks.iter().map(|r| r.nodes.clone()).collect(),
        by_node: ByNode::new(&blocks, scenario.cluster.nodes.len()),
        cluster: scenario.cluster.clone(),
        all_blocks: scenario.concerned().is_none(),
        foreground: scenario.foreground.clone(),
        blocks,
        ports: Shared::clone(&transport.ports),
        policy,
        settings: SettingKeys::new(scenario),
        leaves: scenario
            .events
            .iter()
            .any(|e| matches!(e.kind, EventKind::Decommission(_) | EventKind::Maintenance(_))),
        last_fault: last_fault(scenario),
        ends_undetected: ends_undetected(scenario),
        faults: !scenario.events.is_empty(),
        stop_margin: stop_margin.max(Nanos(2)),
        uplink_copies: uplink_copies(scenario),
        lps,
    });
    // The NameNode detects faults of nodes, but not slow hardware.
    let noticed = scenario.events.iter().filter(|e| e.kind.node().is_some());
    let alone = setup.balancer.as_ref().is_some_and(|b| b.alone);
    let faults = units::u32_of(noticed.count()) + u32::from(alone);
    let horizon = scenario.run.until.unwrap_or(HORIZON);
    let its = Shared::clone(&setup);
    let mut world =
        World::new(Shared::new(topology), seed, horizon, move |id| match transport.build(id) {
            Some(node) => Node::from(node),
            None => build(&its, faults, id).into(),
        });
    start(&mut world, scenario, &setup);
    Ok(PreparedRun { world, setup, horizon })
}

/// Rates and latencies that flows and messages get.
fn effective_hardware(scenario: &Scenario) -> Hardware {
    match (scenario.model.network, scenario.model.sharing) {
        (Network::Lv08, Sharing::Fluid) => lv08::effective(&scenario.hardware),
        _ => scenario.hardware.clone(),
    }
}

/// Fails for erasure-coded groups outside Hadoop 3.x.
fn refuse_groups(scenario: &Scenario, blocks: &BlockMap) -> Result<(), String> {
    let coded = |r: &Redundancy| matches!(r, Redundancy::ErasureCoded { .. });
    let pacing = match scenario.policy.pacing {
        Pacing::Hdfs3 => return Ok(()),
        Pacing::Hdfs1 => "hdfs1",
        Pacing::EventDriven => "event-driven",
    };
    match blocks.redundancy.iter().filter(|r| coded(r)).count() {
        0 => Ok(()),
        groups => Err(format!(
            "{}: policy.pacing = \"{pacing}\" has no erasure-coded groups, but the block map has \
             {groups}; set policy.pacing = \"hdfs3\"",
            scenario.file.display()
        )),
    }
}

fn run(
    prepared: PreparedRun,
    options: Options<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> SimulationResult {
    let PreparedRun { world, setup, horizon } = prepared;
    let (mut flows, mut assembly) = (Flows::new(&setup), Assembly::new(&setup));
    let Options { execution, check, observer } = options;
    let mut checker = (check && execution.is_first()).then(|| Checker::new(&setup));
    let (records, standing) = (Cell::new(0), Cell::new(assembly.risk_counts()));
    let sink = |stamp: engine::Stamp, record: NodeRecord| {
        records.set(records.get() + 1);
        flows.each(record, |record| {
            if let Some(checker) = &mut checker {
                checker.record(stamp.at, record)
            }
            assembly.record(stamp.at, record)
        });
        standing.set(assembly.risk_counts())
    };
    let progress = |p: engine::Progress| {
        let engine::Progress { now, events, .. } = p;
        let (records, (at_risk, given_up)) = (records.get(), standing.get());
        progress(Progress { now, events, records, at_risk, given_up })
    };
    #[allow(clippy::disallowed_methods, reason = "what a run takes is no part of its outcome")]
    let (started, worked) = (Instant::now(), engine::worked_s());
    let (outcome, effort) = match observer {
        None => world.run_with(execution, sink, progress),
        Some(observer) => world.run_observed(execution, sink, observer, progress),
    };
    let (seconds, worked_s) = (started.elapsed().as_secs_f64(), engine::worked_s() - worked);
    let complete = !outcome.interrupted && outcome.end < horizon;
    let (trace, unrepaired) = match outcome.interrupted {
        true => Default::default(),
        false => assembly.finish(outcome.end, !complete),
    };
    let violations = checker.map_or(vec![], |c| c.finish(complete, &unrepaired));
    SimulationResult {
        trace,
        events: outcome.events,
        records: records.get(),
        trace_hash: outcome.trace_hash,
        simulated: outcome.end,
        interrupted: outcome.interrupted,
        effort,
        seconds,
        worked_s,
        violations,
        unrepaired,
    }
}

/// Topology: a group per rack with its switch. The NameNode has a rack of its own if there are
/// several racks. Latencies of the hardware are the lower bounds of delay. LPs that are no machine
/// are one hop from everywhere.
fn places(
    scenario: &Scenario,
    h: &Hardware,
    resources: Resources,
) -> (Topology, Transport, Addresses) {
    let (hop, between) = (h.nic_latency, h.nic_latency + h.inter_rack_latency);
    let mut topology = Topology::tree(hop);
    let root = topology.root();
    let cluster = topology.group(root, between);
    let racks: Vec<Group> =
        scenario.cluster.racks.iter().map(|_| topology.group(cluster, hop)).collect();
    let apart = match racks.as_slice() {
        [only] => *only,
        _ => topology.group(cluster, hop),
    };
    let namenode = topology.place_in(1, |_| apart).at(0);
    let model = &scenario.model;
    let settings = Settings { sharing: model.sharing, chunk: model.chunk, network: model.network };
    let transport = Transport::place(&mut topology, &racks, resources, settings);
    let rack = |n: u32| racks[scenario.cluster.nodes[n as usize].rack.at()];
    let datanodes = topology.place_in(u32_of(scenario.cluster.nodes.len()), rack);
    let clients = topology.place_in(scenario.foreground.is_some() as u32, |_| root);
    let balancer = topology.place_in(u32::from(scenario.balancer.is_some()), |_| root);
    (topology, transport, Addresses { namenode, datanodes, clients, balancer })
}

fn build(setup: &Shared<Setup>, faults: u32, id: u32) -> Role {
    let (lps, setup) = (setup.lps, Shared::clone(setup));
    if id == lps.namenode.id() {
        return Role::Name(Box::new(NameNode::new(setup, faults)));
    }
    if lps.clients.index(id).is_some() {
        return Role::Clients(Box::new(Clients::new(setup)));
    }
    if lps.balancer.index(id).is_some() {
        return Role::Balancer(Box::new(Balancer::new(setup)));
    }
    let index = lps.datanodes.index(id).expect("an LP of this model");
    Role::Data(Box::new(DataNode::new(setup, NodeId(index))))
}

fn start(world: &mut World<Node>, scenario: &Scenario, setup: &Setup) {
    let lps = setup.lps;
    world.start(lps.namenode, Nanos(1), Event::Boot);
    for node in lps.datanodes.iter().chain(lps.clients.iter()) {
        world.start(node, Nanos(1), Event::Boot)
    }
    if let (Some(balancer), Some(lp)) = (&scenario.balancer, lps.balancer.iter().next()) {
        world.start(lp, balancer.start.max(Nanos(2)), Event::BalanceTick)
    }
    scenario_events::start(world, scenario, setup)
}
