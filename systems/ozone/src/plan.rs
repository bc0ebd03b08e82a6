//! `tenbin plan pipelines`: how many pipelines a node, and logs on how many disks.
use crate::Ozone;
use analysis::{Stat, stat};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use std::path::{Path, PathBuf};
use system::lab::{Lab, Row, RowRuns};
use system::{Action, Failure, say};

/// Searches for the limit and the log disks.
pub struct Pipelines;

const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
const SEEDS: [u64; 3] = [1, 2, 3];
/// Limits that are tried; more than ten never paid in any run.
const LIMITS: [u64; 7] = [1, 2, 3, 4, 5, 7, 10];

impl Action for Pipelines {
    fn name(&self) -> &'static str {
        "pipelines"
    }

    fn command(&self) -> Command {
        let file = || value_parser!(PathBuf);
        let workload = "A scenario whose [workload] is planned for [default: the cluster file's]";
        Command::new("pipelines")
            .about("Ozone: the limit of pipelines a node, and the disks for RaftLogs")
            .arg(Arg::new("cluster").value_name("CLUSTER.toml").required(true).value_parser(file()))
            .arg(
                Arg::new("workload")
                    .long("workload")
                    .value_name("FILE")
                    .value_parser(file())
                    .help(workload),
            )
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object"))
            .after_help("Examples:\n  tenbin plan pipelines cluster.toml")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let one = |name: &str| arguments.get_one::<PathBuf>(name);
        let path = one("cluster").expect("required");
        let lab = Lab::of(&Ozone)?;
        let mut besides = Vec::new();
        if let Some(workload) = one("workload") {
            let sheet = lab.read(workload, &[])?;
            let of = sheet.settings.iter().filter(|s| s.key.starts_with("workload."));
            besides.extend(of.map(|s| (s.key.clone(), s.value.clone())))
        }
        let plan = Plan::of(&lab, path, besides)?;
        match arguments.get_flag("json") {
            true => say::json(&plan.json()),
            false => say::text(&plan.text()),
        }
    }
}

/// A setting that was tried.
struct Tried {
    limit: u64,
    logs: u64,
    writes: Stat,
    p99: f64,
}

/// All that were tried; the first is the cluster as it is.
struct Plan {
    tried: Vec<Tried>,
    best: usize,
    /// The best over the next best of another limit.
    margin: f64,
}

impl Plan {
    fn of(lab: &Lab, path: &Path, besides: Vec<(String, String)>) -> Result<Plan, Failure> {
        let now = lab.read(path, &besides)?;
        let disks = now.count("hardware.disks_per_node");
        let mut logs: Vec<u64> = vec![1, 2, 4, disks / 2, disks, now.count("hardware.log_disks")];
        logs.retain(|&n| n > 0 && n <= disks);
        logs.sort_unstable();
        logs.dedup();
        let mut asked = vec![(now.count(LIMIT), now.count("hardware.log_disks"), "")];
        // What stands now may be on identical sets of nodes: proposals are opened anew.
        let all = logs.iter().flat_map(|&n| LIMITS.map(|limit| (limit, n, "scm-reopened")));
        asked.extend(all.filter(|&(limit, n, _)| n <= 3 * limit.max(1)));
        let mut rows = Vec::new();
        for &(limit, logs, policy) in &asked {
            let mut set = besides.clone();
            set.push((LIMIT.into(), limit.to_string()));
            set.push(("hardware.log_disks".into(), logs.to_string()));
            if !policy.is_empty() {
                set.push(("policy.pipeline".into(), policy.into()))
            }
            let sheet = lab.read(path, &set)?;
            rows.push(Row { name: format!("{limit}, {logs}"), set, sheet })
        }
        let done = lab.run(&rows, &SEEDS, false, "plan pipelines")?;
        system::interrupt::check()?;
        let tried = |(&(limit, logs, _), row): (&(u64, u64, &str), &RowRuns)| {
            let metric = |name: &str| stat(&row.metric(name).unwrap_or_default());
            let (writes, p99) = (metric("writes_per_s"), metric("latency_ms_p99").mean);
            Tried { limit, logs, writes, p99 }
        };
        Ok(Plan::judge(asked.iter().zip(&done.rows).map(tried).collect()))
    }

    /// The best is the one with the fewest pipelines and log disks of those that are as good as the
    /// fastest, within its interval.
    fn judge(tried: Vec<Tried>) -> Plan {
        let top = tried[1..].iter().map(|t| t.writes.mean - t.writes.ci95).fold(0.0, f64::max);
        let good = (1..tried.len()).filter(|&i| tried[i].writes.mean >= top);
        let best = good.min_by_key(|&i| (tried[i].limit, tried[i].logs)).unwrap_or(0);
        let other = tried.iter().filter(|t| t.limit != tried[best].limit);
        let next = other.map(|t| t.writes.mean).fold(0.0, f64::max);
        let margin = if next > 0.0 { tried[best].writes.mean / next - 1.0 } else { 0.0 };
        Plan { tried, best, margin }
    }

    fn fragment(&self) -> String {
        let (now, best) = (&self.tried[0], &self.tried[self.best]);
        let directories: Vec<String> =
            (1..=best.logs).map(|disk| format!("/data/{disk}/ratis")).collect();
        format!(
            "<!-- ozone-site.xml of SCM: current {} -->\n<property>\n  \
             <name>ozone.scm.datanode.pipeline.limit</name>\n  <value>{}</value>\n</property>\n\
             <!-- ozone-site.xml of each DataNode: current {} directories; put your own paths -->\n\
             <property>\n  <name>hdds.container.ratis.datanode.storage.dir</name>\n  \
             <value>{}</value>\n</property>\n",
            now.limit,
            best.limit,
            now.logs,
            directories.join(",")
        )
    }

    fn apply() -> &'static str {
        "Restart DataNodes one by one, then SCM; then `ozone admin pipeline close --all \
         --type RATIS --replication THREE`: SCM opens them anew."
    }

    fn undo(&self) -> String {
        let now = &self.tried[0];
        format!(
            "Put the limit back to {} and the {} log directories, restart SCM and DataNodes, close \
             the pipelines again.",
            now.limit, now.logs
        )
    }

    fn json(&self) -> serde_json::Value {
        let row = |t: &Tried| {
            json!({ "limit": t.limit, "log_disks": t.logs, "writes_per_s": t.writes.mean,
                    "ci95": t.writes.ci95, "latency_ms_p99": t.p99 })
        };
        json!({
            "system": "ozone",
            "now": row(&self.tried[0]),
            "best": row(&self.tried[self.best]),
            "margin": self.margin,
            "curve": self.tried[1..].iter().map(row).collect::<Vec<_>>(),
            "fragment": self.fragment(),
            "apply": Plan::apply(),
            "undo": self.undo(),
        })
    }

    fn text(&self) -> String {
        let line = |t: &Tried| {
            format!(
                "limit {:>4}, {:>3} log disks: {:>8.0} ± {:.0} writes/s, p99 {:.0} ms\n",
                t.limit, t.logs, t.writes.mean, t.writes.ci95, t.p99
            )
        };
        let mut out = format!("now   {}", line(&self.tried[0]));
        out += &format!("best  {}", line(&self.tried[self.best]));
        out += &format!("margin over another limit: {:+.1} %\n\n", self.margin * 100.0);
        self.tried[1..].iter().for_each(|t| out += &line(t));
        out + &format!("\n{}\nApply: {}\nUndo: {}\n", self.fragment(), Plan::apply(), self.undo())
    }
}
