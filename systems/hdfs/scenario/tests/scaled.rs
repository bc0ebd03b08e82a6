//! Half and double of any value are values of their key: whatever an input marks as assumed.
use crate::common::{EIGHT, Read};
use hdfs_scenario::{Scenario, keys};

#[test]
fn half_and_double_of_every_key_are_read_again() {
    let s = Read::of(EIGHT, "x.toml", &[]).0;
    let half = s.scaled("hdfs-site.dfs.heartbeat.interval", 1, 2).expect("a time");
    assert_eq!(half[0].1, "1500ms", "Hadoop's times are whole numbers of a unit");
    let all = keys::all().filter(|key| s.settings.iter().any(|s| s.key == key.name));
    let mut tried = 0;
    for (key, (times, over)) in all.flat_map(|key| [(key, (1, 2)), (key, (2, 1))]) {
        let Some(sets) = s.scaled(key.name, times, over) else { continue };
        assert!(key.kind.read(&sets[0].1).is_ok(), "{sets:?}");
        tried += 1
    }
    assert!(tried > 30, "{tried}")
}

/// What an import marks as assumed is Hadoop's default: a run with it is made at half and double.
#[test]
fn a_time_and_a_size_that_are_assumed_are_run_at_half_and_double() {
    let marked = "\"dfs.heartbeat.interval\" = \"3s\"  # ASSUMED\n\
                  \"dfs.blocksize\" = \"128m\"  # ASSUMED\n[policy]";
    let text = EIGHT.replace("[policy]", marked);
    let s = Read::of(&text, "x.toml", &[]).0;
    let assumed: Vec<&str> = s.assumed().map(|setting| setting.key.as_str()).collect();
    for key in ["hdfs-site.dfs.heartbeat.interval", "hdfs-site.dfs.blocksize"] {
        assert!(assumed.contains(&key), "{assumed:?}");
        for (times, over) in [(1, 2), (2, 1)] {
            let sets = s.scaled(key, times, over).expect("a number");
            Scenario::from_str(&text, "x.toml", &sets).unwrap_or_else(|e| panic!("{sets:?}: {e}"));
        }
    }
}
