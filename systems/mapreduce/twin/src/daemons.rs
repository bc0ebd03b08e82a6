//! One run on real daemons.
use crate::setup::{Kind, MASTER, TwinSetup};
use crate::{figures, site};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, clock, interrupt};
use testbed::bed::Testbed;
use testbed::twin::daemons::{MEMORY, MEMORY_OF_MASTERS, bed};
use testbed::twin::java::Java;
use testbed::twin::machine::{Machine, Work};
use testbed::twin::{Daemons, Figures, Program, TwinArgs};
use units::{floored_u64, u32_of};

const HDFS: &str = "org.apache.hadoop.hdfs.server";
const YARN: &str = "org.apache.hadoop.yarn.server";
const SHELL: &str = "org.apache.hadoop.fs.FsShell";
const EXAMPLES: &str = "org.apache.hadoop.examples.ExampleDriver";

const SOON: Duration = Duration::from_secs(300);

const LATE: Duration = Duration::from_secs(7200);

struct Run<'a> {
    setup: &'a TwinSetup,
    on: Daemons<'a>,
}

pub(crate) struct RunOutput {
    pub work: Work,
    pub histories: PathBuf,
    /// Startup of an empty task \[s\].
    pub startup: f64,
    /// By rule: how often nodes came above its threshold.
    pub above: Figures,
}

/// Writes the input and runs the jobs. Measures the startup of an empty task unless it is known.
///
/// # Errors
/// The testbed cannot be built; a daemon, tool or job fails; the user interrupts.
pub(crate) fn run(
    wanted: &TwinSetup,
    java: &Java,
    args: &TwinArgs,
    (folder, known): (&Path, Option<f64>),
    tell: &dyn Fn(&str),
) -> Result<RunOutput, Failure> {
    tell("creating the testbed");
    let bed = bed(args, &wanted.plan, wanted.disk)?;
    let folder = site::write(wanted, &bed.hosts, java.class_path(), folder)?;
    let master = bed.host(MASTER).expect("the plan has it").clone();
    let run = Run { setup: wanted, on: Daemons::new(java, folder, master)? };
    tell("starting daemons");
    let daemons = run.daemons(&bed)?;
    tell("writing the input");
    bed.links_take_time(false)?;
    run.fill()?;
    run.on.cold(&bed)?;
    bed.links_take_time(true)?;
    bed.disks_take_time(true);
    let before = Machine::now(&bed.hosts);
    tell("running jobs");
    run.jobs()?;
    let work = Machine::now(&bed.hosts).since(&before);
    bed.disks_take_time(false);
    let histories = run.histories("histories")?;
    let above = match &wanted.rule_names()[..] {
        [] => Figures::new(),
        rules => figures::crossings(&run.on.log("resourcemanager"), rules)?,
    };
    // After the jobs, so that the first run's cluster is no warmer than that of others.
    let startup = match known {
        Some(seconds) => seconds,
        None => {
            tell("running empty tasks");
            run.startup()?
        }
    };
    drop(daemons);
    run.on.tidy()?;
    Ok(RunOutput { work, histories, startup, above })
}

impl Run<'_> {
    fn tool(&self, class: &str, args: &[&str]) -> Result<(), Failure> {
        self.on.tool(class, args, Path::new("/dev/null"), LATE)
    }

    /// Starts all daemons. The masters are last in the list, so that they end last.
    fn daemons(&self, bed: &Testbed) -> Result<Vec<Program>, Failure> {
        let name = format!("{HDFS}.namenode.NameNode");
        self.tool(&name, &["-format", "-force", "-nonInteractive"])?;
        let master = (&self.on.master, MEMORY_OF_MASTERS);
        let mut namenode = self.on.start(master, &name, &[], "namenode")?;
        let class = format!("{YARN}.resourcemanager.ResourceManager");
        let mut manager = self.on.start(master, &class, &[], "resourcemanager")?;
        namenode.until("the NameNode is up", SOON, |line| line.contains("NameNode RPC up at"))?;
        let up = "Transitioned to active state";
        manager.until("the ResourceManager is up", SOON, |line| line.contains(up))?;
        let mut all = Vec::new();
        for host in bed.hosts.iter().filter(|host| host.name != MASTER) {
            for (class, log) in [
                (format!("{HDFS}.datanode.DataNode"), "datanode"),
                (format!("{YARN}.nodemanager.NodeManager"), "nodemanager"),
            ] {
                let log = format!("{log}-{}", host.name);
                all.push(self.on.start((host, MEMORY), &class, &[], &log)?)
            }
        }
        let mut left: usize = bed.hosts.iter().map(|host| host.disks.len()).sum();
        namenode.until("all DataNodes have reported", SOON, |line| {
            let of_disk = line.contains("BLOCK* processReport") && line.contains("from storage");
            left -= usize::from(of_disk);
            left == 0
        })?;
        let mut left = bed.hosts.len() - 1;
        manager.until("all NodeManagers are up", SOON, |line| {
            left -= usize::from(line.contains("registered with capability"));
            left == 0
        })?;
        all.extend([manager, namenode]);
        Ok(all)
    }

    /// Writes the jobs' input with Hadoop's examples: one file per job, one block per map. The
    /// client is on no DataNode, so HDFS draws the nodes of each block.
    fn fill(&self) -> Result<(), Failure> {
        let TwinSetup { kind, input, .. } = self.setup;
        let mut writers = Vec::new();
        for nth in 0..self.setup.jobs {
            let folder = format!("/in-{nth}");
            let here = "-Dmapreduce.framework.name=local";
            let bytes = floored_u64(*input as f64 / kind.frames());
            let each = format!("-Dmapreduce.randomtextwriter.bytespermap={bytes}");
            let all = format!("-Dmapreduce.randomtextwriter.totalbytes={bytes}");
            let rows = (input / 100).to_string();
            let text = "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat";
            let writer = ["randomtextwriter", here, &each, &all];
            let line = match kind {
                Kind::TeraSort => vec!["teragen", here, &rows, &folder],
                Kind::Sort => [&writer[..], &[&folder]].concat(),
                Kind::WordCount => [&writer[..], &["-outFormat", text, &folder]].concat(),
            };
            writers.push(self.submit(&line, &format!("input-{nth}"))?)
        }
        self.over(writers, "input")
    }

    fn submit(&self, line: &[&str], log: &str) -> Result<Program, Failure> {
        self.on.start((&self.on.master, MEMORY), EXAMPLES, line, log)
    }

    /// Waits until all jobs end; their logs are `name` with a number.
    fn over(&self, mut jobs: Vec<Program>, name: &str) -> Result<(), Failure> {
        for (nth, job) in jobs.iter_mut().enumerate() {
            let mut failed = false;
            job.until("the job ended", LATE, |line| {
                failed |= line.contains("failed with state");
                failed || line.contains("completed successfully")
            })?;
            if failed {
                let log = self.on.log(&format!("{name}-{nth}"));
                return Err(Failure::Failed(format!("{name} {nth} failed: {}", log.display())));
            }
        }
        Ok(())
    }

    /// Startup of a container and its JVM if all slots start one at once \[s\]. Measured with twice
    /// as many maps as slots, each of which draws a single number.
    fn startup(&self) -> Result<f64, Failure> {
        let maps = 2 * self.setup.slots[0] * u32_of(self.setup.plan.nodes.len() - 1);
        self.tool(SHELL, &["-rm", "-f", site::HISTORIES])?;
        self.tool(EXAMPLES, &["pi", &maps.to_string(), "1"])?;
        figures::later_maps(&self.histories("nothing")?)
    }

    fn jobs(&self) -> Result<(), Failure> {
        let start = clock::now();
        let mut running = Vec::new();
        for nth in 0..self.setup.jobs {
            let at = Duration::from_secs_f64(self.setup.arrival.as_secs() * f64::from(nth));
            while start.elapsed() < at {
                interrupt::check()?;
                std::thread::sleep(Duration::from_millis(50).min(at - start.elapsed()))
            }
            let line = self.job(nth);
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            running.push(self.submit(&line, &format!("job-{nth}"))?)
        }
        self.over(running, "job")
    }

    fn job(&self, nth: u32) -> Vec<String> {
        let reduces = self.setup.reduces;
        let (from, to) = (format!("/in-{nth}"), format!("/out-{nth}"));
        let replicas = format!("-Ddfs.replication={}", self.setup.output_replication);
        let of_job = format!("-Dmapreduce.job.reduces={reduces}");
        let text = "org.apache.hadoop.io.Text";
        let line: Vec<String> = match self.setup.kind {
            Kind::TeraSort => {
                let out = self.setup.output_replication;
                let out = format!("-Dmapreduce.terasort.output.replication={out}");
                vec!["terasort".into(), of_job, out, from, to]
            }
            Kind::Sort => {
                let many = reduces.to_string();
                let all = ["sort", &replicas, "-r", &many, "-outKey", text, "-outValue", text];
                all.iter().map(|s| s.to_string()).chain([from, to]).collect()
            }
            Kind::WordCount => vec!["wordcount".into(), of_job, replicas, from, to],
        };
        line
    }

    /// Copies the histories from HDFS into a folder of this name.
    fn histories(&self, name: &str) -> Result<PathBuf, Failure> {
        let folder = self.on.folder.join(name);
        fs::create_dir_all(&folder).map_err(|e| Failure::writing(&folder, &e))?;
        self.tool(SHELL, &["-get", site::HISTORIES, &folder.display().to_string()])?;
        Ok(folder)
    }
}
