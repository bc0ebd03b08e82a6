//! `tenbin audit ozone CLUSTER.toml`: what is wrong with a cluster's pipelines, what it costs, what
//! mends it.
use crate::OZONE;
use crate::model::{Layout, layout};
use crate::words::hosts;
use analysis::stat;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use cluster::Sheet;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use system::lab::{Lab, Row, RowRuns};
use system::{Action, Failure, say};

/// Examines a cluster.
pub struct Audit;

/// Something wrong.
struct Finding {
    what: &'static str,
    /// In numbers.
    text: String,
    /// The command or key that mends it.
    mend: &'static str,
    /// The cluster when it is mended.
    set: &'static [(&'static str, &'static str)],
}

/// Closes all pipelines of three; SCM opens them again with all nodes there. Ozone 2.0 and later
/// (HDDS-10742; `FilterPipelineOptions`).
const REOPEN: &str = "ozone admin pipeline close --all --type RATIS --replication THREE";
const SEEDS: [u64; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

impl Action for Audit {
    fn name(&self) -> &'static str {
        "ozone"
    }

    fn command(&self) -> Command {
        let file = value_parser!(PathBuf);
        Command::new("ozone")
            .about("Ozone: identical node sets, idle nodes and disks, leaders, racks")
            .arg(Arg::new("cluster").value_name("CLUSTER.toml").required(true).value_parser(file))
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object"))
            .after_help("Examples:\n  tenbin audit ozone cluster.toml")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let path = arguments.get_one::<PathBuf>("cluster").expect("required");
        let lab = Lab::of(&OZONE)?;
        let sheet = lab.read(path, &[])?;
        let layout = layout(&sheet, 1);
        let findings = findings(&sheet, &layout);
        let runs = simulated(&lab, path, &findings)?;
        let costs: Vec<Value> = runs.iter().skip(1).map(|run| cost(&runs[0], run)).collect();
        if arguments.get_flag("json") {
            let row = |(f, cost): (&Finding, Value)| {
                let Finding { what, text, mend, set } = f;
                let mended: BTreeMap<_, _> = set.iter().copied().collect();
                json!({ "finding": what, "text": text, "mend": mend, "mended": mended,
                        "cost": cost })
            };
            let rows: Vec<Value> = findings.iter().zip(costs).map(row).collect();
            return say::json(&json!({
                "system": "ozone",
                "nodes": layout.of_node.len(),
                "pipelines": layout.trios.len(),
                "findings": rows,
            }));
        }
        say::text(&text(&layout, &findings, &costs))
    }
}

fn text(layout: &Layout, findings: &[Finding], costs: &[Value]) -> String {
    let (open, nodes) = (layout.trios.len(), layout.of_node.len());
    let found = page::words::count(findings.len() as u64, "finding");
    let mut out = format!("{open} open pipelines on {nodes} nodes; {found}\n");
    for (finding, cost) in findings.iter().zip(costs) {
        let Finding { what, text, mend, set } = finding;
        let mended: Vec<String> = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let cost = cost_words(cost);
        out += &format!("\n{what}: {text}\n  mend: {mend}\n  simulated: {cost}\n");
        out += &format!("  simulated as mended with: {}\n", mended.join(" "))
    }
    out
}

/// What the finding costs; what the seeds do not tell from nothing is called so.
fn cost_words(cost: &Value) -> String {
    let number = |name: &str| cost[name].as_f64().unwrap_or(0.0);
    let [now, mended] = ["now", "mended"].map(number);
    let (difference, ci95) = (number("difference"), number("ci95"));
    let p99 = format!("p99 {:.0} → {:.0} ms", number("p99_now_ms"), number("p99_mended_ms"));
    match difference.abs() <= ci95 {
        true => format!(
            "no difference seen in {} seeds ({now:.0} writes/s now, {difference:+.0} ± {ci95:.0}); \
             {p99}",
            SEEDS.len()
        ),
        false => format!(
            "{now:.0} writes/s now, {mended:.0} mended ({difference:+.0} ± {ci95:.0}); {p99}"
        ),
    }
}

fn findings(sheet: &Sheet, layout: &Layout) -> Vec<Finding> {
    let found = [duplicates(layout), idle_nodes(sheet, layout), leaders(sheet, layout)];
    let more = [racks(sheet, layout), disks(sheet, layout)];
    found.into_iter().chain(more).flatten().collect()
}

fn duplicates(layout: &Layout) -> Option<Finding> {
    let mut sets: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    layout.trios.iter().for_each(|trio| *sets.entry(*trio).or_default() += 1);
    let (open, nodes) = (layout.trios.len(), layout.of_node.len());
    let members: std::collections::BTreeSet<u32> = sets.keys().flatten().copied().collect();
    let apart = members.len() == 3 * sets.len() && sets.len() == nodes / 3;
    let why = match apart {
        true => "SCM opened them as soon as three nodes had registered",
        false => "SCM does not look whether three nodes have a pipeline already",
    };
    let text = format!("{open} pipelines on {} sets of nodes: {why}", sets.len());
    (sets.len() < open).then_some(Finding {
        what: "identical node sets",
        text,
        mend: REOPEN,
        set: &[("policy.pipeline", "scm-reopened")],
    })
}

fn idle_nodes(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let hosts = hosts(sheet);
    let idle = (0..hosts.len()).filter(|&node| layout.of_node[node].is_empty());
    let idle: Vec<&str> = idle.map(|node| hosts[node].as_str()).collect();
    (!idle.is_empty()).then(|| Finding {
        what: "idle nodes",
        text: format!(
            "{} of {} nodes are in no pipeline: {}",
            idle.len(),
            hosts.len(),
            idle.join(" ")
        ),
        mend: REOPEN,
        set: &[("policy.pipeline", "scm-reopened")],
    })
}

fn leaders(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let leads = layout.leads();
    let most = *leads.iter().max()?;
    let must = u32::try_from(layout.trios.len().div_ceil(leads.len())).unwrap_or(u32::MAX);
    let host = hosts(sheet).swap_remove(leads.iter().position(|&n| n == most)?);
    (most > must).then(|| Finding {
        what: "leader skew",
        text: format!("{host} leads {most} pipelines, {must} would do"),
        mend: "ozone.scm.pipeline.leader-choose.policy = org.apache.hadoop.hdds.scm.pipeline.\
               leader.choose.algorithms.MinLeaderCountChoosePolicy (its default), then \
               `ozone admin pipeline close --all --type RATIS --replication THREE`",
        set: &[("policy.pipeline", "scm-reopened"), ("policy.leader", "even")],
    })
}

fn racks(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let racks = crate::model::racks(sheet);
    let several = racks.windows(2).any(|two| two[0] != two[1]);
    let on_one = |trio: &&[u32; 3]| {
        let [a, b, c] = trio.map(|node| racks[node as usize]);
        a == b && b == c
    };
    let one = layout.trios.iter().filter(on_one).count();
    (several && one > 0).then(|| Finding {
        what: "racks",
        text: format!("{one} pipelines stand on one rack: with it all copies are gone"),
        mend: "net.topology.node.switch.mapping.impl (each DataNode's rack), then `ozone admin \
               pipeline close --all --type RATIS --replication THREE`",
        set: &[("policy.pipeline", "scm-reopened")],
    })
}

fn disks(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let disks = sheet.count("hardware.disks_per_node");
    let each = sheet.count("ozone-site.ozone.scm.pipeline.owner.container.count");
    let most = layout.of_node.iter().map(Vec::len).max()? as u64;
    let used = most * each + sheet.count("hardware.log_disks").min(most);
    let of = ["hardware.disks_per_node", "hardware.log_disks"];
    let assumed = sheet.assumed().any(|setting| of.contains(&setting.key.as_str()));
    (used < disks).then(|| Finding {
        what: "idle disks",
        text: format!(
            "{} a node keep {used} of {disks} disks busy at most{}",
            page::words::count(most, "pipeline"),
            if assumed { " (disks and log disks are assumed: import with --jmx)" } else { "" }
        ),
        mend: "ozone.scm.datanode.pipeline.limit (`tenbin plan pipelines` says how many), and \
               hdds.container.ratis.datanode.storage.dir on as many disks",
        set: &[
            ("policy.pipeline", "scm-reopened"),
            ("ozone-site.ozone.scm.datanode.pipeline.limit", "3"),
            ("hardware.log_disks", "3"),
        ],
    })
}

/// The cluster as it is, then mended finding by finding.
fn simulated(
    lab: &Lab,
    path: &std::path::Path,
    findings: &[Finding],
) -> Result<Vec<RowRuns>, Failure> {
    let sets = std::iter::once(&[][..]).chain(findings.iter().map(|f| f.set));
    let mut rows = Vec::new();
    for set in sets {
        let set: Vec<(String, String)> =
            set.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string())).collect();
        let sheet = lab.read(path, &set)?;
        rows.push(Row { name: String::new(), set, sheet })
    }
    let done = lab.run(&rows, &SEEDS, false, "audit ozone")?;
    system::interrupt::check()?;
    Ok(done.rows)
}

fn cost(now: &RowRuns, mended: &RowRuns) -> Value {
    let of = |run: &RowRuns, name: &str| run.metric(name).unwrap_or_default();
    let mean = |run: &RowRuns, name: &str| {
        let all = of(run, name);
        all.iter().sum::<f64>() / all.len().max(1) as f64
    };
    let (before, after) = (of(now, "writes_per_s"), of(mended, "writes_per_s"));
    let differences: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
    let difference = stat(&differences);
    json!({
        "metric": "writes_per_s",
        "now": mean(now, "writes_per_s"),
        "mended": mean(mended, "writes_per_s"),
        "difference": difference.mean,
        "ci95": difference.ci95,
        "p99_now_ms": mean(now, "latency_ms_p99"),
        "p99_mended_ms": mean(mended, "latency_ms_p99"),
        "seeds": SEEDS.len(),
    })
}
