//! What scripts rely on: exit codes, one JSON object, its keys.
use crate::tenbin::Place;
use serde_json::Value;

/// Small enough for a debug build.
const SMALL: [&str; 4] =
    ["--set", "cluster.nodes_per_rack=6", "--set", "workload.blocks_on_lost_node=40"];

fn small<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &SMALL].concat()
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn has(object: &Value, expected: &[&str]) {
    for key in expected {
        assert!(object.get(key).is_some(), "{key} is missing among {:?}", keys(object));
    }
}

#[test]
fn run_prints_its_object_and_writes_its_files() {
    let place = Place::with_s0("run");
    let run = place.json(&small(&["run", "s0.toml", "-o", "result"]));
    has(
        &run,
        &[
            "scenario",
            "seed",
            "scheduler",
            "threads",
            "ranks",
            "trace_hash",
            "events",
            "simulated_s",
            "wall_s",
            "peak_rss_bytes",
            "metrics",
            "out",
        ],
    );
    let metrics = &run["metrics"];
    has(
        metrics,
        &[
            "detection_s",
            "recovery_s",
            "exposed_s",
            "throughput_mb_s",
            "blocks_copied",
            "bytes_copied",
            "blocks_lost",
            "at_one_replica_s",
            "at_one_replica_block_s",
            "one_rack_only_s",
            "send_max_over_mean",
            "receive_max_over_mean",
            "disk_max_over_mean",
            "attribution",
        ],
    );
    assert_eq!(metrics["blocks_copied"], 40.0);
    assert_eq!(metrics["bytes_copied"], 40.0 * 67e6);
    let shares: f64 = metrics["attribution"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|held| held["share"].as_f64().expect("a share"))
        .sum();
    assert!((shares - 1.0).abs() < 1e-9, "shares sum to {shares}");
    for file in ["report.html", "report.json", "run.json", "scenario.toml", "trace"] {
        assert!(place.dir.join("result").join(file).exists(), "{file}");
    }
    assert_eq!(place.names(), ["result", "s0.toml"], "and nothing else");
}

#[test]
fn equal_runs_have_equal_hashes_under_both_schedulers() {
    let place = Place::with_s0("hash");
    let hash = |args: &[&str]| place.json(&small(args))["trace_hash"].clone();
    let first = hash(&["run", "s0.toml"]);
    assert_eq!(first, hash(&["run", "s0.toml"]), "twice the same");
    assert_eq!(first, hash(&["run", "s0.toml", "--check"]), "checkers only look");
    assert_eq!(first, hash(&["run", "s0.toml", "--scheduler", "rollback-check"]));
    assert_ne!(first, hash(&["run", "s0.toml", "--seed", "2"]), "another seed is another run");
}

#[test]
fn compare_prints_a_row_for_each_combination() {
    let place = Place::with_s0("compare");
    let object = place.json(&small(&[
        "compare",
        "s0.toml",
        "--vary",
        "policy.rereplication=default,ring",
        "--vary",
        "hardware.disk=65MB/s,105MB/s",
        "--seeds",
        "2",
    ]));
    has(&object, &["rows", "wall_s"]);
    let rows = object["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row["seeds"], 2);
        has(&row["set"], &["policy.rereplication", "hardware.disk"]);
        has(&row["metrics"]["recovery_s"], &["mean", "ci95", "min", "max"]);
    }
    assert!(place.dir.join("out/s0/report.html").exists());
}

#[test]
fn a_comparison_does_not_depend_on_threads() {
    let place = Place::with_s0("threads");
    let compare = ["compare", "s0.toml", "--seeds", "3"];
    let rows = || place.json(&small(&compare))["rows"].to_string();
    assert_eq!(rows(), rows());
}

#[test]
fn progress_is_silent_in_a_pipe() {
    let place = Place::with_s0("silent");
    let done = place.ok(&small(&["run", "s0.toml"]));
    let warning = tenbin::page::warning().map_or(String::new(), |w| format!("{w}\n"));
    assert_eq!(done.err, warning);
    assert!(done.out.contains("report.html"), "{}", done.out);
}

#[cfg(target_os = "linux")]
#[test]
fn exit_codes_hold_where_nobody_hears() {
    let place = Place::new("deaf");
    let full = || std::fs::File::create("/dev/full").expect("Linux has it");
    let mut bad = place.command(&["run", "missing.toml"]);
    assert_eq!(bad.stderr(full()).status().expect("it runs").code(), Some(2));
    let mut list = place.command(&["list", "policies"]);
    assert_eq!(list.stdout(full()).stderr(full()).status().expect("it runs").code(), Some(1));
}

#[test]
fn help_and_version_go_to_stdout_with_0() {
    let place = Place::new("help");
    for args in [&["--help"][..], &["--version"], &["run", "--help"], &["import", "hdfs", "--help"]]
    {
        let done = place.ok(args);
        assert!(done.err.is_empty() && !done.out.is_empty(), "{args:?}");
    }
    assert!(place.ok(&["compare", "--help"]).out.contains("Examples:"));
}

#[test]
fn completions_are_scripts() {
    let place = Place::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = place.ok(&["completions", shell]).out;
        for command in ["reproduce", "import", "monitor", "relay"] {
            assert!(script.contains(command), "{shell}: {command}")
        }
    }
}

#[test]
fn each_command_has_a_manual_page() {
    let place = Place::new("man");
    place.ok(&["man", "pages"]);
    for page in ["tenbin.1", "tenbin-compare.1", "tenbin-import-hdfs.1", "tenbin-relay-put.1"] {
        let text = std::fs::read_to_string(place.dir.join("pages").join(page)).expect(page);
        assert!(text.contains(".SH NAME") && text.contains(".SH DESCRIPTION"), "{page}: {text}");
    }
}

#[test]
fn phold_prints_its_object() {
    let place = Place::new("phold");
    let object = place.json(&["bench", "phold", "--lps", "64"]);
    has(
        &object,
        &[
            "scheduler",
            "threads",
            "ranks",
            "lps",
            "population",
            "committed",
            "rolled_back",
            "efficiency",
            "seconds",
            "events_per_second",
            "peak_rss_bytes",
            "trace_hash",
        ],
    );
    assert_eq!(object["lps"], 64);
    for others in ["rollback-check", "auto", "conservative", "optimistic"] {
        let again = place.json(&["bench", "phold", "--lps", "64", "--scheduler", others]);
        assert_eq!(object["trace_hash"], again["trace_hash"], "{others}");
    }
    let one = ["bench", "phold", "--lps", "1", "--remote", "0", "--events", "1000"];
    let many = place.ok(&[&one[..], &["--scheduler", "conservative", "--threads", "2"]].concat());
    assert_eq!(many.err, "conservative: one thread did all the work: too few logical processes\n");
    assert_eq!(place.ok(&one).err, "", "several were not requested");
    let stress = ["bench", "phold", "--lps", "64", "--rollback-stress", "--threads", "2"];
    let again = place.json(&stress);
    assert_eq!(object["trace_hash"], again["trace_hash"]);
    assert!(again["rolled_back"].as_u64() > Some(1000), "{again}");
    let sums = place.json(&["bench", "phold", "--lps", "64", "--sums", "phold.sums"]);
    for key in ["trace_hash", "committed", "scheduler"] {
        assert_eq!(object[key], sums[key], "{key}")
    }
}

#[test]
fn an_imported_namenode_completes_the_command_to_paste() {
    let place = Place::with_everything("namenode");
    let example = "examples/shop/hdfs-site.xml";
    let site = std::fs::read_to_string(place.dir.join(example)).expect("the example");
    let told = "<configuration>\n  <property><name>dfs.namenode.rpc-address</name>\
                <value>nn1.shop:8025</value></property>";
    place.write(example, site.replacen("<configuration>", told, 1));
    let fsck = "examples/shop/fsck-files-blocks-replicaDetails.txt.gz";
    let import = ["import", "hdfs", "--fsck", fsck, "--conf", example];
    place.ok(&[&import[..], &["-o", "examples/shop/shop.toml"]].concat());
    let target = ["--set", "event.target=10.0.2.5"];
    let seeds = ["--seeds", "4", "--vary"];
    let streams = ["hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration=2,8"];
    let compare = ["compare", "scenarios/shop.toml"];
    let out = place.ok(&[&compare[..], &target, &seeds, &streams].concat()).out;
    assert!(out.contains("hdfs dfsadmin -reconfig namenode nn1.shop:8025 start"), "{out}");
}

const TWO_ROWS: &str = r#"
[cluster]
racks = 1
nodes_per_rack = 4
[workload]
blocks_on_lost_node = 9
[[event]]
at = "0s"
kind = "node-lost"
target = "dn-r1-01"
[compare]
"policy.rereplication" = ["default", "ring"]
"#;

#[test]
fn a_results_scenario_runs_from_where_it_lies() {
    let place = Place::with_everything("again");
    let sets = ["--set", "policy.rereplication=ring", "--set", "run.until=20min"];
    let first = ["run", "scenarios/shop.toml", "-o", "deep/er/x"];
    let first = place.json(&[&first[..], &sets].concat());
    let again = place.json(&["run", "deep/er/x/scenario.toml", "-o", "again"]);
    for key in ["scenario_hash", "trace_hash"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    let text = std::fs::read_to_string(place.dir.join("deep/er/x/scenario.toml")).expect("a copy");
    assert!(text.contains("import = \"../../../examples/shop/shop.toml\""), "{text}");
    assert!(text.contains("rereplication = \"ring\"") && text.contains("until = \"20min\""));
    // A comparison's copy compares the same rows.
    place.write("two.toml", TWO_ROWS);
    let sets = ["--set", "hardware.disk=65MB/s", "--set", "event[1].at=3s"];
    let two = ["compare", "two.toml", "--seeds", "2", "-o", "two"];
    let two = place.json(&[&two[..], &sets].concat());
    let again = place.json(&["compare", "two/scenario.toml", "--seeds", "2", "-o", "three"]);
    assert_eq!(two["rows"], again["rows"]);
}

/// Runs `tenbin ARGS` where no file may grow beyond 20 or 10 KB (a shell counts in 1 KiB or half).
#[cfg(target_os = "linux")]
fn cramped(place: &Place, args: &[&str]) -> crate::tenbin::Done {
    let limit = "ulimit -f 20; exec \"$@\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", limit, "sh", env!("CARGO_BIN_EXE_tenbin")]).args(args);
    crate::tenbin::done(shell.current_dir(&place.dir).output().expect("a shell"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_has_no_room_leaves_nothing_and_what_was_there() {
    let place = Place::with_s0("cramped");
    let listing = "examples/shop/fsck-files-blocks-replicaDetails.txt.gz";
    let listing = crate::tenbin::root().join(listing).display().to_string();
    let import = ["import", "hdfs", "--fsck", &listing, "-o", "shop.toml"];
    let run = small(&["run", "s0.toml", "-o", "out"]);
    let refused = |args: &[&str], file: &str| {
        let before = place.names();
        let done = cramped(&place, args);
        assert_eq!(done.code, Some(1), "{done:?}");
        for says in ["cannot write", file, "write elsewhere with -o"] {
            assert!(done.err.contains(says), "{says}: {done:?}");
        }
        assert_eq!(place.names(), before);
    };
    refused(&import, "shop.toml");
    refused(&run, "out");
    place.ok(&import);
    place.ok(&run);
    let read = |name: &str| std::fs::read(place.dir.join(name)).expect("written before");
    let files = ["shop.toml", "shop.blocks.parquet", "out/run.json"];
    let before = files.map(read);
    refused(&import, "shop.toml");
    refused(&run, "out");
    assert_eq!(files.map(read), before, "an older result stays whole");
}

#[test]
fn data_loss_has_a_probability_over_seeds() {
    let place = Place::new("loss");
    let scenario = crate::tenbin::root().join("scenarios/faults/data-loss.toml");
    let scenario = scenario.display().to_string();
    let times = "event[3].at=300s,1000s";
    let of = |seeds: &str| {
        place.json(&["compare", &scenario, "--vary", times, "--seeds", seeds, "-o", seeds])["rows"]
            .clone()
    };
    let rows = of("40");
    let loss = |row: usize, key: &str| rows[row]["loss"][key].as_f64().expect("a number");
    assert!((5.0..25.0).contains(&loss(0, "seeds")), "{rows}");
    assert_eq!(loss(0, "probability"), loss(0, "seeds") / 40.0);
    assert!(loss(0, "low") < loss(0, "probability") && loss(0, "probability") < loss(0, "high"));
    assert_eq!(rows[0]["loss"]["blocks"], rows[0]["metrics"]["blocks_lost"]);
    assert_eq!((loss(1, "seeds"), loss(1, "low")), (0.0, 0.0), "all is repaired by then");
    assert!(loss(1, "high") > 0.0, "which 40 seeds do not prove for ever");
    // The sum equals single runs by seed.
    let lost = |seed: u32| {
        let seed = seed.to_string();
        let run = place.json(&["run", &scenario, "--seed", &seed, "-o", "one"]);
        run["metrics"]["blocks_lost"].as_f64().expect("a number") > 0.0
    };
    let hits = (1..=6).filter(|seed| lost(*seed)).count();
    assert_eq!(of("6")[0]["loss"]["seeds"], hits);
}

/// In six of ten seeds the node is back before it is declared dead.
#[test]
fn who_is_back_in_time_leaves_nothing_to_repair() {
    let place = Place::new("back");
    let scenario = crate::tenbin::root().join("scenarios/faults/comes-back.toml");
    let args = ["compare", &scenario.to_string_lossy(), "-o", "out"];
    let row = &place.json(&args)["rows"][0];
    let recovery = &row["metrics"]["recovery_s"];
    assert_eq!(recovery["min"], 0.0, "{row}");
    assert!(recovery["mean"].as_f64().expect("a number") > 5.0, "{row}");
    let text = std::fs::read_to_string(place.dir.join("out/report.json")).expect("a report");
    assert!(text.contains("In 6 of 10 seeds no repair is needed, 0 s"), "{text}");
    assert!(!text.contains("not safe again"), "{text}");
}

/// A limit of the operating system simulates a machine without free memory.
#[cfg(target_os = "linux")]
#[test]
fn out_of_memory_is_told() {
    let place = Place::new("memory");
    let line = "ulimit -v 500000; exec \"$0\" bench phold --lps 5000000";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_tenbin")]).current_dir(&place.dir);
    let done = crate::tenbin::done(command.output().expect("a shell"));
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.starts_with("error: out of memory: "), "{done:?}");
    assert!(done.err.contains("Make the run shorter or smaller"), "{done:?}")
}

/// With an address-space limit below which not all threads start, each scheduler reports it and
/// ends.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_do_not_start_are_told() {
    let place = Place::new("threads");
    for scheduler in ["--scheduler conservative", "--scheduler optimistic", "--rollback-stress"] {
        let run = format!("bench phold --events 20000 --threads 64 --json {scheduler}");
        let line = format!("ulimit -v 130000; exec timeout 60 \"$0\" {run}");
        let run = || {
            let mut command = std::process::Command::new("sh");
            command.args(["-c", &line, env!("CARGO_BIN_EXE_tenbin")]).current_dir(&place.dir);
            crate::tenbin::done(command.output().expect("a shell"))
        };
        // If the last thread leaves less than a page of addresses, the allocator aborts without a
        // message: one run in forty.
        let all = (0..3).map(|_| run());
        let done = all.into_iter().find(|done| done.code.is_some()).expect("one of three can");
        assert_eq!(done.code, Some(1), "{scheduler}: {done:?}");
        assert!(done.err.starts_with("error: the system starts at most "), "{done:?}");
        assert!(done.err.contains(" of 64 threads (") && done.err.contains("(--threads)"));
        assert_eq!(done.err.lines().count(), 1, "{scheduler}: {done:?}")
    }
}

/// A deprecated key is read, with one note per file.
#[test]
fn old_names_of_keys_are_said() {
    let place = Place::with_s0("old-names");
    let text = std::fs::read_to_string(place.dir.join("s0.toml")).expect("s0");
    let old = "[hdfs-site]\n\"dfs.max-repl-streams\" = 2\n";
    place.write("s0.toml", text.replace("[hdfs-site]\n", old));
    let said = "`hdfs-site.dfs.max-repl-streams` is the old name of \
                `hdfs-site.dfs.namenode.replication.max-streams`";
    let line = text.lines().position(|line| line == "[hdfs-site]").expect("a table") + 2;
    assert_eq!(place.ok(&["check", "s0.toml"]).err, format!("! s0.toml:{line}: {said}\n"));
    place.write("s0.toml", text);
    assert_eq!(place.ok(&["check", "s0.toml"]).err, "");
    let ozone = "[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 9\n[ozone-site]\n\
                 \"ozone.datanode.pipeline.limit\" = 5\n[workload]\nobjects = 20\n";
    place.write("ozone.toml", ozone);
    let said = "! ozone.toml:6: `ozone-site.ozone.datanode.pipeline.limit` is the old name of";
    let err = place.ok(&["run", "ozone.toml"]).err;
    assert_eq!(err.matches(said).count(), 1, "{err}");
}
