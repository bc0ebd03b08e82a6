//! `tenbin bench diverge A B`
mod line;
mod text;
use crate::cli::Diverge;
use crate::diverge::{Source, search};
use crate::failure::Failure;
use crate::sums::{Difference, Sums, Window};
use crate::{console, interrupt};
use line::Run;
use std::path::Path;

pub fn diverge(args: Diverge) -> Result<(), Failure> {
    interrupt::exit_at_once(true);
    let mut a = source(&args.first)?;
    let mut b = source(&args.second)?;
    let found = search(&mut a, &mut b)?;
    match args.json {
        true => console::json(&text::object(&found))?,
        false => console::text(&text::text(&found))?,
    }
    let is_same = found.difference == Difference::None && found.unsteady.is_none();
    if is_same && found.a.trace_hash == found.b.trace_hash {
        return Ok(());
    }
    Err(Failure::Failed("the runs differ".into()))
}

/// An existing file, else a run.
fn source(text: &str) -> Result<Source<'static>, Failure> {
    if Path::new(text).is_file() {
        return Ok(Source::File(Box::new(Sums::read(Path::new(text))?)));
    }
    let run = Run::parse(text)?;
    let asked = run.within();
    let sums = move |window| {
        let within = match window {
            window if Some(window) == asked => String::new(),
            Window::WHOLE => String::new(),
            window => format!(", within {window}"),
        };
        console::note(&format!("running: {}{within}", run.text()));
        run.sums(window)
    };
    Ok(Source::Run(Box::new(sums), asked))
}
