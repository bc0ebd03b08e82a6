//! `tenbin import hdfs`
use super::ImportHdfs;
use crate::console;
use crate::failure::Failure;
use hdfs_trace::ingest::hdfs::{self, Imported, Input, Sources};
use serde_json::{Map, Value, json};
use std::path::Path;
use system::import::reading;

pub(super) fn import(args: ImportHdfs) -> Result<(), Failure> {
    check_place(&args)?;
    let imported = reading(|tell| hdfs::import(&sources(&args), tell))?;
    imported.write(&args.out).map_err(|e| Failure::writing(&args.out, &e))?;
    if args.json {
        console::json(&object(&imported))
    } else {
        console::text(&summary(&args.out, &imported))
    }
}

/// Only a cluster file may be overwritten, never an input or another file.
fn check_place(args: &ImportHdfs) -> Result<(), Failure> {
    let out = &args.out;
    let bad = |why: &str| {
        let expected = "a new file, NAME.toml, or one that an import wrote";
        Err(Failure::BadInput(format!("--out {}: {why}: expected {expected}", out.display())))
    };
    if out.file_name().is_none() || out.is_dir() {
        return bad("is a folder");
    }
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty());
    if parent.is_some_and(|parent| !parent.is_dir()) {
        return bad("is in a folder that does not exist");
    }
    let written = std::fs::read(out).is_ok_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.contains("[cluster]") && text.contains("nodes = [")
    });
    if out.exists() && !written {
        bad("is another file, which would be overwritten")
    } else {
        Ok(())
    }
}

fn sources(args: &ImportHdfs) -> Sources {
    let input = |path: &Option<std::path::PathBuf>| path.as_deref().map(Input::named);
    Sources {
        name: args.out.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        fsck: input(&args.fsck),
        report: input(&args.report),
        topology: input(&args.topology),
        conf: input(&args.conf),
        jmx: input(&args.jmx),
    }
}

fn object(imported: &Imported) -> Value {
    let counts = imported.counts.named();
    let mut all: Map<String, Value> =
        counts.iter().map(|(name, n)| (name.to_string(), json!(n))).collect();
    // Values that the inputs lack are null, not 0.
    all.extend(imported.unknown.iter().map(|name| (name.to_string(), Value::Null)));
    all.insert("assumed".into(), json!(imported.assumed));
    all.insert("notes".into(), json!(imported.notes));
    Value::Object(all)
}

fn summary(out: &Path, imported: &Imported) -> String {
    let width = imported.counts.named().iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, n) in imported.counts.named().iter().filter(|(_, n)| *n > 0) {
        text += &format!("{:<width$}  {n}\n", name.replace('_', " "));
    }
    for note in &imported.notes {
        text += &format!("note: {note}\n");
    }
    text + &format!(
        "! Not in your files, assumed: {}\n{}\n",
        imported.assumed.join(", "),
        out.display()
    )
}
