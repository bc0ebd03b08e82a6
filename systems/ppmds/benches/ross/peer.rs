//! The creates on ROSS: finds ROSS, builds and runs `peer.c`.
use crate::Run;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Why there is no program.
pub(crate) enum NoProgram {
    /// ROSS, MPI or CMake is not on this machine.
    NotInstalled(String),
    /// A build failed; its output.
    Refused(String),
}

/// Seconds after which a run is stopped.
pub(crate) const LONGEST_S: u32 = 20;

/// The best of eight tried with 2 processes; the window bounds speculation at 100 us.
const OPTIMISTIC: [&str; 4] =
    ["--nkp=512", "--batch=8", "--gvt-interval=32", "--max-opt-lookahead=100000"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Synch {
    Sequential,
    Conservative,
    Optimistic,
}

/// Size of a simulated service.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub setting: &'static str,
    pub servers: u32,
    pub clients: u32,
    pub creates: u32,
}

pub(crate) struct Peer {
    folder: PathBuf,
}

impl Peer {
    /// Builds ROSS from `$ROSS` if that is its source, and `peer.c`.
    pub(crate) fn build() -> Result<Peer, NoProgram> {
        let missing = |what: &str| NoProgram::NotInstalled(what.into());
        let given = std::env::var_os("ROSS").filter(|path| !path.is_empty());
        let given = PathBuf::from(given.ok_or_else(|| missing("ROSS is not set"))?);
        for program in ["mpicc", "mpirun", "timeout"] {
            let there = Command::new(program).arg("--version").output().is_ok();
            there.then_some(()).ok_or_else(|| missing(&format!("{program} is not installed")))?
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ross");
        std::fs::create_dir_all(&folder).expect("cargo's own folder");
        let prefix = match given.join("core/ross.h").is_file() {
            true => install(&given, &folder)?,
            false => given,
        };
        let (include, library) = (prefix.join("include"), prefix.join("lib"));
        if !library.join("libROSS.a").is_file() {
            let problem = "is neither ROSS's source (core/ross.h) nor a prefix (lib/libROSS.a)";
            return Err(NoProgram::Refused(format!("ROSS={}: {problem}", prefix.display())));
        }
        let mut compiler = Command::new("mpicc");
        compiler.args(["-O3", "-I"]).arg(include.join("ross")).arg("-I").arg(include);
        compiler.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/ross/peer.c"));
        compiler.arg("-o").arg(folder.join("peer")).arg("-L").arg(library);
        built(compiler.args(["-lROSS", "-lm"]))?;
        Ok(Peer { folder })
    }

    /// `None`: not ready after [`LONGEST_S`].
    pub(crate) fn run(&self, case: Case, synch: Synch, processes: usize) -> Option<Run> {
        let mut command = Command::new("timeout");
        command.arg(LONGEST_S.to_string());
        if processes > 1 {
            command.args(["mpirun", "-n", &processes.to_string()]);
        }
        // Open MPI 4 and 5: more processes than CPUs, which yield while they wait, and root.
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        command.env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
        command.env("OMPI_MCA_mpi_yield_when_idle", "1");
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        let Case { setting, servers, clients, creates } = case;
        command.current_dir(&self.folder).arg("./peer");
        command.arg(format!("--synch={}", synch as u32 + 1)).arg(format!("--setting={setting}"));
        command.arg(format!("--servers={servers}")).arg(format!("--clients={clients}"));
        command.arg(format!("--creates={creates}"));
        if synch == Synch::Optimistic {
            command.args(OPTIMISTIC);
        }
        let Output { status, stdout, stderr } = command.output().expect("`timeout` is installed");
        if status.code() == Some(124) {
            return None;
        }
        let (text, errors) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert!(status.success(), "{command:?} failed: {text}{errors}");
        let number = |key: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key));
            let word = line.and_then(|line| line.split_whitespace().next());
            word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no `{key}`: {text}"))
        };
        Some(Run {
            seconds: number(": Running Time ="),
            events: number("Net Events Processed"),
            undone: number("Events Rolled Back"),
            rate: number("simulated"),
        })
    }
}

/// CPUs of this machine.
pub(crate) fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, |cpus| cpus.get())
}

/// Builds ROSS with CMake; returns the prefix.
fn install(source: &Path, folder: &Path) -> Result<PathBuf, NoProgram> {
    let (build, prefix) = (folder.join("build"), folder.join("prefix"));
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(source).arg("-B").arg(&build);
    configure.args(["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_COMPILER=mpicc"]);
    configure.args(["-DROSS_BUILD_TESTING=OFF", "-DCMAKE_INSTALL_LIBDIR=lib"]);
    configure.arg(format!("-DCMAKE_INSTALL_PREFIX={}", prefix.display()));
    built(&mut configure)?;
    built(Command::new("cmake").arg("--build").arg(&build).args(["--target", "install"]))?;
    Ok(prefix)
}

fn built(command: &mut Command) -> Result<(), NoProgram> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output();
    let output = output.map_err(|e| NoProgram::NotInstalled(format!("{program}: {e}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(NoProgram::Refused(String::from_utf8_lossy(&said).into_owned()))
}
