//! `tenbin example NAME`
use crate::cli::Example;
use crate::failure::Failure;
use crate::{console, systems};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

pub fn example(args: Example) -> Result<(), Failure> {
    let (_, scenario) = systems::built_in(&args.name)?;
    if args.out == Path::new("-") {
        return console::text(scenario.text);
    }
    let new = File::create_new(&args.out).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            let there = args.out.display();
            Failure::BadInput(format!("{there} exists: expected the name of a new file"))
        }
        _ => Failure::writing(&args.out, &e),
    });
    new?.write_all(scenario.text.as_bytes()).map_err(|e| Failure::writing(&args.out, &e))
}
