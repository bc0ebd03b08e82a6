//! `tenbin plan rebuild` as people and scripts use it.
use crate::tenbin::Place;
use serde_json::Value;

/// The shop's cluster file, imported.
fn shop(place: &Place) -> String {
    place.dir.join("examples/shop/shop.toml").display().to_string()
}

fn plan(place: &Place, args: &[&str]) -> Value {
    let cluster = shop(place);
    let mut line = vec!["plan", "rebuild", cluster.as_str(), "--seeds", "2", "--json"];
    line.extend(args);
    serde_json::from_str(&place.ok(&line).out).expect("one JSON object")
}

fn seconds(of: &Value) -> f64 {
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

#[test]
fn what_cannot_be_planned_is_said() {
    let place = Place::with_everything("plan-bad");
    let cluster = shop(&place);
    for (args, said) in [
        (&["--lose", "dn-r2-5"][..], "--lose dn-r2-5: no node is called"),
        (&["--lose", "dn-r2"], "--lose dn-r2: 10 nodes are called"),
        (&["--lose", "rack=/rack9"], "--lose rack=/rack9: no rack is called"),
        (&["--lose", "cable=1"], "no cable can be lost"),
        (&["--decommission", "@nowhere"], "--decommission @nowhere"),
        (&["--lose", "dn-r2-05", "--within", "soon"], "--within soon: expected a time"),
        (&[], "nothing is lost"),
    ] {
        let mut line = vec!["plan", "rebuild", cluster.as_str()];
        line.extend(args);
        let run = place.tenbin(&line);
        assert_eq!(run.code, Some(2), "{args:?}\n{}", run.err);
        assert!(run.err.contains(said), "{args:?}\n{}", run.err);
        assert!(run.out.is_empty());
    }
    assert!(!place.dir.join("out").exists(), "nothing was written");
}
