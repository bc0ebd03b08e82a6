//! `tenbin check-history`: checks a history for strict serializability.
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use ppmds_check::{BEGINNING, Event, History, Reading, Verdict, check, read};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::{Action, Failure, console};

const HELP: &str = "\
A history is a file of JSON lines, an operation each:
  {\"client\":3,\"number\":17,\"op\":\"rename\",\"args\":{\"from\":[1,\"a\"],\"to\":[1,\"b\"]},
   \"invoked_ns\":120,\"completed_ns\":480,\"result\":{\"ino\":9},\"saw\":[…]}
A history is strictly serializable if all operations have one order that keeps real time and in
which a plain file system gives the same answers. Each entry of a list has its state of some moment
of the operation. \"saw\", the versions of rows that an operation met, gives the order. Without
\"saw\", the order is searched for, up to a bound. A first line
{\"directories\":[[1,1],[2,1]],\"overlap\":true} lists earlier directories, each with its parent,
and permits a client to call before its last answer.
Exit code 1: no such order exists (with the reason); none was found within the bound; or two lines
contradict each other: two operations of one number, or a client that calls while it waits.";

/// Position in the help: after the commands that show runs.
const PLACE: usize = 66;

/// Limit on the faults printed.
const SHOWN: usize = 10;

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
            true => console::json(&object(&history, &verdict))?,
            false => console::text(&say(path, &history, &verdict))?,
        }
        match verdict.faults.len() {
            0 if verdict.decided => Ok(()),
            0 => Err(Failure::Failed(format!(
                "{}: not decided: without \"saw\" more orders are possible than were tried",
                path.display()
            ))),
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
    let file = path.display();
    let bad = |line: usize, problem: &str| {
        let expected = "an operation: `tenbin check-history --help`";
        Failure::BadInput(format!("{file}:{line}: {problem}. Expected {expected}"))
    };
    let history = read(&text).map_err(|Reading { line, problem, other }| match other {
        None => bad(line, &problem),
        Some(other) => Failure::Failed(format!(
            "{file}:{line}: not a history of clients: {problem}; the other operation: \
             {file}:{other}"
        )),
    })?;
    match history.events.is_empty() {
        true => Err(bad(1, "no operations")),
        false => Ok(history),
    }
}

fn clients(history: &[Event]) -> usize {
    let all = history.iter().map(|event| event.client).filter(|client| *client != BEGINNING);
    all.collect::<BTreeSet<u32>>().len()
}

fn say(path: &Path, History { events, lines, .. }: &History, verdict: &Verdict) -> String {
    let Verdict { answered, unanswered, faults, decided } = verdict;
    let mut text = match (faults.is_empty(), decided) {
        (true, true) => "Strictly serializable: ".to_string(),
        (true, false) => "Not decided: ".to_string(),
        (false, _) => "Not strictly serializable: ".to_string(),
    };
    let place = |at: usize| format!("{}:{}: ", path.display(), lines[at]);
    let _ = writeln!(text, "{answered} operations of {} clients were answered.", clients(events));
    if *unanswered > 0 {
        let _ = writeln!(text, "{unanswered} more took effect without an answer.");
    }
    for fault in faults.iter().take(SHOWN) {
        let _ = writeln!(text, "\n{}", fault.say(events, &place));
    }
    if faults.len() > SHOWN {
        let _ = writeln!(text, "\nand {} more", faults.len() - SHOWN);
    }
    text
}

fn object(history: &History, verdict: &Verdict) -> Value {
    let fault = |fault: &ppmds_check::Fault| {
        let all = fault.events();
        let operations: Vec<&Event> = all.iter().map(|at| &history.events[*at]).collect();
        let lines: Vec<usize> = all.iter().map(|at| history.lines[*at]).collect();
        json!({
            "fault": fault.to_string(),
            "operations": operations,
            "lines": lines,
            "reasons": fault.reasons(),
        })
    };
    json!({
        "operations": history.events.len(),
        "answered": verdict.answered,
        "unanswered_with_effect": verdict.unanswered,
        "clients": clients(&history.events),
        "strictly_serializable": verdict.decided.then_some(verdict.faults.is_empty()),
        "faults": verdict.faults.iter().map(fault).collect::<Vec<Value>>(),
    })
}
