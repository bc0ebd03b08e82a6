//! `tenbin example NAME`
use crate::cli::Example;
use crate::failure::Failure;
use crate::{console, systems};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes a built-in scenario; it imports the files that `run` by its name lays out.
pub fn example(args: Example) -> Result<(), Failure> {
    let (system, scenario) = systems::built_in(&args.name)?;
    let mut text = scenario.text.to_string();
    if let Some((import, _)) = scenario.files.first() {
        let import = cluster::paths::beside(&systems::lay_out(scenario)?, import);
        let set = ("cluster.import".into(), import.display().to_string());
        text = cluster::with_sets(system.vocabulary, &text, &[set])
    }
    if args.out == Path::new("-") {
        return console::text(&text);
    }
    let new = File::create_new(&args.out).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            let there = args.out.display();
            Failure::BadInput(format!("{there} is there already: expected the name of a new file"))
        }
        _ => Failure::writing(&args.out, &e),
    });
    new?.write_all(text.as_bytes()).map_err(|e| Failure::writing(&args.out, &e))
}
