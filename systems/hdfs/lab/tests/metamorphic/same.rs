//! Changes without effect: other units, another order.
use super::{drawn, run, sets};
use ::hdfs::job::Sets;

/// Ten times the value of a key in a text, without quotes.
fn ten_times(text: &str, key: &str) -> (String, String) {
    let line = text.lines().find(|line| line.starts_with(key)).expect("a key that is drawn");
    let value = line.split('"').nth(1).expect("in quotes");
    let digits = value.find(|c: char| !c.is_ascii_digit()).expect("a unit");
    (key.into(), format!("{}0{}", &value[..digits], &value[digits..]))
}

/// All rates and sizes ten times as large: times and shares are unchanged.
#[test]
fn ten_times_as_much_ten_times_as_fast_takes_as_long() {
    let keys = [
        "hardware.disk",
        "hardware.nic",
        "hardware.inter_rack",
        "workload.block_bytes",
        "model.chunk",
    ];
    for (name, text) in drawn() {
        let text = text
            .replace("hardware.disks_per_node", "hardware.disk_batch = \"4MB\"\n$")
            .replace("$ =", "hardware.disks_per_node =");
        let more: Sets = keys.iter().map(|key| ten_times(&text, &format!("{key} "))).collect();
        let more: Sets = more.into_iter().map(|(k, v)| (k.trim().to_string(), v)).collect();
        let (one, ten) = (run(&text, &[], 1).read, run(&text, &more, 1).read);
        let (before, after) = (one.recovery_s().expect("it ends"), ten.recovery_s().unwrap());
        assert!((before - after).abs() < 1e-3, "{name}: {before} s, then {after} s\n{text}");
        let share = |run: &hdfs_reading::Run, holder: &str| {
            let all = run.attribution.shares.iter();
            all.filter(|held| held.holder == holder).map(|held| held.share).sum::<f64>()
        };
        for held in one.attribution.shares.iter().chain(&ten.attribution.shares) {
            let (a, b) = (share(&one, &held.holder), share(&ten, &held.holder));
            assert!((a - b).abs() < 1e-3, "{name}: {} has {a}, then {b}\n{text}", held.holder);
        }
    }
}

/// Every order of three events makes the same map and the same run.
#[test]
fn the_order_of_events_changes_nothing() {
    let event = |at: &str, kind: &str, target: &str| {
        format!("[[event]]\nat = \"{at}\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
    };
    let more = [
        event("0s", "node-lost", "dn-r1-02"),
        event("740s", "node-lost", "dn-r2-01"),
        event("1100s", "node-back", "dn-r1-02"),
    ];
    for (name, text) in drawn().into_iter().take(3) {
        let head = text.split("[[event]]").next().expect("keys");
        let of = |order: [usize; 3]| {
            let events: String = order.iter().map(|i| more[*i].as_str()).collect();
            run(&format!("{head}{events}"), &[], 1).read
        };
        let first = of([0, 1, 2]);
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let other = of(order);
            assert_eq!(first.metrics, other.metrics, "{name}, {order:?}\n{head}");
            assert_eq!(first.attribution, other.attribution, "{name}, {order:?}\n{head}");
        }
    }
}

/// The order of keys has no effect, in the file and on the command line.
#[test]
fn the_order_of_keys_changes_nothing() {
    for (name, text) in drawn() {
        let (head, event) = text.split_once("[[event]]").expect("an event");
        let mut lines: Vec<&str> = head.lines().collect();
        lines.reverse();
        let turned = format!("{}\n[[event]]{event}", lines.join("\n"));
        let hash = |text: &str, sets: &Sets| run(text, sets, 1).trace_hash;
        assert_eq!(hash(&text, &Sets::new()), hash(&turned, &Sets::new()), "{name}\n{text}");
        let mut some = sets(&[
            ("hardware.disk", "70MB/s"),
            ("hdfs-site.dfs.replication", "2"),
            ("workload.blocks_on_lost_node", "50"),
        ]);
        let before = hash(&text, &some);
        some.reverse();
        assert_eq!(before, hash(&text, &some), "{name}\n{text}");
    }
}
