//! Disks that fill up or fail, in front of the nodes' real ones.
use crate::tenbin::Place;
use std::path::{Path, PathBuf};
use std::process::Command;

/// No space left on the device.
pub const ENOSPC: i32 = 28;
/// Input/output error.
pub const EIO: i32 = 5;

/// A program that runs `tenbin` with the faulty disk in front: `faulty_disk.c`.
pub fn program(place: &Place) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/relay_faults/faulty_disk.c");
    let library = place.dir.join("faulty_disk.so");
    let mut compiler = Command::new("cc");
    let compiler = compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]);
    let done = compiler.arg(&library).arg(source).arg("-ldl").status();
    assert!(done.expect("a C compiler").success());
    let script = format!(
        "#!/bin/sh\nLD_PRELOAD={} exec {} \"$@\"\n",
        library.display(),
        env!("CARGO_BIN_EXE_tenbin")
    );
    let path = place.dir.join("faulty-tenbin");
    std::fs::write(&path, script).expect("a writable folder");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("our own file");
    path
}

/// From now on this node's disk does that; without an error it works.
pub fn set(folder: &Path, fault: Option<i32>) {
    let file = folder.with_extension("fault");
    match fault {
        Some(error) => std::fs::write(file, error.to_string()).expect("a writable folder"),
        None => drop(std::fs::remove_file(file)),
    }
}
