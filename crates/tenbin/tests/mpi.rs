//! Real ranks: `mpirun -n R tenbin …`. `make mpi` runs it; it needs an MPI on the machine.
#![cfg(feature = "mpi")]
use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

const TENBIN: &str = env!("CARGO_BIN_EXE_tenbin");

/// `mpirun` that also starts more ranks than there are cores, and as root, as test machines do.
fn mpirun(ranks: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.envs(["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"].map(|k| (k, "1")));
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    command.args(["-n", &ranks.to_string(), TENBIN]).args(arguments);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("mpirun is there: `make mpi` installs it")
}

fn json(output: &Output) -> serde_json::Value {
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&told).unwrap_or_else(|e| panic!("{e}: {told}"))
}

const PHOLD: [&str; 7] = ["bench", "phold", "--lps", "500", "--events", "40000", "--json"];

#[test]
fn ranks_give_one_trace() {
    let with = |ranks, scheduler| {
        let arguments = [&PHOLD[..], &["--scheduler", scheduler, "--threads", "2"]].concat();
        json(&output(mpirun(ranks, &arguments)))
    };
    let one = json(&output(mpirun(1, &PHOLD)));
    for ranks in [2, 3] {
        for scheduler in ["conservative", "optimistic", "auto"] {
            let many = with(ranks, scheduler);
            assert_eq!(many["trace_hash"], one["trace_hash"], "{scheduler} on {ranks}");
            assert_eq!(many["committed"], one["committed"], "{scheduler} on {ranks}");
            assert_eq!(many["ranks"], ranks)
        }
    }
}

/// All tables except the run table.
#[test]
fn tables_are_the_same_byte_for_byte() {
    let place = std::env::temp_dir().join(format!("tenbin-mpi-{}", std::process::id()));
    let tables = |ranks: usize, scheduler| {
        let out = place.join(format!("{ranks}-{scheduler}"));
        let to = out.to_str().expect("plain");
        let arguments = ["run", "scenarios/s0.toml", "--scheduler", scheduler, "-o", to, "--json"];
        let told = json(&output(mpirun(ranks, &arguments)));
        let mut files: Vec<_> = std::fs::read_dir(out.join("trace"))
            .expect("the trace")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|e| e == "parquet"))
            .filter(|path| path.file_stem().is_some_and(|name| name != "run"))
            .collect();
        files.sort();
        let bytes: Vec<Vec<u8>> =
            files.iter().map(|path| std::fs::read(path).expect("readable")).collect();
        (told["metrics"].clone(), bytes)
    };
    let once = tables(1, "sequential");
    assert!(once.1.len() >= 5, "{} tables", once.1.len());
    for (ranks, scheduler) in [(2, "conservative"), (3, "optimistic")] {
        assert!(tables(ranks, scheduler) == once, "{scheduler} on {ranks} ranks")
    }
    std::fs::remove_dir_all(place).expect("it is ours")
}

#[test]
fn bad_input_is_told_once() {
    let told = output(mpirun(3, &["run", "no-such-scenario.toml"]));
    let said = String::from_utf8_lossy(&told.stderr);
    assert_eq!(told.status.code(), Some(2), "{said}");
    assert_eq!(said.matches("error: no-such-scenario.toml").count(), 1, "{said}")
}

#[test]
fn a_killed_rank_ends_all() {
    let endless = ["bench", "phold", "--lps", "1000", "--events", "9000000000000"];
    for scheduler in ["conservative", "optimistic"] {
        let arguments = [&endless[..], &["--scheduler", scheduler]].concat();
        let mut started = mpirun(2, &arguments).spawn().expect("mpirun");
        let rank = last_child(&started);
        #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
        let killed = Instant::now();
        assert!(Command::new("kill").args(["-9", &rank]).status().expect("kill").success());
        while started.try_wait().expect("it can be asked").is_none() {
            assert!(killed.elapsed() < Duration::from_secs(10), "{scheduler}: still there");
            std::thread::sleep(Duration::from_millis(50))
        }
        assert!(!started.wait().expect("it ended").success(), "{scheduler}")
    }
}

/// A rank that has begun to work.
fn last_child(started: &Child) -> String {
    let parent = started.id().to_string();
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begun = Instant::now();
    loop {
        let found = Command::new("pgrep").args(["-P", &parent]).output().expect("pgrep");
        let ranks: Vec<String> =
            String::from_utf8_lossy(&found.stdout).lines().map(String::from).collect();
        if ranks.len() == 2 && begun.elapsed() > Duration::from_secs(2) {
            return ranks[1].clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no ranks: {ranks:?}");
        std::thread::sleep(Duration::from_millis(100))
    }
}
