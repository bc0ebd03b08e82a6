//! `tenbin` with a preloaded C library, whose source is next to a test.
use crate::tenbin::Place;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a file of this folder, and makes a program of this name that runs `tenbin` with it in
/// front. `lines` are shell, run before, and may change the arguments.
pub fn program(place: &Place, name: &str, source: &str, lines: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli").join(source);
    let library = place.dir.join(source.file_stem().expect("a name")).with_extension("so");
    let mut compiler = Command::new("cc");
    // Without builtins: a loop that copies must not become a call of the copy that it is.
    compiler.args(["-shared", "-fPIC", "-O1", "-fno-builtin", "-Wall", "-Werror", "-o"]);
    let done = compiler.arg(&library).arg(source).arg("-ldl").status();
    assert!(done.expect("a C compiler").success());
    let (library, tenbin) = (library.display(), env!("CARGO_BIN_EXE_tenbin"));
    let script = format!("#!/bin/sh\n{lines}\nLD_PRELOAD={library} exec {tenbin} \"$@\"\n");
    let path = place.dir.join(name);
    std::fs::write(&path, script).expect("a writable folder");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("our own file");
    path
}
