//! The program works without files.
use crate::tenbin::{Done, Place, done, root};
use tenbin::systems::built_ins;

/// Runs `tenbin ARGS`.
fn tenbin(place: &Place, args: &[&str]) -> Done {
    done(place.command(args).output().expect("the binary runs"))
}

fn json(place: &Place, args: &[&str]) -> serde_json::Value {
    let done = tenbin(place, &[args, &["--json"]].concat());
    assert_eq!(done.code, Some(0), "{args:?}\n{}", done.err);
    serde_json::from_str(&done.out).expect("one object")
}

#[test]
fn each_is_a_file_of_the_tree_and_fits_its_keys() {
    let files = std::fs::read_dir(root().join("scenarios")).expect("a folder");
    let files = files.map(|entry| entry.expect("an entry").path());
    let is_toml = |file: &std::path::PathBuf| file.extension().is_some_and(|e| e == "toml");
    // The shop imports a cluster from files in its folder.
    assert_eq!(files.filter(is_toml).count(), built_ins().count() + 1, "one is not built in");
    let place = Place::new("built-in-check");
    for (_, scenario) in built_ins() {
        json(&place, &["check", scenario.name]);
    }
}

#[test]
fn one_runs_under_its_name_and_again_from_its_result() {
    let place = Place::new("built-in-run");
    let first = json(&place, &["run", "echo"]);
    assert_eq!(first["scenario"], "echo");
    assert!(place.dir.join("out/echo/report.html").is_file());
    let again = json(&place, &["run", "out/echo/scenario.toml", "-o", "again"]);
    assert_eq!(first["trace_hash"], again["trace_hash"]);
}

#[test]
fn a_file_comes_before_a_name_and_a_folder_does_not() {
    let place = Place::new("built-in-file");
    std::fs::create_dir(place.dir.join("s0")).expect("a folder");
    assert_eq!(json(&place, &["check", "s0"])["scenario"], "s0");
    place.write("echo", "[model]\nsystem = \"nobody\"\n");
    let done = tenbin(&place, &["run", "echo"]);
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("nobody"), "{}", done.err);
}

/// Every command that takes a scenario takes a name, and prints the name that was typed.
#[test]
fn a_name_is_a_scenario_for_every_command() {
    let place = Place::new("built-in-everywhere");
    let target = ["--target", "2k/s", "--seeds", "1"];
    let small = ["--set", "workload.kind=create", "--set", "cluster.clients=8"];
    let plan = [&["plan", "metadata", "ppmds"], &target[..], &small[..]].concat();
    assert_eq!(json(&place, &plan)["meets"], true);
    let commands: [&[&str]; 3] = [
        &["explain", "ppmds-mix"],
        &["check", "ozone-small-files"],
        &["plan", "rebuild", "s0", "--help"],
    ];
    for args in commands {
        assert_eq!(tenbin(&place, args).code, Some(0), "{args:?}");
    }
    // What is refused is refused for what it is, not for a missing file.
    for (args, why) in [
        (&["plan", "pipelines", "s0"][..], "for ozone"),
        (&["audit", "ozone", "nobody"], "no such file"),
    ] {
        let done = tenbin(&place, args);
        assert_eq!(done.code, Some(2), "{args:?}");
        assert!(done.err.contains(why), "{args:?}: {}", done.err)
    }
    let run = tenbin(
        &place,
        &["run", "xor-write", "--set", "policy.schedule=naive", "--set", "workload.bytes=5MB"],
    );
    assert!(run.out.contains("tenbin run xor-write --set policy.schedule=naive"), "{}", run.out);
}

#[test]
fn all_are_listed_where_no_folder_is() {
    let place = Place::new("built-in-list");
    let listed = tenbin(&place, &["list", "scenarios"]).out;
    assert_eq!(listed.lines().count(), built_ins().count(), "{listed}");
    assert!(listed.contains("(m1.xlarge), as in Watanabe 2014.\n"), "{listed}");
}

#[test]
fn an_example_is_written_once_and_runs() {
    let place = Place::new("built-in-example");
    for name in ["echo", "s0"] {
        let file = format!("{name}-mine.toml");
        let args = ["example", name, "-o", &file];
        assert_eq!(tenbin(&place, &args).code, Some(0));
        json(&place, &["check", &file]);
        let text = std::fs::read_to_string(place.dir.join(&file)).expect("the example");
        assert_eq!(tenbin(&place, &["example", name]).out, text);
        let twice = tenbin(&place, &args);
        assert_eq!(twice.code, Some(2));
        assert!(twice.err.contains(" exists: "), "{}", twice.err);
    }
}

#[test]
fn a_wrong_name_is_refused_with_advice() {
    let place = Place::new("built-in-wrong");
    for args in
        [["run", "datacenter"], ["compare", "scenarios/datacenter.toml"], ["example", "datacenter"]]
    {
        let done = tenbin(&place, &args);
        assert_eq!(done.code, Some(2), "{args:?}");
        for part in ["datacenter", "`tenbin list scenarios`", "did you mean datacentre?"] {
            assert!(done.err.contains(part), "{args:?}: no {part:?} in {}", done.err)
        }
    }
    assert!(place.names().is_empty(), "{:?}", place.names());
}
