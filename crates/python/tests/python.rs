//! The module as users have it: pytest and mypy in Python's own environment, which `make test`
//! makes.
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folder of what cargo built for this test.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("this program");
    test.parent().expect("a folder").to_path_buf()
}

/// A folder with the module, as the wheel has it.
fn module(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a folder");
    run(Command::new("cp").arg("-r").arg(root().join("crates/python/python/tenbin")).arg(&place));
    let library = built().join("lib_native.so");
    std::fs::copy(library, place.join("tenbin/_native.abi3.so")).expect("the library");
    place
}

/// `python -m WORD …` in the repository's root.
fn python(words: &[&str]) -> Command {
    let file = std::env::var_os("TENBIN_PYTHON").map(PathBuf::from);
    let file = file.unwrap_or_else(|| root().join("target/tools/python-test/bin/python"));
    assert!(file.is_file(), "{}: `make test` makes this environment", file.display());
    let mut python = Command::new(file);
    python.current_dir(root()).env("PYTHONDONTWRITEBYTECODE", "1").arg("-m").args(words);
    python
}

fn run(command: &mut Command) {
    let done = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{command:?}: {}\n{out}{err}", done.status);
}

#[test]
fn the_module_works() {
    let program = built().parent().expect("a folder").join("tenbin");
    assert!(program.is_file(), "cargo test --workspace builds {}", program.display());
    run(python(&["pytest", "-p", "no:cacheprovider"])
        .env("PYTHONPATH", module("module"))
        .env("TENBIN", program));
}

#[test]
fn all_types_are_right() {
    run(&mut python(&["mypy", "--cache-dir", "/dev/null"]));
}

#[test]
fn the_format_is_that_of_ruff() {
    for words in [["check", "--no-cache"], ["format", "--check"]] {
        run(python(&["ruff"]).args(words).args(["crates/python", "examples/notebooks"]))
    }
}
