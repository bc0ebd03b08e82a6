//! Requirements of a scenario on a real cluster, and scenarios that it cannot run.
use cluster::sheet::with_sets;
use cluster::{NodeId, Origin, Sheet};
use hdfs::job::bad;
use hdfs_policy::rereplication::registry::jar_setting;
use hdfs_scenario::{Blocks, EventKind, Pacing, Scenario, Workload, keys};
use system::Failure;
use testbed::plan::Plan;
use units::{Bytes, usize_of};

/// Disk space relative to the bytes written: room for repaired replicas and uneven placement.
const SPARE: u64 = 2;

const SMALLEST: Bytes = Bytes::mib(2048);

/// Hadoop's erasure codes by (data, parity).
const CODES: [((u8, u8), &str); 4] = [
    ((2, 1), "XOR-2-1-1024k"),
    ((3, 2), "RS-3-2-1024k"),
    ((6, 3), "RS-6-3-1024k"),
    ((10, 4), "RS-10-4-1024k"),
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TwinEvent {
    Lost(String),
    Leaves(String),
    /// The nodes `late` are empty, and the balancer runs to this threshold.
    Balances {
        late: Vec<String>,
        threshold: String,
    },
}

pub(crate) struct TwinSetup {
    pub plan: Plan,
    pub event: TwinEvent,
    /// Hadoop's name of the erasure code; `None`: replicated.
    pub code: Option<&'static str>,
    pub blocks: u64,
    /// Data blocks per group; 1 without a code.
    pub data: u64,
    pub block: Bytes,
    pub disk: Bytes,
    /// (real key, value) of the site file.
    pub site: Vec<(String, String)>,
    /// The scenario to simulate, which imports `cluster.toml`.
    pub text: String,
}

impl TwinSetup {
    /// # Errors
    /// A real cluster or the twin does not support the scenario.
    pub(crate) fn of(sheet: &Sheet, has_jar: bool) -> Result<TwinSetup, Failure> {
        let scenario = Scenario::of(sheet);
        let Blocks::Drawn(workload) = &scenario.blocks else {
            return Err(refuse(sheet, "cluster.import", "its own blocks: [workload], no import"));
        };
        refuse_others(sheet, scenario, workload)?;
        let mut site = site(sheet);
        site.extend(policy(sheet, scenario, has_jar)?);
        let how = how(sheet, scenario)?;
        let (code, data, of_group) = code(sheet, workload, scenario)?;
        refuse_small(sheet, scenario, workload, (&how, of_group))?;
        let sets: Vec<(String, String)> = of_file(sheet, &["cluster", "hardware"]);
        let plan = Plan::of(&sheet.source.document, &sets, &[MASTER.to_string()]).map_err(bad)?;
        let nodes = scenario.cluster.nodes.len() as u64;
        let replicas = u64::from(workload.blocks_on_lost_node) * nodes;
        let blocks = replicas.div_ceil(of_group);
        let disks = plan.nodes.iter().map(|node| node.disks as u64).sum::<u64>().max(1);
        let each = replicas * workload.block_bytes.0 / disks;
        let disk = match how {
            TwinEvent::Balances { .. } => full(sheet, each),
            _ => Bytes((SPARE * each).next_multiple_of(1 << 30)).max(SMALLEST),
        };
        Ok(TwinSetup {
            event: how,
            code,
            blocks,
            data,
            block: workload.block_bytes,
            disk,
            site,
            text: text(sheet, scenario),
            plan,
        })
    }
}

impl TwinSetup {
    /// True if the node can be a source of copies.
    pub(crate) fn stays(&self, host: &str) -> bool {
        !matches!(&self.event, TwinEvent::Lost(lost) if lost == host)
    }

    /// True if the node joins after all blocks are written.
    pub(crate) fn is_late(&self, host: &str) -> bool {
        match &self.event {
            TwinEvent::Balances { late, .. } => late.iter().any(|name| name == host),
            TwinEvent::Lost(_) | TwinEvent::Leaves(_) => false,
        }
    }
}

/// Rejects sizes with which the run would not start or end.
fn refuse_small(
    sheet: &Sheet,
    scenario: &Scenario,
    work: &Workload,
    (how, of_group): (&TwinEvent, u64),
) -> Result<(), Failure> {
    /// HDFS's checksum unit \[bytes\].
    const CHECKED: u64 = 512;
    let left = match how {
        TwinEvent::Balances { late, .. } => scenario.cluster.nodes.len() - late.len(),
        _ => scenario.cluster.nodes.len() - 1,
    };
    if (left as u64) < of_group {
        let expected = format!("{of_group} more nodes: else no block is ever safe");
        return Err(bad(sheet.problem("cluster.nodes_per_rack", "too few nodes", &expected)));
    }
    if !work.block_bytes.0.is_multiple_of(CHECKED) || work.block_bytes < Bytes::mib(1) {
        return Err(refuse(sheet, "workload.block_bytes", "1MiB or more, in whole 512 bytes"));
    }
    let least = "hdfs-site.dfs.balancer.getBlocks.min-block-size";
    if matches!(how, TwinEvent::Balances { .. }) && work.block_bytes < sheet.bytes(least) {
        let expected = "blocks as long as dfs.balancer.getBlocks.min-block-size (10m): the \
                        balancer moves no others";
        return Err(refuse(sheet, "workload.block_bytes", expected));
    }
    match work.code.is_some() && !is_stock(&scenario.policy.rereplication) {
        true => Err(refuse(sheet, "policy.rereplication", "default: the jar has no groups")),
        false => Ok(()),
    }
}

fn is_stock(policy: &str) -> bool {
    ["default", "hdfs3-default"].contains(&policy)
}

fn how(sheet: &Sheet, scenario: &Scenario) -> Result<TwinEvent, Failure> {
    let host = |node: NodeId| scenario.cluster.nodes[node.at()].host.clone();
    if scenario.balancer.is_some() {
        if !scenario.events.is_empty() {
            return Err(bad(format!(
                "{}: expected no [[event]] with [workload.balancer]",
                sheet.file.display()
            )));
        }
        let each = usize_of(sheet.count("workload.balancer.new_nodes_per_rack"));
        let racks = scenario.cluster.racks.iter();
        let late = racks.flat_map(|rack| rack.nodes.iter().rev().take(each)).map(|n| host(*n));
        let threshold = sheet.number("workload.balancer.threshold").to_string();
        return Ok(TwinEvent::Balances { late: late.collect(), threshold });
    }
    let [event] = &scenario.events[..] else { return Err(no_loss(sheet)) };
    match event.kind {
        EventKind::NodeLost(node) => Ok(TwinEvent::Lost(host(node))),
        EventKind::Decommission(node) => Ok(TwinEvent::Leaves(host(node))),
        _ => Err(no_loss(sheet)),
    }
}

/// Disk size at which `each` bytes give the scenario's utilisation.
fn full(sheet: &Sheet, each: u64) -> Bytes {
    let percent = sheet.count("workload.balancer.mean_utilisation").max(1);
    Bytes((each * 100 / percent).next_multiple_of(1 << 20))
}

/// (Hadoop's name of the code, data blocks of a group, all blocks of a group).
fn code(
    sheet: &Sheet,
    work: &Workload,
    scenario: &Scenario,
) -> Result<(Option<&'static str>, u64, u64), Failure> {
    let Some((data, parity)) = work.code else {
        return Ok((None, 1, u64::from(scenario.hdfs.replication)));
    };
    match CODES.iter().find(|(code, _)| *code == (data, parity)) {
        Some((_, name)) => Ok((Some(name), data.into(), u64::from(data) + u64::from(parity))),
        None => {
            let expected = "replicated, or a code that Hadoop has";
            Err(refuse(sheet, "workload.redundancy", expected))
        }
    }
}

/// Host of the NameNode and the tools.
pub(crate) const MASTER: &str = "master";

fn refuse(sheet: &Sheet, key: &str, expected: &str) -> Failure {
    bad(sheet.problem(key, "cannot be run for real", expected))
}

fn no_loss(sheet: &Sheet) -> Failure {
    bad(format!(
        "{}: expected one [[event]], of kind \"node-lost\" or \"decommission\", or \
         [workload.balancer]",
        sheet.file.display()
    ))
}

fn refuse_others(sheet: &Sheet, scenario: &Scenario, work: &Workload) -> Result<(), Failure> {
    let no = |key: &str, expected: &str| Err(refuse(sheet, key, expected));
    if work.concerned_only {
        return no("workload.blocks", "all: blocks are written completely");
    }
    if scenario.foreground.is_some() {
        return Err(bad(format!(
            "{}: clients cannot be run for real: expected no [workload.foreground]",
            sheet.file.display()
        )));
    }
    if scenario.policy.pacing != Pacing::Hdfs3 {
        return no("policy.pacing", "hdfs3: the daemons are Hadoop 3's");
    }
    match scenario.run.until {
        Some(_) => no("run.until", "redundant: a repair is measured to its end"),
        None => Ok(()),
    }
}

/// Properties that install a policy in a NameNode; empty for Hadoop's own.
fn policy(
    sheet: &Sheet,
    scenario: &Scenario,
    has_jar: bool,
) -> Result<Vec<(String, String)>, Failure> {
    let key = "policy.rereplication";
    let name = match scenario.policy.rereplication.as_str() {
        stock if is_stock(stock) => return Ok(Vec::new()),
        "ring" => "ring",
        "ring-priority" => "multi-rack-ring",
        "min-max" => "joint",
        name => jar_setting(name).ok_or_else(|| {
            let expected = "default, ring+jar, ring-priority+jar or min-max+jar; without +jar, the \
                            prediction is for a policy that chooses sources itself";
            refuse(sheet, key, expected)
        })?,
    };
    if !has_jar {
        let expected = "default, or --jar with the result of `mvn package` in \
                        systems/hdfs/hadoop/plugin";
        return Err(refuse(sheet, key, expected));
    }
    let class = ("dfs.block.replicator.classname", "tenbin.hdfs.TenbinPlacementPolicy");
    // Policies of the jar are simulated with Hadoop's draw of sources.
    let is_drawn = scenario.policy.rereplication.ends_with("+jar");
    let sources = if is_drawn { "drawn" } else { "chosen" };
    let sources = ("tenbin.rereplication.sources", sources);
    let all = [class, ("tenbin.rereplication", name), sources];
    Ok(all.map(|(key, value)| (key.to_string(), value.to_string())).into())
}

/// Settings of some tables from the file or the command line.
fn of_file(sheet: &Sheet, tables: &[&str]) -> Vec<(String, String)> {
    let said = |origin: &Origin| matches!(origin, Origin::File { .. } | Origin::CommandLine);
    let of_tables =
        |key: &str| key.split_once('.').is_some_and(|(table, _)| tables.contains(&table));
    let settings = sheet.settings.iter().filter(|s| said(&s.origin) && of_tables(&s.key));
    settings.map(|setting| (setting.key.clone(), setting.value.clone())).collect()
}

fn site(sheet: &Sheet) -> Vec<(String, String)> {
    let all = of_file(sheet, &["hdfs-site"]).into_iter();
    all.map(|(key, value)| (key.trim_start_matches("hdfs-site.").to_string(), value)).collect()
}

/// Settings of the balancer; the utilisation comes from the report.
const BALANCER: [&str; 2] = ["workload.balancer.start", "workload.balancer.threshold"];

/// The same event on the same hardware, with the cluster of Hadoop's tools.
fn text(sheet: &Sheet, scenario: &Scenario) -> String {
    let head = "[cluster]\nimport = \"cluster.toml\"\n";
    let mut sets = of_file(sheet, &["hardware", "policy", "model"]);
    let balancer = of_file(sheet, &["workload"]).into_iter();
    sets.extend(balancer.filter(|(key, _)| BALANCER.contains(&key.as_str())));
    let mut text = with_sets(&keys::HDFS, head, &sets);
    for event in &scenario.events {
        let (node, kind) = match event.kind {
            EventKind::NodeLost(node) => (node, "node-lost"),
            EventKind::Decommission(node) => (node, "decommission"),
            _ => continue,
        };
        let host = &scenario.cluster.nodes[node.at()].host;
        text +=
            &format!("\n[[event]]\nat = \"{}\"\nkind = \"{kind}\"\ntarget = \"{host}\"\n", event.at)
    }
    text
}
