//! Whatever is listed can be explained.
use crate::tenbin::{Place, root};

#[test]
fn every_listed_name_can_be_explained() {
    let place = Place::new("explain");
    for what in ["policies", "models", "hardware"] {
        let object = place.json(&["list", what]);
        let names = object["names"].as_array().expect("names");
        assert!(!names.is_empty(), "{what}");
        for named in names {
            let name = named["name"].as_str().expect("a name");
            assert!(!named["what"].as_str().expect("a line").is_empty(), "{name}");
            assert!(place.ok(&["explain", name]).out.len() > 20, "{name}");
        }
    }
}

#[test]
fn policies_have_the_four_headings() {
    let place = Place::new("headings");
    let object = place.json(&["list", "policies"]);
    for named in object["names"].as_array().expect("names") {
        let name = named["name"].as_str().expect("a name");
        let page = place.ok(&["explain", name]).out;
        // `default` is a name for others.
        let headings = ["What it decides", "When it helps", "What it costs", "Reference"];
        assert!(name == "default" || headings.iter().all(|h| page.contains(h)), "{name}\n{page}");
    }
}

#[test]
fn a_name_of_several_policies_explains_each() {
    let page = Place::new("several").ok(&["explain", "random"]).out;
    for key in ["policy.scheduling", "policy.choice", "policy.volume"] {
        assert!(page.contains(&format!("A value of {key}.")), "{page}");
    }
}

#[test]
fn scenarios_of_the_folder_are_listed() {
    let place = Place::new("scenarios");
    std::fs::create_dir(place.dir.join("scenarios")).expect("a folder");
    std::fs::copy(root().join("scenarios/s0.toml"), place.dir.join("scenarios/s0.toml"))
        .expect("s0");
    let listed = place.ok(&["list", "scenarios"]).out;
    assert!(listed.contains("\nscenarios/s0.toml  "), "{listed}");
}

#[test]
fn a_key_of_hadoop_can_be_explained() {
    let place = Place::new("key");
    let page = place.ok(&["explain", "dfs.heartbeat.interval"]).out;
    assert!(page.starts_with("hdfs-site.dfs.heartbeat.interval: "), "{page}");
}

#[test]
fn a_near_name_is_proposed() {
    let place = Place::new("near");
    let done = place.tenbin(&["explain", "rnig"]);
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("did you mean ring?"), "{}", done.err);
}

#[test]
fn a_value_of_a_key_can_be_explained() {
    let place = Place::new("value");
    let page = place.ok(&["explain", "hdfs3"]).out;
    assert!(page.starts_with("hdfs3: a value of policy.pacing (event-driven, "), "{page}");
    assert!(place.ok(&["explain", "default"]).out.contains("hdfs3: hdfs3-default"));
    assert!(place.ok(&["explain", "one-link"]).out.contains("hardware.inter_rack_kind"));
}

#[test]
fn a_word_of_the_screens_can_be_explained() {
    let place = Place::new("word");
    let glossary = std::fs::read_to_string(root().join("docs/glossary.md")).expect("the glossary");
    let rows = glossary.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let words: Vec<&str> = rows.skip(1).flat_map(|(words, _)| words.split(", ")).collect();
    assert!((10..=20).contains(&words.len()), "ours, and no standard terms: {words:?}");
    for word in words {
        let page = place.ok(&["explain", word]).out;
        assert!(page.contains(word) && page.contains(": "), "{word}\n{page}");
    }
}
