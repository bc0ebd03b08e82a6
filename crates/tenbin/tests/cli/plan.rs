//! `tenbin plan rebuild` as people and scripts use it.
use crate::tenbin::Place;
use serde_json::{Value, json};

/// The shop's cluster file, imported.
pub fn shop(place: &Place) -> String {
    place.dir.join("examples/shop/shop.toml").display().to_string()
}

fn plan(place: &Place, args: &[&str]) -> Value {
    let cluster = shop(place);
    let mut line = vec!["plan", "rebuild", cluster.as_str(), "--seeds", "2", "--json"];
    line.extend(args);
    serde_json::from_str(&place.ok(&line).out).expect("one JSON object")
}

pub fn seconds(of: &Value) -> f64 {
    of["recovery_s"].as_f64().expect("it ends")
}

#[test]
fn settings_make_it_faster_and_stand_in_the_fragment() {
    let place = Place::with_everything("plan");
    let answer = plan(&place, &["--lose", "dn-r2-05", "-o", "planned"]);
    let (now, best) = (&answer["current"], &answer["settings_only"]);
    assert!(seconds(best) < 0.6 * seconds(now), "{answer:#}");
    assert_eq!(best["needs_plugin"], false);
    assert_eq!(answer["meets"], true);
    for part in
        ["settings", "policy", "needs_plugin", "recovery_s", "foreground_p99_ms", "limiting"]
    {
        assert!(answer["recommended"].get(part).is_some(), "{part}");
    }
    // Each step of the front is faster than all before it.
    let front: Vec<f64> = answer["pareto"].as_array().unwrap().iter().map(seconds).collect();
    assert!(front.len() > 1 && front.windows(2).all(|w| w[1] < w[0]), "{front:?}");
    let fragment = std::fs::read_to_string(place.dir.join("planned/hdfs-site.fragment.xml"));
    let fragment = fragment.expect("a fragment");
    for (key, value) in answer["recommended"]["settings"].as_object().unwrap() {
        assert!(fragment.contains(&format!("<name>{key}</name>")), "{key}");
        assert!(fragment.contains(&format!("<value>{}</value>", value.as_str().unwrap())));
    }
    assert!(place.dir.join("planned/report.html").exists());
    // What it had is put back, what it had not is removed.
    let undo = std::fs::read_to_string(place.dir.join("planned/hdfs-site.undo.xml"));
    let undo = undo.expect("the way back");
    assert!(undo.contains("<name>dfs.namenode.replication.max-streams</name>\n  <value>4</value>"));
    let multiplier = "remove dfs.namenode.replication.work.multiplier.per.iteration: it was not";
    assert!(undo.contains(multiplier), "{undo}");
}

/// Where nothing is cut, nothing is recommended that was not shown to gain anything.
#[test]
fn what_is_recommended_is_shown_to_gain() {
    let place = Place::with_everything("plan-shown");
    let out = ["--decommission", "dn-r2-05", "--seeds", "6", "-o", "shown"];
    let cluster = shop(&place);
    let line = [&["plan", "rebuild", cluster.as_str()][..], &out].concat();
    let answer = place.json(&line);
    assert_eq!((&answer["cut_by_budget"], &answer["unproven"]), (&false.into(), &json!([])));
    let (ladder, best) = (answer["ladder"].as_array().unwrap(), &answer["recommended"]);
    assert_eq!(best["needs_plugin"], false, "HDFS has no code for a policy");
    assert!(ladder.contains(best), "{answer:#}");
}

#[test]
fn the_answer_is_the_same_twice() {
    let place = Place::with_everything("plan-twice");
    let answers = [1, 2].map(|_| plan(&place, &["--lose", "dn-r1-03", "-o", "twice"]));
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_deadline_that_is_met_asks_for_no_more() {
    let place = Place::with_everything("plan-within");
    let answer = plan(&place, &["--decommission", "dn-r2-05", "--within", "30m", "-o", "in-time"]);
    assert_eq!(answer["meets"], true);
    assert_eq!(answer["recommended"]["name"], "now", "{answer:#}");
    let answer = plan(&place, &["--lose", "dn-r2-05", "--within", "1s", "-o", "too-soon"]);
    assert_eq!(answer["meets"], false);
}

const CLIENTS: &str = "[workload.foreground]\nreads = 40\nread_bytes = \"16MB\"\nlocal = 0.5\n";

/// With clients, each point of the Pareto front is gentler than those before, and none is faster.
#[test]
fn clients_are_weighed_against_the_repair() {
    let place = Place::with_everything("plan-clients");
    std::fs::write(place.dir.join("clients.toml"), CLIENTS).expect("a file");
    let beside = ["--lose", "dn-r2-05", "--foreground", "clients.toml"];
    let answer = plan(&place, &[&beside[..], &["-o", "beside"]].concat());
    let before = answer["foreground"]["before_p99_ms"].as_f64().expect("enough requests");
    let p99 = |of: &Value| of["foreground_p99_ms"].as_f64().expect("enough requests");
    assert!(p99(&answer["current"]) > before, "{answer:#}");
    let front = answer["pareto"].as_array().unwrap();
    assert!(front.len() > 2, "{answer:#}");
    assert!(front.windows(2).all(|w| seconds(&w[0]) <= seconds(&w[1]) && p99(&w[0]) > p99(&w[1])));
    // Gentler than the fastest, and so slower.
    let goal = ["--foreground-slowdown", "100%", "-o", "gentle"];
    let gentle = plan(&place, &[&beside[..], &goal].concat());
    assert_eq!(gentle["meets"], true, "{gentle:#}");
    let slowdown = gentle["recommended"]["foreground_slowdown"].as_f64().unwrap();
    assert!(slowdown <= 1.0 && seconds(&gentle["recommended"]) >= seconds(&front[0]), "{slowdown}");
    let goal = ["--foreground-slowdown", "0%", "-o", "never"];
    let never = plan(&place, &[&beside[..], &goal].concat());
    assert_eq!(never["meets"], false, "every repair costs clients something");
}

/// Host files list old hosts: known ones leave, others are reported. Parsed as by Hadoop: several
/// per line, case ignored.
#[test]
fn hosts_long_gone_are_passed_over() {
    let place = Place::with_everything("plan-exclude");
    let hosts = "\u{feff}DN-R2-05\ndn-gone-1 # in March\ndn-r2-0\tdn-r2-05.shop.example\n\
                 dn-r2-06#dn-r2-07\n";
    std::fs::write(place.dir.join("dfs.exclude"), hosts).expect("a file");
    let listed = plan(&place, &["--decommission", "@dfs.exclude", "-o", "listed"]);
    let named = plan(&place, &["--decommission", "dn-r2-05", "-o", "named"]);
    assert_eq!(listed["current"], named["current"]);
    let notes = listed["notes"].to_string();
    assert!(
        notes.contains("dn-gone-1 (line 2), dn-r2-0 (line 3), dn-r2-06#dn-r2-07 (line 4): not"),
        "{notes}"
    );
    assert!(notes.contains("begins with a byte order mark"), "{notes}");
    assert_eq!(named["notes"], json!([]));
}

/// A rebuild that is under way: what the dead node leaves short is what there is to plan.
#[test]
fn what_is_short_already_is_planned_without_a_loss() {
    let place = Place::with_everything("plan-short");
    let shop = shop(&place);
    let text = std::fs::read_to_string(&shop).expect("a cluster file");
    let line =
        text.lines().find(|line| line.contains("\"dn-r2-05.shop.example\"")).expect("a node");
    let dead = line.replace(", capacity", ", alive = false, capacity");
    let text = text.replace(line, &dead).replace("rack_names", "hadoop = \"2.10.2\"\nrack_names");
    std::fs::write(shop, text).expect("a file");
    let answer = plan(&place, &["-o", "short"]);
    assert!(seconds(&answer["recommended"]) < 0.6 * seconds(&answer["current"]), "{answer:#}");
    let said = place.ok(&["plan", "rebuild", "examples/shop/shop.toml", "--seeds", "2"]).out;
    assert!(said.contains("898 blocks are under-replicated already (dead nodes: 1)"), "{said}");
    let line = "Restart the NameNodes, the standby first (Hadoop 2.10.2; 3.1.3, 3.2.1 and 3.3.0";
    assert!(said.contains(line), "{said}");
}

/// Blocks that no setting restores are reported apart from the times, which exclude them.
#[test]
fn what_is_lost_already_is_told() {
    const TRAITS: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../systems/hdfs/trace/tests/data/traits");
    let place = Place::new("plan-lost-before");
    let fsck = format!("{TRAITS}/fsck-files-blocks-replicaDetails.txt.zst");
    let report = format!("{TRAITS}/dfsadmin-report.txt");
    place.ok(&["import", "hdfs", "--fsck", &fsck, "--report", &report, "-o", "traits.toml"]);
    let answer = place.json(&["plan", "rebuild", "traits.toml", "--seeds", "2"]);
    assert_eq!(answer["blocks_lost_before"], 5, "fsck: 2 missing, 1 corrupt, 1 and 1 of groups");
    assert_eq!(answer["current"]["blocks_lost"], 0, "nothing is lost by what is planned");
    assert!(answer["notes"][0].as_str().is_some_and(|n| n.starts_with("5 blocks are lost")));
}

/// If nothing has to be copied, the page states that instead of missing runs; a recommendation for
/// clients states their gain.
#[test]
fn pages_and_fragments_say_what_there_is() {
    let place = Place::with_everything("plan-says");
    let answer = plan(&place, &["--maintenance", "dn-r2-05", "-o", "rests"]);
    assert_eq!(seconds(&answer["current"]), 0.0, "{answer:#}");
    let page = std::fs::read_to_string(place.dir.join("rests/report.json")).expect("a report");
    let report: Value = serde_json::from_str(&page).expect("JSON");
    let more = report["head"]["do"]["more"][0]["t"].as_str().expect("a sentence");
    assert!(more.starts_with("No copies needed, with any setting. Tried: "), "{more}");
    let shop = shop(&place);
    let said = place.ok(&["plan", "rebuild", &shop, "--maintenance", "dn-r2-05"]).out;
    assert!(said.contains("dn-r2-05 can leave now; nothing needs copying."), "{said}");
    // A recommendation for clients is marked on its page.
    std::fs::write(place.dir.join("clients.toml"), CLIENTS).expect("a file");
    let goal = ["--foreground", "clients.toml", "--foreground-slowdown", "100%", "-o", "gentle"];
    let answer = plan(&place, &[&["--lose", "dn-r2-05"][..], &goal].concat());
    assert_ne!(answer["recommended"]["name"], "now", "{answer:#}");
    let page = std::fs::read_to_string(place.dir.join("gentle/report.json")).expect("a report");
    let report: Value = serde_json::from_str(&page).expect("JSON");
    let more = report["head"]["do"]["more"].to_string();
    assert!(more.contains("with the present settings; your limit is 100 %"), "{more}");
}

#[test]
fn what_cannot_be_planned_is_said() {
    let place = Place::with_everything("plan-bad");
    let cluster = shop(&place);
    for (name, text) in [
        ("idle.toml", "[workload.foreground]\nlocal = 0.5\n"),
        ("other.toml", "[policy]\npacing = \"hdfs3\"\n"),
        ("letters.toml", "[workload.foreground]\n\nreaderz = 5\n"),
        ("value.toml", "[workload.foreground]\nlocal = 0.5\nreads = \"many\"\n"),
        ("flood.toml", "[workload.foreground]\nlocal = 0.5\nreads = 1000000\n"),
        ("shares.toml", "[workload.foreground]\nreads = 1\nshares = \"nowhere.csv\"\n"),
        ("seldom.toml", "[workload.foreground]\nreads = 0.000001\n"),
        ("dfs.exclude", "# long gone\ndn-r2-5\n\ndn-r2-\n"),
    ] {
        std::fs::write(place.dir.join(name), text).expect("a file")
    }
    for (args, said) in [
        (&["--lose", "dn-r2-5"][..], "--lose dn-r2-5: no node is called"),
        (&["--lose", "dn-r2"], "--lose dn-r2: 10 nodes are called"),
        (&["--lose", "rack=/rack9"], "--lose rack=/rack9: no rack is called"),
        (&["--lose", "cable=1"], "cable cannot be lost"),
        (&["--decommission", "@nowhere"], "--decommission @nowhere"),
        (&["--decommission", "rack=/rack9"], "rack=/rack9: no rack is called \"/rack9\""),
        (&["--lose", "dn-r2-05", "--within", "soon"], "--within soon: expected a time"),
        (&["--lose", "dn-r2-05", "--foreground-slowdown", "10%"], "no client load"),
        (&["--lose", "dn-r2-05", "--foreground-slowdown", "10"], "expected percents"),
        (&["--lose", "dn-r2-05", "--foreground", "none.toml"], "none.toml: cannot be read"),
        (&["--lose", "dn-r2-05", "--foreground", "idle.toml"], "idle.toml: has no load"),
        (&["--lose", "dn-r2-05", "--foreground", "other.toml"], "other.toml:2: policy.pacing"),
        (
            &["--lose", "dn-r2-05", "--foreground", "letters.toml"],
            "letters.toml:3: workload.foreground.readerz: is not a key of a foreground: expected a \
             key of [workload.foreground]: reads,",
        ),
        (
            &["--lose", "dn-r2-05", "--foreground", "letters.toml"],
            "did you mean workload.foreground.readers?",
        ),
        (
            &["--lose", "dn-r2-05", "--foreground", "value.toml"],
            "value.toml:3: workload.foreground.reads: \"many\": expected",
        ),
        (
            &["--lose", "dn-r2-05", "--foreground", "flood.toml"],
            "flood.toml:3: workload.foreground.reads: clients request",
        ),
        (
            &["--lose", "dn-r2-05", "--foreground", "shares.toml"],
            "shares.toml:3: workload.foreground.shares: nowhere.csv cannot be read",
        ),
        (
            &["--decommission", "@dfs.exclude"],
            "--decommission @dfs.exclude: the cluster has none of these hosts: dn-r2-5 (line 2), \
             dn-r2- (line 4)",
        ),
        (
            &["--lose", "dn-r2-05", "--foreground", "seldom.toml", "--foreground-slowdown", "10%"],
            "--foreground-slowdown: reads = 0.000001 make fewer than 100 requests",
        ),
        (&[], "no node is lost, and no block is under-replicated"),
    ] {
        let mut line = vec!["plan", "rebuild", cluster.as_str()];
        line.extend(args);
        let run = place.tenbin(&line);
        assert!(!run.err.contains("command line"), "{args:?}\n{}", run.err);
        assert_eq!(run.code, Some(2), "{args:?}\n{}", run.err);
        assert!(run.err.contains(said), "{args:?}\n{}", run.err);
        assert!(run.out.is_empty());
    }
    assert!(!place.dir.join("out").exists(), "nothing was written");
}
