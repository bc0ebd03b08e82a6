//! Programs in C and Python, built and run as users do, for the library `crate::LIBRARY`.
use crate::LIBRARY;
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
    let file = folder.join(format!("lib{LIBRARY}.so"));
    assert!(file.is_file(), "{}: no such file", file.display());
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
    cc.args(["-std=c99", "-pthread", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    // The second folder has `check.h`.
    cc.arg("-I").arg(home()).arg("-I").arg(home().join("../../../crates/cborder/tests/common"));
    cc
}

pub fn made(source: &Path, place: &Path) -> PathBuf {
    let program = place.join(source.file_stem().expect("a name"));
    let mut cc = compiler();
    cc.arg(source).arg("-o").arg(&program);
    run(with_linked(&mut cc));
    program
}

pub fn with_linked(cc: &mut Command) -> &mut Command {
    cc.arg("-L").arg(library()).arg(format!("-l{LIBRARY}"))
}

pub fn with_library(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", library());
    command
}

pub fn python() -> Command {
    let mut python = Command::new("python3");
    // No compiled modules in the repository.
    python.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONWARNINGS", "error");
    let file = library().join(format!("lib{LIBRARY}.so"));
    python.env(format!("{}_LIBRARY", LIBRARY.to_uppercase()), file);
    python.env("PYTHONPATH", home().join("python"));
    python
}

/// The first example in a language of a page.
pub fn example(page: &str, language: &str) -> String {
    let page = std::fs::read_to_string(home().join(page)).expect("the page");
    let (_, after) = page.split_once(&format!("```{language}\n")).expect("a block");
    after.split_once("```").expect("its end").0.to_string()
}
