//! What help shows as an example can be typed.
use crate::tenbin::root;
use clap::{ArgMatches, Command, CommandFactory};
use tenbin::{
    cli::Cli,
    systems::{built_ins, with_actions},
};
use tenbin_lab::REAL;

/// Commands whose first argument is a scenario: a file of the tree, or built in.
const OF_SCENARIOS: [&str; 3] = ["run", "compare", "check"];

#[test]
fn every_example_in_help_is_understood() {
    let mut command = with_actions(Cli::command(), Some(&REAL));
    command.build();
    let mut lines = Vec::new();
    collect(&command, &mut lines);
    assert!(lines.len() > 50, "only {} examples: {lines:?}", lines.len());
    let wrong: Vec<String> = lines.iter().filter_map(|line| wrong(&command, line)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines that begin with the program's name below `command`'s options, and below those of its
/// own commands.
fn collect(command: &Command, lines: &mut Vec<String>) {
    let after = command.get_after_long_help().or_else(|| command.get_after_help());
    // A backslash continues the line.
    let text = after.map_or(String::new(), ToString::to_string).replace("\\\n", " ");
    let examples = text.lines().filter_map(|line| line.strip_prefix("  tenbin "));
    lines.extend(examples.map(|line| format!("tenbin {line}")));
    command.get_subcommands().for_each(|below| collect(below, lines));
}

/// What is wrong with an example, if something is.
fn wrong(command: &Command, line: &str) -> Option<String> {
    let words = words(line);
    if words.iter().any(|word| word == "--help") {
        return None;
    }
    let parsed = match command.clone().try_get_matches_from(&words) {
        Ok(parsed) => parsed,
        Err(e) => return Some(format!("{line}\n{e}")),
    };
    let missing = scenario(&parsed).filter(|name| !exists(name))?;
    Some(format!("{line}\n`{missing}` is neither built in nor in scenarios/"))
}

/// The scenario of an example, if it is one of the repository.
fn scenario(parsed: &ArgMatches) -> Option<String> {
    let (name, arguments) = parsed.subcommand()?;
    let mut raw = match OF_SCENARIOS.contains(&name) {
        true => arguments.get_raw("scenario")?,
        false => return None,
    };
    Some(raw.next()?.to_string_lossy().into_owned())
}

fn exists(name: &str) -> bool {
    match name.ends_with(".toml") {
        // A user's own files are outside the repository's folders.
        true => !name.starts_with("scenarios/") || root().join(name).is_file(),
        false => built_ins().any(|(_, scenario)| scenario.name == name),
    }
}

/// A line as a shell splits it: at blanks outside of quotes, up to a pipe or a comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            ('|' | '#' | '>' | '&' | ';', None) => break,
            (' ', None) => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            (c, _) => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}
