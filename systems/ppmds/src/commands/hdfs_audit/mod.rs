//! `tenbin import hdfs-audit`: turns a NameNode's audit log into a trace of operations and a
//! scenario that replays it.
mod line;
mod names;

use clap::{Arg, ArgMatches, Command, value_parser};
use import::{Input, InputSpec};
use names::{Names, Step};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::{Action, Failure, console, import::reading, output};

/// Limit on the log \[bytes\].
const LARGEST: u64 = 4 << 30;
const ABOUT: &str = "PPMDS: HDFS's audit log, as a trace of operations and a scenario of it";
const AN_AUDIT_LOG: &str = "lines of FSNamesystem.audit: 2026-11-28 09:00:00,123 INFO \
                            FSNamesystem.audit: allowed=true ugi=… ip=… cmd=create src=/a/b …";

pub struct HdfsAudit;

impl Action for HdfsAudit {
    fn name(&self) -> &'static str {
        "hdfs-audit"
    }

    fn command(&self) -> Command {
        let path = || value_parser!(PathBuf);
        Command::new("hdfs-audit")
            .about(ABOUT)
            .after_help(
                "Writes SCENARIO.toml, and the operations next to it in SCENARIO.jsonl. A client \
                 is a user at an address with a caller context.\n\nExample: tenbin import \
                 hdfs-audit hdfs-audit.log -o audit.toml",
            )
            .arg(Arg::new("file").value_name("FILE").required(true).value_parser(path()))
            .arg(
                Arg::new("out")
                    .short('o')
                    .long("out")
                    .value_name("SCENARIO.toml")
                    .required(true)
                    .value_parser(path()),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let [file, out] = ["file", "out"]
            .map(|name| arguments.get_one::<PathBuf>(name).expect("clap requires it"));
        let trace = out.with_extension("jsonl");
        let is_named = out.extension().is_some_and(|is| is != "jsonl");
        let name = trace.file_name().filter(|_| is_named).ok_or_else(|| {
            let place = out.display();
            Failure::BadInput(format!("--out {place}: expected a scenario's name: audit.toml"))
        })?;
        let (input, wanted) = (Input::named(file), InputSpec::new(AN_AUDIT_LOG, ""));
        let text = reading(|tell| import::text(&input, &wanted, LARGEST, tell))?;
        let log = Log::of(&text).map_err(|(line, why)| {
            Failure::BadInput(format!("{}:{line}: {why}", file.display()))
        })?;
        let scenario = log.scenario(file, &name.to_string_lossy());
        output::file(&trace, log.trace.as_bytes())?;
        output::file(out, scenario.as_bytes())?;
        console::text(&format!("{scenario}{}\n{}\n", out.display(), trace.display()))
    }
}

#[derive(Default)]
struct Log {
    trace: String,
    operations: u64,
    clients: BTreeSet<String>,
    /// Time of the first and last line \[ms\].
    times: Option<(i64, i64)>,
    refused: u64,
    /// Commands without a counterpart, or without an entry's path.
    left: BTreeMap<String, u64>,
    within: u64,
}

impl Log {
    fn of(text: &str) -> Result<Log, (usize, String)> {
        let (mut log, mut names) = (Log::default(), Names::default());
        let mut steps: Vec<(i64, String, Step)> = Vec::new();
        for (number, text) in (1..).zip(text.lines()) {
            let Some(line) = line::read(text).map_err(|why| (number, why))? else { continue };
            if !line.allowed {
                log.refused += 1;
                continue;
            }
            let path = line.from.filter(|path| path.starts_with('/'));
            let path = path.filter(|path| *path != "/" || line.command == "listStatus");
            let Some(all) = path.and_then(|from| names.steps(line.command, from, line.to)) else {
                *log.left.entry(line.command.to_string()).or_default() += 1;
                continue;
            };
            let client = format!("{}@{} {}", line.user, line.address, line.caller);
            log.within += all.len() as u64 - 1;
            steps.extend(all.into_iter().map(|step| (line.at_ms, client.clone(), step)))
        }
        if steps.is_empty() {
            return Err((1, format!("no operation in the log: expected {AN_AUDIT_LOG}")));
        }
        // The NameNode's handlers write lines slightly out of order.
        steps.sort_by_key(|(at, ..)| *at);
        log.times = Some((steps[0].0, steps[steps.len() - 1].0));
        steps.into_iter().for_each(|step| log.add(step));
        Ok(log)
    }

    fn add(&mut self, (at, client, (op, path, to)): (i64, String, Step)) {
        let since = at - self.times.map_or(at, |times| times.0);
        let client = client.trim_end();
        let path = if path.is_empty() { "/" } else { &path };
        let mut line = json!({
            "invoked_ns": since * 1_000_000, "client": client, "op": op, "path": path,
        });
        if let Some(to) = to {
            line["to"] = json!(to)
        }
        let _ = writeln!(self.trace, "{line}");
        self.operations += 1;
        self.clients.insert(client.to_string());
    }

    fn scenario(&self, file: &Path, trace: &str) -> String {
        let (from, to) = self.times.unwrap_or_default();
        let seconds = (to - from) as f64 / 1e3;
        let Log { operations, refused, within, .. } = self;
        let clients = self.clients.len();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut text =
            format!("# {name}: {operations} operations of {clients} clients in {seconds:.1} s");
        if seconds > 0.0 {
            let _ = write!(text, ", {:.1} a second", *operations as f64 / seconds);
        }
        text += ".\n";
        if *within > 0 {
            let _ = writeln!(
                text,
                "# {within} of them empty a deleted directory, or create parent directories."
            );
        }
        if *refused > 0 {
            let _ = writeln!(text, "# Left out: {refused} that HDFS refused.");
        }
        if !self.left.is_empty() {
            let all: Vec<String> =
                self.left.iter().map(|(name, n)| format!("{name} {n}")).collect();
            let _ = writeln!(
                text,
                "# Left out, without a counterpart in the model: {}.",
                all.join(", ")
            );
        }
        text += "# Files that operations need existed before the log, unless the log creates \
                 them.\n# The log has neither the number of metadata servers nor the speed of \
                 their stores.\n";
        let _ = write!(
            text,
            "[model]\nsystem = \"ppmds\"\n\n[cluster]\nservers = 1\nclients = \
             {clients}\n\n[workload]\nkind = \"trace\"\ntrace = \"{trace}\"\n# At the log's times; \
             closed: each client's next operation after its answer.\nloop = \"open\"\n"
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(second: u32, who: &str, what: &str) -> String {
        format!(
            "2026-11-28 09:00:{second:02},000 INFO FSNamesystem.audit: allowed=true\tugi={who} \
             (auth:SIMPLE)\tip=/10.0.0.1\t{what}\tperm=null\tproto=rpc\n"
        )
    }

    #[test]
    fn a_log_is_a_trace_in_the_order_of_its_times() {
        let text = [
            line(2, "bob", "cmd=open\tsrc=/a/f\tdst=null"),
            line(1, "alice", "cmd=create\tsrc=/a/f\tdst=null"),
            line(3, "bob", "cmd=contentSummary\tsrc=/a\tdst=null"),
            line(4, "bob", "cmd=getfileinfo\tsrc=/\tdst=null"),
            line(5, "bob", "cmd=listStatus\tsrc=/\tdst=null"),
            line(6, "bob", "cmd=delete\tsrc=/a/f\tdst=null").replace("true", "false"),
            "2026-11-28 09:00:07,000 INFO BlockStateChange: BLOCK* x\n".into(),
        ]
        .concat();
        let log = Log::of(&text).expect("it is one");
        let lines: Vec<&str> = log.trace.lines().collect();
        let create = r#"{"client":"alice@/10.0.0.1","invoked_ns":0,"op":"create","path":"/a/f"}"#;
        assert_eq!((lines.len(), lines[0]), (3, create));
        assert!(lines[1].contains("lookup") && lines[2].contains(r#""path":"/""#), "{lines:?}");
        let scenario = log.scenario(Path::new("x/audit.log"), "audit.jsonl");
        for part in [
            "# audit.log: 3 operations of 2 clients in 4.0 s, 0.8 a second.",
            "1 that HDFS refused",
            "contentSummary 1, getfileinfo 1.",
            "clients = 2",
            "trace = \"audit.jsonl\"",
        ] {
            assert!(scenario.contains(part), "{part}: {scenario}")
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(Log::of("# nothing\n").err().expect("no operation").0, 1);
        let cut = format!(
            "{}2026-11-28 09:00:02,000 x allowed=true\tugi=b",
            line(1, "a", "cmd=open\tsrc=/a")
        );
        assert_eq!(Log::of(&cut).err().expect("it is cut").0, 2);
    }
}
