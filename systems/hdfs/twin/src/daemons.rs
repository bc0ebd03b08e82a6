use crate::setup::{MASTER, TwinEvent, TwinSetup};
use crate::site;
use std::fs;
use std::path::Path;
use std::time::Duration;
use system::Failure;
use testbed::bed::{Host, Testbed};
use testbed::twin::daemons::{MEMORY, MEMORY_OF_MASTERS, bed};
use testbed::twin::java::Java;
use testbed::twin::machine::{Machine, Work};
use testbed::twin::{Daemons, Program, TwinArgs};

const DAEMON: &str = "org.apache.hadoop.hdfs.server";
const SHELL: &str = "org.apache.hadoop.fs.FsShell";
const FSCK: &str = "org.apache.hadoop.hdfs.tools.DFSck";
const BALANCER: &str = "org.apache.hadoop.hdfs.server.balancer.Balancer";
const CODES: &str = "org.apache.hadoop.hdfs.tools.ECAdmin";
const ADMIN: &str = "org.apache.hadoop.hdfs.tools.DFSAdmin";

/// Timeout of daemon starts and tools.
const SOON: Duration = Duration::from_secs(300);

/// Timeout of writing all blocks, and of a repair.
const LATE: Duration = Duration::from_secs(3600);

const WRITERS: u64 = 4;

struct Run<'a> {
    setup: &'a TwinSetup,
    on: Daemons<'a>,
}

/// Runs the scenario's event on daemons until it is complete. The folder then has the earlier
/// output of Hadoop's tools and all logs.
///
/// # Errors
/// The testbed cannot be created; a daemon or a tool fails; interrupted.
pub(crate) fn run(
    wanted: &TwinSetup,
    hadoop: &Java,
    args: &TwinArgs,
    folder: &Path,
    tell: &dyn Fn(&str),
) -> Result<Work, Failure> {
    tell("creating the testbed");
    let bed = bed(args, &wanted.plan, wanted.disk)?;
    let folder = site::write(wanted, &bed.hosts, folder)?;
    let master = bed.host(MASTER).expect("the plan has it").clone();
    let run = Run { setup: wanted, on: Daemons::new(hadoop, folder, master)? };
    tell("starting daemons");
    let mut namenode = run.namenode()?;
    let mut nodes = run.nodes(&bed, &mut namenode, false)?;
    tell("writing blocks");
    run.code()?;
    run.fill()?;
    nodes.extend(run.nodes(&bed, &mut namenode, true)?);
    run.list()?;
    run.on.cold(&bed)?;
    bed.disks_take_time(true);
    let work = match &wanted.event {
        TwinEvent::Balances { threshold, .. } => run.balance(&bed, threshold, tell),
        _ => run.lose(&bed, &mut namenode, &mut nodes, tell),
    };
    drop((nodes, namenode));
    run.on.tidy()?;
    work
}

impl Run<'_> {
    /// Its first log line shows that it is up.
    fn namenode(&self) -> Result<Program, Failure> {
        let name = format!("{DAEMON}.namenode.NameNode");
        let format = ["-format", "-force", "-nonInteractive"];
        self.on.tool(&name, &format, Path::new("/dev/null"), SOON)?;
        let master = (&self.on.master, MEMORY_OF_MASTERS);
        let mut namenode = self.on.start(master, &name, &[], "namenode")?;
        namenode.until("the NameNode is up", SOON, |line| line.contains("NameNode RPC up at"))?;
        Ok(namenode)
    }

    /// `late`: the nodes that join after the blocks are written, else all others.
    fn nodes(
        &self,
        bed: &Testbed,
        namenode: &mut Program,
        late: bool,
    ) -> Result<Vec<(String, Program)>, Failure> {
        let is_one = |host: &&Host| host.name != MASTER && self.setup.is_late(&host.name) == late;
        let hosts: Vec<&Host> = bed.hosts.iter().filter(is_one).collect();
        let data = format!("{DAEMON}.datanode.DataNode");
        let node = |host: &&Host| {
            let log = format!("datanode-{}", host.name);
            Ok((host.name.clone(), self.on.start((host, MEMORY), &data, &[], &log)?))
        };
        let nodes = hosts.iter().map(node).collect::<Result<Vec<_>, Failure>>()?;
        // Each storage sends a block report, which is empty.
        let mut left: usize = hosts.iter().map(|host| host.disks.len()).sum();
        if left > 0 {
            namenode.until("all DataNodes have reported", SOON, |line| {
                let is = line.contains("BLOCK* processReport") && line.contains("from storage");
                left -= usize::from(is);
                left == 0
            })?
        }
        Ok(nodes)
    }

    fn code(&self) -> Result<(), Failure> {
        let Some(code) = self.setup.code else { return Ok(()) };
        let tool = |args: &[&str]| self.on.tool(CODES, args, Path::new("/dev/null"), SOON);
        tool(&["-enablePolicy", "-policy", code])?;
        tool(&["-setPolicy", "-path", "/", "-policy", code])
    }

    /// Writes all blocks through HDFS's client, so that HDFS places them. Sparse files of zeroes
    /// need no memory beyond the pages being sent.
    fn fill(&self) -> Result<(), Failure> {
        let files = WRITERS.min(self.setup.blocks);
        let source = self.on.folder.join("blocks");
        fs::create_dir_all(&source).map_err(|e| Failure::writing(&source, &e))?;
        let mut args = vec!["-put".to_string(), "-t".into(), WRITERS.to_string()];
        for nth in 0..files {
            let blocks = self.setup.blocks / files + u64::from(nth < self.setup.blocks % files);
            let path = source.join(format!("file-{nth}"));
            let made = fs::File::create(&path);
            made.and_then(|file| file.set_len(blocks * self.setup.data * self.setup.block.0))
                .map_err(|e| Failure::writing(&path, &e))?;
            args.push(path.display().to_string())
        }
        args.push("/".into());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let done = self.on.tool(SHELL, &args, &self.on.log("put"), LATE);
        let _ = fs::remove_dir_all(&source);
        done
    }

    /// As in `systems/hdfs/docs/collect.md`.
    fn list(&self) -> Result<(), Failure> {
        let to = |name: &str| self.on.folder.join(name);
        let listing = ["/", "-files", "-blocks", "-locations", "-replicaDetails", "-maintenance"];
        self.on.tool(FSCK, &listing, &to("fsck.txt"), SOON)?;
        self.on.tool(ADMIN, &["-report"], &to("report.txt"), SOON)?;
        self.on.tool(ADMIN, &["-printTopology"], &to("topology.txt"), SOON)?;
        let site = to("hdfs-site.xml");
        fs::copy(self.on.conf.join("hdfs-site.xml"), &site)
            .map_err(|e| Failure::writing(&site, &e))
            .map(|_| ())
    }

    fn balance(
        &self,
        bed: &Testbed,
        threshold: &str,
        tell: &dyn Fn(&str),
    ) -> Result<Work, Failure> {
        tell("balancing");
        let before = Machine::now(&bed.hosts);
        let master = (&self.on.master, MEMORY);
        let args = ["-threshold", threshold];
        let mut balancer = self.on.start(master, BALANCER, &args, "balancer")?;
        balancer.until("the cluster is balanced", LATE, |line| line.contains("Balancing took"))?;
        Ok(Machine::now(&bed.hosts).since(&before))
    }

    fn lose(
        &self,
        bed: &Testbed,
        namenode: &mut Program,
        nodes: &mut [(String, Program)],
        tell: &dyn Fn(&str),
    ) -> Result<Work, Failure> {
        match &self.setup.event {
            TwinEvent::Leaves(leaves) => {
                tell("waiting until the blocks of the leaving node are queued");
                site::exclude(&self.on.folder, &format!("{leaves}\n"))?;
                self.on.tool(ADMIN, &["-refreshNodes"], Path::new("/dev/null"), SOON)?;
                namenode.until("its blocks are queued", SOON, |line| {
                    line.contains("LowRedundancyBlock.add")
                })?
            }
            TwinEvent::Lost(host) => {
                tell("waiting until the killed node is declared dead");
                let lost = nodes.iter_mut().find(|(name, _)| name == host);
                lost.expect("the plan has it").1.kill();
                namenode.until("the node is declared dead", SOON, |line| {
                    line.contains("removeDeadDatanode: lost heartbeat")
                })?
            }
            TwinEvent::Balances { .. } => {}
        }
        let before = Machine::now(&bed.hosts);
        tell("waiting for the repair");
        let (mut round, mut lacking) = (0, usize::MAX);
        namenode.until("all blocks are safe again", LATE, |line| {
            if let Some(open) = open(line) {
                round += 1;
                lacking = open
            }
            // The first round may precede the queueing of the lost node's blocks.
            round > 1 && lacking == 0
        })?;
        Ok(Machine::now(&bed.hosts).since(&before))
    }
}

/// Blocks that lack replicas or are being copied, from the last line of a round: `BLOCK*
/// neededReconstruction = 3 pendingReconstruction = 9`.
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
