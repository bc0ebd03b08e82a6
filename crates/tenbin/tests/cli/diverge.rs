//! `tenbin bench diverge`, by the binary.
use crate::tenbin::{Done, Place};
use serde_json::Value;

const PHOLD: &str = "bench phold --lps 40 --events 30000 --lookahead 0.01 --remote 0.6";

fn refused(place: &Place, args: &[&str], says: &[&str]) {
    let done = place.tenbin(&[&["bench", "diverge"][..], args].concat());
    assert_eq!(done.code, Some(2), "{args:?}\n{}{}", done.out, done.err);
    assert_eq!(done.out, "", "{args:?}: nothing on stdout");
    for part in says {
        assert!(done.err.contains(part), "{args:?}: no {part:?} in\n{}", done.err);
    }
}

fn differ(place: &Place, args: &[&str]) -> Done {
    let done = place.tenbin(&[&["bench", "diverge"][..], args].concat());
    assert_eq!(done.code, Some(1), "{args:?}\n{}{}", done.out, done.err);
    assert!(done.err.ends_with("error: the runs differ\n"), "{}", done.err);
    done
}

#[test]
fn what_is_equal_has_no_difference() {
    let place = Place::with_s0("diverge-same");
    let s0 = "run s0.toml --set cluster.nodes_per_rack=8";
    let few = "--set workload.blocks_on_lost_node=20";
    let pairs = [
        (PHOLD.to_string(), format!("{PHOLD} --scheduler conservative --threads 2")),
        (format!("tenbin {PHOLD} --rollback-stress"), format!("mpirun -n 2 tenbin {PHOLD}")),
        (
            format!("{s0} {few}"),
            format!("mpirun -n 3 {s0} {few} --scheduler optimistic --threads 2"),
        ),
        (format!("{s0} {few}"), format!("{s0} {few} --scheduler optimistic --rollback-stress")),
    ];
    for (a, b) in pairs {
        let object = place.json(&["bench", "diverge", &a, &b]);
        assert_eq!(object["same"], true, "{object:#}");
        assert_eq!(object["a"]["trace_hash"], object["b"]["trace_hash"]);
        assert!(object.get("first").is_none(), "{object:#}")
    }
    let done = place.ok(&["bench", "diverge", PHOLD, PHOLD]);
    assert!(done.out.starts_with("no difference\nA: "), "{}", done.out);
    let some = format!("{PHOLD} --sums x --within 0..1000000");
    let done = place.ok(&["bench", "diverge", &some, PHOLD]);
    assert!(done.out.starts_with("no difference within 0..1000000\nA: "), "{}", done.out);
    let other = format!("{PHOLD} --sums x --within 5..");
    refused(&place, &[&some, &other], &["has --within 0..1000000, the second --within 5.."]);
    assert_eq!(place.names(), ["s0.toml"], "nothing is written")
}

/// A file's sums, and another with a change.
fn changed(place: &Place, from: &str, to: &str, change: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(place.dir.join(from)).expect("it was written");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    change(&mut value);
    place.write(to, serde_json::to_string(&value).expect("JSON"))
}

/// Two machines: their files show the differing slice, and the files of this slice the event.
#[test]
fn files_of_two_machines_name_the_event_in_one_more_run() {
    let place = Place::new("diverge-files");
    let words: Vec<&str> = PHOLD.split(' ').collect();
    let sums = |more: &[&str]| place.ok(&[&words[..], more].concat());
    sums(&["--sums", "a.sums"]);
    sums(&["--sums", "b.sums", "--scheduler", "optimistic", "--threads", "2"]);
    let same = place.json(&["bench", "diverge", "a.sums", "b.sums"]);
    assert_eq!(same["same"], true, "{same:#}");
    let beside = place.json(&["bench", "diverge", "a.sums", PHOLD]);
    assert_eq!(beside["same"], true, "a file and a run: {beside:#}");

    // The other machine's 700th slice came out otherwise.
    let other = |value: &mut Value| {
        let cell = &mut value["cells"][3000];
        let sum = u128::from_str_radix(cell[3].as_str().expect("a hash"), 16).expect("hexadecimal");
        cell[3] = format!("{:032x}", sum.wrapping_add(1)).into();
        let all = u128::from_str_radix(value["sum"].as_str().expect("a hash"), 16).expect("too");
        value["sum"] = format!("{:032x}", all.wrapping_add(1)).into();
        value["trace_hash"] = value["sum"].clone()
    };
    changed(&place, "a.sums", "b.sums", other);
    let said = differ(&place, &["a.sums", "b.sums"]).out;
    let within = said.split("--within ").nth(1).expect("a command").lines().next().expect("it");
    assert!(said.contains("run each once more"), "{said}");
    sums(&["--sums", "a2.sums", "--within", within]);
    let first = |value: &mut Value| {
        let line = &mut value["list"][1];
        line["event"] = "Job { words: [0] }".into();
        let add = |hash: &Value| {
            let n = u128::from_str_radix(hash.as_str().expect("a hash"), 16).expect("hexadecimal");
            Value::from(format!("{:032x}", n.wrapping_add(5)))
        };
        (line["hash"], line["payload"]) = (add(&line["hash"]), add(&line["payload"]));
        let key = (line["time_ns"].clone(), line["lp"].clone());
        let from = value["window"]["from"].as_u64().expect("a time");
        let width = value["slice_ns"].as_u64().expect("a width");
        let block = value["block_lps"].as_u64().expect("a width");
        let slice = (key.0.as_u64().expect("a time") - from) / width;
        let lp = key.1.as_u64().expect("an LP") / block;
        let cells = value["cells"].as_array_mut().expect("cells");
        let cell = cells.iter_mut().find(|c| c[0] == slice && c[1] == lp).expect("its own");
        cell[3] = add(&cell[3])
    };
    changed(&place, "a2.sums", "b2.sums", first);
    let object = differ(&place, &["a2.sums", "b2.sums", "--json"]).out;
    let object: Value = serde_json::from_str(&object).expect("JSON");
    assert_eq!(object["first"]["what"], "the payload");
    assert_eq!(object["first"]["b"]["event"], "Job { words: [0] }");
    let time = object["first"]["time_ns"].as_u64().expect("a time");
    let (from, to) = within.split_once("..").expect("two times");
    assert!((from.parse().expect("a time")..to.parse().expect("a time")).contains(&time));
    let said = differ(&place, &["a2.sums", "b2.sums"]).out;
    assert!(said.starts_with(&format!("first difference: LP {}", object["first"]["lp"])), "{said}");
    refused(&place, &["a.sums", "b2.sums"], &["--within", "the same window"])
}

#[test]
fn wrong_input_is_refused() {
    let place = Place::with_s0("diverge-wrong");
    let few = ["--set", "workload.blocks_on_lost_node=20"];
    place.ok(&[&["run", "s0.toml", "--sums", "s0.sums", "-o", "out"][..], &few].concat());
    place.ok(&["bench", "phold", "--events", "1000", "--sums", "phold.sums"]);
    let whole = std::fs::read(place.dir.join("s0.sums")).expect("it was written");
    place.write("cut.sums", &whole[..whole.len() / 2]);
    place.write("empty.sums", "");
    place.write("prose.sums", "Dear Sir or Madam,");
    place.write("other.json", "{\"name\": 1}");
    changed(&place, "s0.sums", "newer.sums", |v| v["tenbin_sums"] = 7.into());
    changed(&place, "s0.sums", "edited.sums", |v| v["cells"][0][3] = "0".into());
    changed(&place, "s0.sums", "more.sums", |v| v["what"] = 1.into());
    refused(&place, &["s0.sums", "phold.sums"], &["the runs are of", "scenario s0", "phold: 1024"]);
    let seed = "bench phold --events 1000 --seed 2";
    refused(&place, &["phold.sums", seed], &["the runs are of", "seed 1", "seed 2"]);
    refused(
        &place,
        &["s0.sums", "cut.sums"],
        &["cut.sums: ends in the middle", "copy the file again"],
    );
    refused(&place, &["s0.sums", "empty.sums"], &["empty.sums: ends in the middle"]);
    refused(&place, &["s0.sums", "prose.sums"], &["prose.sums: not a file of sums", "--sums FILE"]);
    refused(&place, &["s0.sums", "other.json"], &["other.json: not a file of sums"]);
    refused(&place, &["s0.sums", "newer.sums"], &["form 7", "reads form 1", "one version"]);
    refused(&place, &["s0.sums", "edited.sums"], &["edited.sums: the sums are inconsistent"]);
    refused(&place, &["s0.sums", "more.sums"], &["more.sums: unknown field", "what"]);
    refused(&place, &["s0.sums", "missing.sums"], &["missing.sums: neither a file nor a run"]);
    refused(&place, &["run s0.toml", "compare s0.toml"], &["compare s0.toml", "nor a run"]);
    refused(&place, &["run s0.toml", "run s1.toml"], &["s1.toml"]);
    refused(&place, &["run s0.toml", "run s0.toml --sede 1"], &["in 'run s0.toml --sede 1'"]);
    refused(&place, &["run s0.toml", "mpirun -n 0 run s0.toml"], &["mpirun -n R"]);
    let threads = "run s0.toml --threads 2";
    refused(&place, &["run s0.toml", threads], &["--threads 2", "sequential"]);
    let run = |args: &[&str], says: &str| {
        let done = place.tenbin(&[&["run", "s0.toml"], args].concat());
        assert_eq!(done.code, Some(2), "{args:?}: {}", done.err);
        assert!(done.err.contains(says), "{}", done.err)
    };
    run(&["--sums", "s0.toml"], "--sums s0.toml: is another file, which would be overwritten");
    run(&["--sums", "no/a.sums"], "--sums no/a.sums: is in a folder that does not exist");
    run(&["--sums", "."], "is a folder");
    run(&["--within", "1..2"], "--sums");
    run(&["--sums", "x.sums", "--within", "2..1"], "FROM..TO");
    assert!(!place.dir.join("x.sums").exists())
}
