//! `tenbin check-history`: whether operations could have happened one after the other.
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use ppmds_check::{BEGINNING, Event, History, Verdict, check, read};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::{Action, Failure, console};

const HELP: &str = "\
A history is a file of JSON lines, an operation each:
  {\"client\":3,\"number\":17,\"op\":\"rename\",\"args\":{\"from\":[1,\"a\"],\"to\":[1,\"b\"]},
   \"invoked_ns\":120,\"completed_ns\":480,\"result\":{\"ino\":9},\"saw\":[…]}
It is strictly serializable if there is one order of all operations that keeps real time and in
which a plain file system answers the same. Exit code 1: there is none, and why.";

/// Its place in the help: behind the commands that show runs.
const PLACE: usize = 66;

/// Faults that are printed; the rest is counted.
const SHOWN: usize = 10;

/// `tenbin check-history`.
pub struct CheckHistory;

impl Action for CheckHistory {
    fn name(&self) -> &'static str {
        "check-history"
    }

    fn command(&self) -> Command {
        Command::new(self.name())
            .about("Check a history of metadata operations for strict serializability")
            .after_help(HELP)
            .display_order(PLACE)
            .arg(
                Arg::new("history")
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("JSON lines, an operation each"),
            )
            .arg(
                Arg::new("json")
                    .long("json")
                    .action(ArgAction::SetTrue)
                    .help("Print exactly one JSON object on stdout"),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let path = arguments.get_one::<PathBuf>("history").expect("it is required");
        let history = load(path)?;
        let verdict = check(&history.events, &history.directories);
        match arguments.get_flag("json") {
            true => console::json(&object(&history.events, &verdict))?,
            false => console::text(&say(&history.events, &verdict))?,
        }
        match verdict.faults.len() {
            0 => Ok(()),
            faults => Err(Failure::Failed(format!(
                "{}: not strictly serializable: {faults} {}",
                path.display(),
                if faults == 1 { "fault" } else { "faults" }
            ))),
        }
    }
}

fn load(path: &Path) -> Result<History, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::BadInput(format!("{}: {e}", path.display())))?;
    let bad = |line: usize, problem: &str| {
        Failure::BadInput(format!(
            "{}:{line}: {problem}. Expected an operation: `tenbin check-history --help`",
            path.display()
        ))
    };
    let history = read(&text).map_err(|wrong| bad(wrong.line, &wrong.problem))?;
    match history.events.is_empty() {
        true => Err(bad(1, "no operations")),
        false => Ok(history),
    }
}

fn clients(history: &[Event]) -> usize {
    let all = history.iter().map(|event| event.client).filter(|client| *client != BEGINNING);
    all.collect::<BTreeSet<u32>>().len()
}

fn say(history: &[Event], verdict: &Verdict) -> String {
    let Verdict { answered, unanswered, faults } = verdict;
    let mut text = match faults.is_empty() {
        true => "Strictly serializable: ".to_string(),
        false => "Not strictly serializable: ".to_string(),
    };
    let _ = writeln!(text, "{answered} operations of {} clients were answered.", clients(history));
    if *unanswered > 0 {
        let _ = writeln!(text, "{unanswered} more were not, and took effect.");
    }
    for fault in faults.iter().take(SHOWN) {
        let _ = writeln!(text, "\n{}", fault.say(history));
    }
    if faults.len() > SHOWN {
        let _ = writeln!(text, "\nand {} more", faults.len() - SHOWN);
    }
    text
}

fn object(history: &[Event], verdict: &Verdict) -> Value {
    let fault = |fault: &ppmds_check::Fault| {
        let operations: Vec<&Event> = fault.events().iter().map(|at| &history[*at]).collect();
        json!({ "fault": fault.to_string(), "operations": operations })
    };
    json!({
        "operations": history.len(),
        "answered": verdict.answered,
        "unanswered_with_effect": verdict.unanswered,
        "clients": clients(history),
        "strictly_serializable": verdict.faults.is_empty(),
        "faults": verdict.faults.iter().map(fault).collect::<Vec<Value>>(),
    })
}
