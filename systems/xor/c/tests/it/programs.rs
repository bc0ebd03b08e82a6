//! Programs in C and Python, built and run as users do.
use std::path::{Path, PathBuf};
use std::process::Command;

/// The standard output; panics with both outputs on a failure.
pub fn run(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{command:?}: {}\n{out}{err}", done.status);
    out.into_owned()
}

/// The crate's folder, with the header.
pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the library that cargo built for this test.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this program");
    let folder = test.parent().expect("a folder").to_path_buf();
    assert!(folder.join("libtenbin_relay.so").is_file(), "no library in {}", folder.display());
    folder
}

pub fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a folder");
    place
}

pub fn compiler() -> Command {
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]).arg(home());
    cc
}

pub fn made(source: &Path, place: &Path) -> PathBuf {
    let program = place.join(source.file_stem().expect("a name"));
    let mut cc = compiler();
    cc.arg(source).arg("-o").arg(&program);
    run(cc.arg("-L").arg(library()).arg("-ltenbin_relay"));
    program
}

pub fn with_library(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", library());
    command
}
