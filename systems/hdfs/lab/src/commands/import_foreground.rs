//! `tenbin import foreground`
use super::ImportForeground;
use crate::console;
use crate::failure::Failure;
use hdfs_trace::ingest::foreground::{self, Imported, Sources};
use hdfs_trace::ingest::hdfs::Input;
use serde_json::{Value, json};
use std::path::Path;
use system::import::reading;

pub(super) fn import(args: ImportForeground) -> Result<(), Failure> {
    check_place(&args.out)?;
    let imported = reading(|tell| foreground::import(&sources(&args), tell))?;
    imported.write(&args.out).map_err(|e| Failure::writing(&args.out, &e))?;
    if args.json {
        return console::json(&object(&args.out, &imported));
    }
    imported.notes.iter().for_each(|note| console::note(&format!("note: {note}")));
    let beside = Imported::shares_beside(&args.out);
    let shares = beside.file_name().unwrap_or_default().to_string_lossy();
    console::text(&format!("{}{}\n", imported.toml(&shares), args.out.display()))
}

fn sources(args: &ImportForeground) -> Sources {
    let inputs =
        |paths: &[std::path::PathBuf]| paths.iter().map(|path| Input::named(path)).collect();
    Sources {
        before: inputs(&args.before),
        after: inputs(&args.after),
        conf: args.conf.as_deref().map(Input::named),
        replication: args.replication,
    }
}

/// Only files that an import wrote may be overwritten.
fn check_place(out: &Path) -> Result<(), Failure> {
    let bad = |place: &Path, why: &str| {
        let expected = "a new file, NAME.toml, or one that `import foreground` wrote";
        Err(Failure::BadInput(format!("--out {}: {why}: expected {expected}", place.display())))
    };
    if out.file_name().is_none() || out.is_dir() {
        return bad(out, "is a folder");
    }
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty());
    if parent.is_some_and(|parent| !parent.is_dir()) {
        return bad(out, "is in a folder that does not exist");
    }
    let other = "is another file, which would be overwritten";
    if out.exists() && hdfs_scenario::foreground_file(out).is_err() {
        return bad(out, other);
    }
    let beside = Imported::shares_beside(out);
    let ours = || std::fs::read_to_string(&beside).is_ok_and(|text| Imported::is_shares(&text));
    if beside.exists() && !ours() { bad(&beside, other) } else { Ok(()) }
}

fn object(out: &Path, imported: &Imported) -> Value {
    let load = &imported.load;
    json!({
        "nodes": load.shares.len(),
        "seconds": load.seconds,
        "reads": load.reads,
        "read_bytes": load.read_bytes.map(|bytes| bytes.0),
        "local": load.local,
        "writes": load.writes,
        "write_bytes": load.write_bytes.map(|bytes| bytes.0),
        "left_out": imported.left_out,
        "notes": imported.notes,
        "out": out,
        "shares": Imported::shares_beside(out),
    })
}
