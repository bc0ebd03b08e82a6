//! The tutorial, command by command.
use crate::tenbin::{Done, Place, root};
use std::process::Command;

/// Commands of the tutorial's `console` blocks with their output; `...` in an output matches
/// anything.
fn steps() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("the tutorial");
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            steps.push((command.to_string(), Vec::new()))
        } else if inside && !line.is_empty() {
            steps.last_mut().expect("a command first").1.push(line.to_string())
        }
    }
    steps
}

#[test]
fn its_commands_print_what_it_shows() {
    let steps = steps();
    assert!(steps.len() >= 5, "the tutorial is gone");
    let place = Place::with_everything("tutorial");
    for (command, expected) in steps.iter().filter(|(c, _)| !c.starts_with("make")) {
        let done = in_a_shell(&place, command);
        assert_eq!(done.code, Some(0), "$ {command}\n{}{}", done.out, done.err);
        in_order(command, expected, &done.out);
    }
}

/// Runs the command in a shell, as a user would.
pub(crate) fn in_a_shell(place: &Place, command: &str) -> Done {
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_tenbin")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a PATH"));
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", command]).env("PATH", &path).current_dir(&place.dir).output();
    crate::tenbin::done(output.expect("sh"))
}

/// Each expected line is in the output, in order; parts between `...` are in the line, in order.
fn in_order(command: &str, expected: &[String], out: &str) {
    let mut lines = out.lines();
    for wanted in expected.iter().filter(|l| l.trim() != "...") {
        assert!(
            lines.any(|line| matches(wanted, line)),
            "$ {command}\nno line\n{wanted}\nin (or not in this order)\n{out}"
        );
    }
}

fn matches(wanted: &str, line: &str) -> bool {
    let mut rest = line;
    wanted.split("...").all(|part| match rest.find(part.trim()) {
        Some(at) => {
            rest = &rest[at + part.trim().len()..];
            true
        }
        None => false,
    })
}
