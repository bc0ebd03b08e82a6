//! One run on real daemons.
use super::args::TwinHdfs;
use super::site;
use super::wanted::{MASTER, Wanted};
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testbed::bed::{Bed, Host};
use testbed::model::Order;
use testbed::place::Place;
use testbed::server::DiskKind;
use testbed::twin::cold::cold;
use testbed::twin::java::Java;
use testbed::twin::machine::{Machine, Work};
use testbed::twin::{Program, WAITING};
use testbed::up;

const DAEMON: &str = "org.apache.hadoop.hdfs.server";
const SHELL: &str = "org.apache.hadoop.fs.FsShell";
const FSCK: &str = "org.apache.hadoop.hdfs.tools.DFSck";
const ADMIN: &str = "org.apache.hadoop.hdfs.tools.DFSAdmin";

/// Daemons start within this, and tools end.
const SOON: Duration = Duration::from_secs(300);

/// Blocks are written within this, and a repair ends.
const LATE: Duration = Duration::from_secs(3600);

/// Files that are written at a time.
const WRITERS: u64 = 4;

/// Memory of a daemon, and of a tool \[MiB\].
const MEMORY: u32 = 256;
const MEMORY_OF_NAMENODE: u32 = 512;

/// What a run has at hand.
struct Run<'a> {
    wanted: &'a Wanted,
    hadoop: &'a Java,
    conf: PathBuf,
    folder: PathBuf,
    master: Host,
}

/// Loses the node, and waits until all is safe. What Hadoop's tools listed before, and all logs,
/// lie in the folder then.
///
/// # Errors
/// The testbed cannot be made; a daemon or a tool fails; interrupted.
pub(super) fn run(
    wanted: &Wanted,
    hadoop: &Java,
    args: &TwinHdfs,
    folder: &Path,
    tell: &dyn Fn(&str),
) -> Result<Work, Failure> {
    tell("making the testbed");
    let kind = DiskKind {
        model: wanted.plan.disk,
        size: wanted.disk,
        order: Order::Nearest,
        store: args.store.clone(),
        waiting: Some(WAITING),
    };
    let bed = up::make(Place::of(&args.name)?, &wanted.plan, &kind)?;
    bed.disks_take_time(false);
    let conf = site::write(wanted, &bed.hosts, folder)?;
    let folder = conf.parent().expect("it is in the folder").to_path_buf();
    let logs = folder.join("logs");
    fs::create_dir_all(&logs).map_err(|e| Failure::writing(&logs, &e))?;
    let master = bed.host(MASTER).expect("the plan has it").clone();
    let run = Run { wanted, hadoop, conf, folder, master };
    tell("starting daemons");
    let (mut namenode, mut nodes) = run.daemons(&bed)?;
    tell("writing blocks");
    run.fill()?;
    run.list()?;
    for host in bed.hosts.iter().filter(|host| !host.disks.is_empty()) {
        cold(host, &run.log("tools"))?
    }
    bed.disks_take_time(true);
    tell("losing the node");
    let work = run.lose(&bed, &mut namenode, &mut nodes, tell);
    drop((nodes, namenode));
    run.tidy()?;
    work
}

impl Run<'_> {
    fn log(&self, of: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{of}.log"))
    }

    /// A daemon's first line says when it is up.
    fn daemons(&self, bed: &Bed) -> Result<(Program, Vec<(String, Program)>), Failure> {
        let name = format!("{DAEMON}.namenode.NameNode");
        let format = ["-format", "-force", "-nonInteractive"];
        self.tool(&name, &format, Path::new("/dev/null"), SOON)?;
        let start = |host: &Host, memory: u32, class: &str, log: &str| {
            let line = self.hadoop.line(&self.conf, memory, class, &[]);
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            Program::start(host, &line, &self.log(log))
        };
        let mut namenode = start(&self.master, MEMORY_OF_NAMENODE, &name, "namenode")?;
        namenode.until("the NameNode is up", SOON, |line| line.contains("NameNode RPC up at"))?;
        let hosts = bed.hosts.iter().filter(|host| host.name != MASTER);
        let data = format!("{DAEMON}.datanode.DataNode");
        let node = |host: &Host| {
            let log = format!("datanode-{}", host.name);
            Ok((host.name.clone(), start(host, MEMORY, &data, &log)?))
        };
        let nodes = hosts.map(node).collect::<Result<Vec<_>, Failure>>()?;
        // Each storage reports its blocks, of which there are none.
        let mut left: usize = bed.hosts.iter().map(|host| host.disks.len()).sum();
        namenode.until("all DataNodes have reported", SOON, |line| {
            left -=
                usize::from(line.contains("BLOCK* processReport") && line.contains("from storage"));
            left == 0
        })?;
        Ok((namenode, nodes))
    }

    /// Writes all blocks, as any client does, so that they lie where HDFS puts them. They hold
    /// zeroes, of which there are no more in memory than there are pages to send.
    fn fill(&self) -> Result<(), Failure> {
        let files = WRITERS.min(self.wanted.blocks);
        let source = self.folder.join("blocks");
        fs::create_dir_all(&source).map_err(|e| Failure::writing(&source, &e))?;
        let mut args = vec!["-put".to_string(), "-t".into(), WRITERS.to_string()];
        for nth in 0..files {
            let blocks = self.wanted.blocks / files + u64::from(nth < self.wanted.blocks % files);
            let path = source.join(format!("file-{nth}"));
            let made = fs::File::create(&path);
            made.and_then(|file| file.set_len(blocks * self.wanted.block.0))
                .map_err(|e| Failure::writing(&path, &e))?;
            args.push(path.display().to_string())
        }
        args.push("/".into());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let done = self.tool(SHELL, &args, &self.log("put"), LATE);
        let _ = fs::remove_dir_all(&source);
        done
    }

    /// As `systems/hdfs/docs/collect.md` has operators do.
    fn list(&self) -> Result<(), Failure> {
        let to = |name: &str| self.folder.join(name);
        let listing = ["/", "-files", "-blocks", "-locations", "-replicaDetails", "-maintenance"];
        self.tool(FSCK, &listing, &to("fsck.txt"), SOON)?;
        self.tool(ADMIN, &["-report"], &to("report.txt"), SOON)?;
        self.tool(ADMIN, &["-printTopology"], &to("topology.txt"), SOON)?;
        let site = to("hdfs-site.xml");
        fs::copy(self.conf.join("hdfs-site.xml"), &site)
            .map_err(|e| Failure::writing(&site, &e))
            .map(|_| ())
    }

    fn lose(
        &self,
        bed: &Bed,
        namenode: &mut Program,
        nodes: &mut [(String, Program)],
        tell: &dyn Fn(&str),
    ) -> Result<Work, Failure> {
        let lost = nodes.iter_mut().find(|(name, _)| *name == self.wanted.lost);
        lost.expect("the plan has it").1.kill();
        tell("waiting until the node is declared dead");
        namenode.until("the node is declared dead", SOON, |line| {
            line.contains("removeDeadDatanode: lost heartbeat")
        })?;
        let before = Machine::now(&bed.hosts);
        tell("waiting for the repair");
        let (mut round, mut lacking) = (0, usize::MAX);
        namenode.until("all blocks are safe again", LATE, |line| {
            if let Some(open) = open(line) {
                round += 1;
                lacking = open
            }
            // The first round may come before the lost node's blocks are queued.
            round > 1 && lacking == 0
        })?;
        Ok(Machine::now(&bed.hosts).since(&before))
    }

    fn tool(
        &self,
        class: &str,
        args: &[&str],
        out: &Path,
        at_most: Duration,
    ) -> Result<(), Failure> {
        let line = self.hadoop.line(&self.conf, MEMORY, class, args);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        Program::run(&self.master, &line, (out, &self.log("tools")), at_most)
    }

    /// What nobody reads goes: the NameNode's image, and pages.
    fn tidy(&self) -> Result<(), Failure> {
        for name in ["name", "tmp", "conf/webapps"] {
            let path = self.folder.join(name);
            if path.exists() {
                fs::remove_dir_all(&path).map_err(|e| Failure::writing(&path, &e))?
            }
        }
        Ok(())
    }
}

/// How many blocks are short of replicas or being copied, of the line that ends a round:
/// `BLOCK* neededReconstruction = 3 pendingReconstruction = 9`.
fn open(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("BLOCK* neededReconstruction = ")?;
    let (needed, pending) = rest.split_once(" pendingReconstruction = ")?;
    Some(needed.trim().parse::<usize>().ok()? + pending.trim().parse::<usize>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_says_what_is_open() {
        let line = "2026-11-27 04:54:54,688 DEBUG BlockStateChange: BLOCK* neededReconstruction = \
                    3 pendingReconstruction = 9";
        assert_eq!(open(line), Some(12));
        assert_eq!(open("INFO BlockStateChange: BLOCK* processReport"), None);
    }
}
