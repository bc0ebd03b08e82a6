//! Error messages of the benchmarks.
#[path = "../../benches/simgrid/compile.rs"]
mod compile;
#[path = "../../../../benches/verdicts.rs"]
mod verdicts;
use compile::{NoProgram, compile};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use verdicts::Verdicts;

#[test]
fn one_missed_bound_is_a_failure() {
    let code = |code: ExitCode| format!("{code:?}");
    let mut verdicts = Verdicts::default();
    assert_eq!(code(verdicts.exit()), code(ExitCode::SUCCESS));
    assert_eq!(verdicts.of(true), "held");
    assert_eq!(code(verdicts.exit()), code(ExitCode::SUCCESS));
    assert_eq!(verdicts.of(false), "MISSED");
    assert_eq!(verdicts.of(true), "held");
    assert_eq!(code(verdicts.exit()), code(ExitCode::FAILURE))
}

/// Result with a fake compiler that prints `said` and fails, or that succeeds.
#[cfg(unix)]
fn compiled(name: &str, said: &str) -> Result<(), NoProgram> {
    use std::os::unix::fs::PermissionsExt;
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let body = if said.is_empty() { "exit 0".into() } else { format!("echo '{said}' >&2; exit 1") };
    std::fs::write(&file, format!("#!/bin/sh\n{body}\n")).expect("a writable folder");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&file, executable).expect("our own file");
    let compiler = file.to_string_lossy().into_owned();
    compile(&compiler, Path::new("peer.cpp"), "simgrid", Path::new("peer"))
}

#[cfg(unix)]
#[test]
fn a_compiler_that_refuses_is_heard() {
    assert_eq!(compiled("compiler-good", ""), Ok(()));
    let header = "peer.cpp:3:10: fatal error: simgrid/s4u.hpp: No such file or directory";
    let library = "/usr/bin/ld: cannot find -lsimgrid: No such file or directory";
    for (name, said) in [("compiler-header", header), ("compiler-library", library)] {
        assert_eq!(compiled(name, said), Err(NoProgram::NotInstalled(format!("{said}\n"))));
    }
    let wrong = "peer.cpp:9:1: error: expected unqualified-id before numeric constant";
    assert_eq!(compiled("compiler-wrong", wrong), Err(NoProgram::Refused(format!("{wrong}\n"))));
    let none = compile("no-such-compiler", Path::new("x.cpp"), "simgrid", Path::new("x"));
    assert!(matches!(none, Err(NoProgram::NotInstalled(said)) if said.contains("no-such-compiler")))
}
