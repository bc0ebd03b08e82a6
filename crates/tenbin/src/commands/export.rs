//! `tenbin export RUN`
use crate::cli::Export;
use crate::failure::Failure;
use crate::output::Output;
use crate::{console, systems};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use trace::Trace;

pub fn export(args: Export) -> Result<(), Failure> {
    let trace = systems::finished(&args.run)?.trace()?;
    if let Some(folder) = &args.chrome_trace {
        into(folder, |out| {
            let path = out.path("trace.json.gz");
            let failed = |e: std::io::Error| Failure::writing(&path, &e);
            let file = BufWriter::new(File::create(&path).map_err(failed)?);
            let packed = GzEncoder::new(file, Compression::fast());
            let packed = trace::chrome::write_to(&trace, packed).map_err(failed)?;
            packed.finish().map_err(failed).map(drop)
        })?
    }
    if let Some(folder) = &args.parquet {
        into(folder, |out| {
            let path = out.path("tables");
            trace::tables::write(&trace, &path).map_err(|e| Failure::writing(&path, &e))
        })?
    }
    if let Some(folder) = &args.csv {
        into(folder, |out| {
            out.write("entities.csv", entities(&trace).as_bytes())?;
            out.write("intervals.csv", intervals(&trace).as_bytes())?;
            match trace.facts.is_empty() {
                true => Ok(()),
                false => out.write("facts.csv", facts(&trace).as_bytes()),
            }
        })?
    }
    Ok(())
}

fn into(folder: &Path, write: impl FnOnce(&Output) -> Result<(), Failure>) -> Result<(), Failure> {
    let out = Output::at(folder)?;
    write(&out)?;
    out.keep()?;
    console::text(&format!("{}\n", folder.display()))
}

/// One CSV line; an apostrophe protects text that a spreadsheet would evaluate.
fn line(cells: &[String]) -> String {
    let cell = |text: &String| {
        let calculates = text.starts_with(['=', '+', '@', '\t', '\r'])
            || (text.starts_with('-') && text.parse::<f64>().is_err());
        let text = if calculates { format!("'{text}") } else { text.clone() };
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}

fn table<R>(
    head: &[&str],
    rows: impl Iterator<Item = R>,
    cells: impl Fn(R) -> Vec<String>,
) -> String {
    let head: Vec<String> = head.iter().map(|name| name.to_string()).collect();
    std::iter::once(line(&head)).chain(rows.map(|row| line(&cells(row)))).collect()
}

fn number<N: ToString>(number: Option<N>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn entities(trace: &Trace) -> String {
    let head = ["id", "kind", "parent", "name", "node", "begun_ns", "end_ns", "outcome"];
    table(&head, trace.entities.iter().enumerate(), |(at, row)| {
        vec![
            at.to_string(),
            trace.kinds[row.kind.at()].name.clone(),
            number(row.parent.map(|parent| parent.at())),
            row.name.clone().unwrap_or_default(),
            row.node.map_or(String::new(), |node| trace.nodes[node.at()].name.clone()),
            number(row.begun.map(|at| at.0)),
            number(row.end.map(|at| at.0)),
            row.outcome.name().into(),
        ]
    })
}

fn intervals(trace: &Trace) -> String {
    let head = ["id", "kind", "subject", "parent", "node", "start_ns", "end_ns", "outcome"];
    table(&head, trace.intervals.iter().enumerate(), |(at, row)| {
        vec![
            at.to_string(),
            trace.interval_kind(row.kind).name.clone(),
            number(row.subject.map(|subject| subject.at())),
            number(row.parent.map(|parent| parent.at())),
            row.node.map_or(String::new(), |node| trace.nodes[node.at()].name.clone()),
            row.start.0.to_string(),
            row.end.0.to_string(),
            row.outcome.name().into(),
        ]
    })
}

fn facts(trace: &Trace) -> String {
    table(&["entity", "name", "value", "text"], trace.facts.iter(), |row| {
        vec![
            row.entity.at().to_string(),
            trace.kinds[row.kind.at()].name.clone(),
            number(row.value),
            row.text.clone().unwrap_or_default(),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn no_cell_calculates_or_breaks_out() {
        let cells = ["=1+1", "a,\"b\"", "-5", "-cmd", "x\ny"].map(String::from);
        assert_eq!(line(&cells), "'=1+1,\"a,\"\"b\"\"\",-5,'-cmd,\"x\ny\"\n");
    }
}
