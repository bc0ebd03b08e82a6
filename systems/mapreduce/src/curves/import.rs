//! `tenbin import node-curves FILE… --into run/`
use super::{Line, attach, sadf};
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};
use system::{Action, Failure, say};

/// No file is larger.
const LARGEST: u64 = 1 << 30;

/// Reads curves of nodes into a run.
pub struct NodeCurves;

impl Action for NodeCurves {
    fn name(&self) -> &'static str {
        "node-curves"
    }

    fn command(&self) -> Command {
        let path = || value_parser!(PathBuf);
        Command::new("node-curves")
            .about("What nodes did meanwhile, from sadf -j or tenbin monitor, into a run")
            .after_help(
                "Examples:\n  sadf -j /var/log/sa/sa23 -- -u -d -n DEV -r -q > n1.json\n  tenbin \
                 import node-curves n1.json n2.json --into run/\n\nA host is joined to the nodes \
                 of the run by its name.",
            )
            .arg(
                Arg::new("files")
                    .value_name("FILE")
                    .required(true)
                    .num_args(1..)
                    .value_parser(path()),
            )
            .arg(
                Arg::new("into")
                    .long("into")
                    .value_name("RUN")
                    .required(true)
                    .value_parser(path())
                    .help("Folder that an import wrote"),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let run = arguments.get_one::<PathBuf>("into").expect("clap requires it");
        let folder = run.join("trace");
        let mut trace = trace::tables::read(&folder)
            .map_err(|e| Failure::BadInput(format!("--into {}: {e}", run.display())))?;
        let (mut text, mut all) = (String::new(), 0);
        for file in arguments.get_many::<PathBuf>("files").unwrap_or_default() {
            let (lines, skipped) = read(file)?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let used = attach(&mut trace, &name, &lines);
            all += used;
            text.push_str(&format!(
                "{}: {used} of {} samples fall on nodes and into the time of the run; {skipped} \
                 lines were not readable\n",
                file.display(),
                lines.len()
            ))
        }
        if all == 0 {
            let nodes: Vec<&str> = trace.nodes.iter().take(5).map(|n| n.name.as_str()).collect();
            return Err(Failure::BadInput(format!(
                "{text}no sample fits: expected hosts of the run ({}), and its time",
                nodes.join(", ")
            )));
        }
        trace::tables::write(&trace, &folder).map_err(|e| Failure::writing(&folder, &e))?;
        say::text(&text)
    }
}

/// Lines of a file, and how many could not be read.
fn read(path: &Path) -> Result<(Vec<Line>, u64), Failure> {
    let bad = |why: String| Failure::BadInput(format!("{}:{why}", path.display()));
    let size = std::fs::metadata(path).map_err(|e| bad(format!(" {e}")))?.len();
    if size > LARGEST {
        return Err(bad(" more than 1 GiB. Expected a day of one node, or less".into()));
    }
    let bytes = std::fs::read(path).map_err(|e| bad(format!(" {e}")))?;
    of_text(&String::from_utf8_lossy(&bytes)).map_err(bad)
}

/// Either form: one JSON object of `sadf`, or a line a sample.
pub(super) fn of_text(text: &str) -> Result<(Vec<Line>, u64), String> {
    let head: String = text.chars().filter(|c| !c.is_whitespace()).take(11).collect();
    if head.starts_with("{\"sysstat\":") {
        return sadf::read(text).map(|lines| (lines, 0));
    }
    let lines: Vec<Option<Line>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).ok())
        .collect();
    let skipped = lines.iter().filter(|line| line.is_none()).count() as u64;
    let lines: Vec<Line> = lines.into_iter().flatten().collect();
    match lines.is_empty() {
        true => Err("1: no sample. Expected what sadf -j prints, or tenbin monitor".into()),
        false => Ok((lines, skipped)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_monitor_writes_is_read_and_a_cut_line_is_counted() {
        let line = Line { node: "n".into(), unix_ms: 5, cpu_busy: Some(0.5), ..Line::default() };
        let text = serde_json::to_string(&line).unwrap();
        let both = format!("{text}\n{}", &text[..20]);
        assert_eq!(of_text(&both).unwrap(), (vec![line], 1));
        assert!(of_text("hello").unwrap_err().contains("tenbin monitor"));
    }
}
