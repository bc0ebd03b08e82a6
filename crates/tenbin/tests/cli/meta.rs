//! `tenbin meta …` with real processes.
use crate::tenbin::Place;

#[test]
fn the_demo_loses_nothing_when_a_server_is_killed() {
    let place = Place::new("meta-demo");
    let shown = place.json(&["meta", "demo"]);
    assert_eq!(shown["lost"], 0, "{shown}");
    assert_eq!(shown["strictly_serializable"], true, "{shown}");
    assert!(shown["acknowledged"].as_u64().is_some_and(|n| n > 50), "{shown}");
}

#[test]
fn a_cluster_file_that_is_wrong_is_named_with_its_line() {
    let place = Place::new("meta-cluster");
    place.ok(&["meta", "init", "meta.toml", "--servers", "127.0.0.1:7500,127.0.0.1:7501"]);
    let text = std::fs::read_to_string(place.dir.join("meta.toml")).expect("it was written");
    place.write("meta.toml", text.replace("number = 1", "number = 7"));
    for command in [&["meta", "ls", "/"][..], &["meta", "status"], &["meta", "fsck"]] {
        let done = place.tenbin(&[command, &["--cluster", "meta.toml"]].concat());
        assert_eq!(done.code, Some(2), "{}", done.err);
        assert!(done.err.contains("meta.toml:10: number: 7: expected 0 to 1"), "{}", done.err);
    }
}
