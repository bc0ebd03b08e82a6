//! Builds a program with the system's C++ compiler.
use std::path::Path;
use std::process::Command;

/// Why there is no program.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum NoProgram {
    /// The compiler, or the library, is not on this machine; what said so.
    NotInstalled(String),
    /// All is there, and the compiler refuses; its words.
    Refused(String),
}

/// Compiles `source`, which needs `library`, into `program`.
pub(crate) fn compile(
    compiler: &str,
    source: &Path,
    library: &str,
    program: &Path,
) -> Result<(), NoProgram> {
    let mut build = Command::new(compiler);
    build.args(["-O3", "-std=c++17"]).arg(source).arg(format!("-l{library}"));
    let built = build.arg("-o").arg(program).output();
    let built = built.map_err(|e| NoProgram::NotInstalled(format!("{compiler}: {e}")))?;
    if built.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    // The header, then the library, as GCC, Clang and the linkers of GNU and LLVM name them.
    let lacks = |line: &str| {
        line.contains(&format!("{library}/"))
            && (line.contains("No such file") || line.contains("file not found"))
            || line.contains("cannot find") && line.contains(&format!("-l{library}"))
            || line.contains("unable to find library")
    };
    Err(match said.lines().any(lacks) {
        true => NoProgram::NotInstalled(said),
        false => NoProgram::Refused(said),
    })
}
