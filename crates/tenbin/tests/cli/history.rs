//! `tenbin check-history`: our own histories, and lines that no clients make.
use crate::tenbin::Place;

/// Clients that want the same names: a fifth of their answers are errors, and one order gives all.
#[test]
fn operations_on_shared_names_are_strictly_serializable() {
    let place = Place::new("history-names");
    let args = ["run", "ppmds-names", "--seeds", "1", "-o", "out", "--history", "h.jsonl"];
    let run = place.json(&args);
    let metric = |name: &str| run["metrics"][name].as_f64().unwrap_or_else(|| panic!("{run:#}"));
    let failed = metric("operations_failed") / metric("operations");
    assert!((0.15..0.25).contains(&failed), "{failed}");
    let checked = place.json(&["check-history", "h.jsonl"]);
    assert_eq!(checked["strictly_serializable"], true, "{checked:#}");
    // Without the service's versions, the check searches for an order.
    let few = ["--set", "cluster.clients=12", "--set", "workload.creates_per_client=40"];
    let run = ["run", "ppmds-names", "--seeds", "1", "-o", "few", "--history", "few.jsonl"];
    place.ok(&[&run[..], &few].concat());
    let text = std::fs::read_to_string(place.dir.join("few.jsonl")).expect("it was written");
    let blind = text.lines().map(|line| match line.find(",\"saw\":") {
        Some(at) => format!("{}}}\n", &line[..at]),
        None => format!("{line}\n"),
    });
    place.write("blind.jsonl", blind.collect::<String>());
    let checked = place.json(&["check-history", "blind.jsonl"]);
    assert_eq!(checked["strictly_serializable"], true, "{checked:#}");
}

fn line(client: u32, number: u32, (from, to): (u32, u32), what: &str, result: &str) -> String {
    format!(
        "{{\"client\":{client},\"number\":{number},{what},\"invoked_ns\":{from},\
         \"completed_ns\":{to},\"result\":{result}}}\n"
    )
}

#[test]
fn contradictions_and_impossible_lines() {
    let place = Place::new("history-odd");
    let create = r#""op":"create","args":{"entry":[1,"a"],"mode":420}"#;
    let list = r#""op":"readdir","args":{"directory":1}"#;
    let made = line(0, 0, (10, 100), create, r#"{"ino":5}"#);
    let seen = line(1, 0, (20, 30), list, r#"{"entries":[["a",5]]}"#);
    let gone = line(1, 1, (40, 50), list, r#"{"entries":[]}"#);
    place.write("wrong.jsonl", format!("{made}{seen}{gone}"));
    let done = place.tenbin(&["check-history", "wrong.jsonl"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.out.contains("wrong.jsonl:3: client 1, operation 1, 40 to 50 ns"), "{}", done.out);
    place.write("twice.jsonl", format!("{made}{seen}{seen}"));
    place.write("both.jsonl", format!("{made}{seen}{}", gone.replace("40", "25")));
    for (file, said) in [
        ("twice.jsonl", "client 1 has two operations 0; the other operation: twice.jsonl:2"),
        ("both.jsonl", "client 1 calls operation 1 at 25 ns, while"),
    ] {
        let done = place.tenbin(&["check-history", file]);
        assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
        let said = format!("{file}:3: not a history of clients: {said}");
        assert!(done.err.contains(&said), "{}", done.err);
        assert!(done.err.contains(&file.replace(".jsonl", ".jsonl:2")), "{}", done.err)
    }
}
