//! Messages about impossible histories and invalid lines.
use crate::table::history;
use ppmds_check::{check, read};
use serde_json::json;

#[test]
fn a_cycle_says_why_each_comes_before_the_next() {
    let events = history(&[(0, 10, 100, "create a"), (1, 20, 30, "ls"), (1, 40, 50, "ls =")]);
    let verdict = check(&events, &[(1, 1)]);
    let said = verdict.faults[0].say(&events, &|at| format!("h.jsonl:{}: ", at + 2));
    let lines: Vec<&str> = said.lines().collect();
    let expected = [
        "cycle: 3 operations, each of which must be before the next",
        r#"  h.jsonl:2: client 0, operation 0, 10 to 100 ns: {"op":"create","args":"#,
        r#"    comes before the next: it gave "a" in directory 1 inode 101, which the other lists"#,
        r#"  h.jsonl:3: client 1, operation 1, 20 to 30 ns: {"op":"readdir","args":"#,
        "    comes before the next: it was answered at 30 ns, and the other was called at 40 ns",
        r#"  h.jsonl:4: client 1, operation 2, 40 to 50 ns: {"op":"readdir","args":"#,
        r#"    comes before the first: it does not list "a" in directory 1, which the other made"#,
    ];
    assert_eq!(lines.len(), expected.len(), "{said}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "no `{expected}` in\n{said}")
    }
}

#[test]
fn operations_that_no_client_makes_are_refused() {
    let line = |client: u32, number: u32, from: u64, to: u64| {
        json!({
            "client": client, "number": number, "op": "lookup", "args": { "entry": [1, "a"] },
            "invoked_ns": from, "completed_ns": (to > 0).then_some(to),
            "result": { "error": "ENOENT" },
        })
        .to_string()
    };
    let root = r#"{"directories":[[1,1]]}"#.to_string();
    let may = r#"{"directories":[[1,1]],"overlap":true}"#.to_string();
    let table = [
        (vec![root.clone(), line(0, 0, 1, 2), line(0, 1, 2, 3)], None),
        (vec![root.clone(), line(0, 0, 1, 2), line(1, 0, 1, 2)], None),
        (vec![root.clone(), line(0, 0, 1, 2), line(0, 0, 1, 2)], Some((3, 2, "operations 0"))),
        (vec![line(0, 7, 5, 6), line(1, 1, 1, 2), line(0, 7, 8, 9)], Some((3, 1, "two"))),
        (vec![root.clone(), line(0, 1, 4, 9), line(0, 0, 1, 5)], Some((3, 2, "runs until 5"))),
        (vec![root.clone(), line(0, 0, 1, 0), line(0, 1, 5, 6)], None),
        (vec![may.clone(), line(0, 0, 1, 9), line(0, 1, 5, 6)], None),
        (vec![may, line(0, 0, 1, 2), line(0, 0, 5, 6)], Some((3, 2, "two operations"))),
    ];
    for (lines, expected) in table {
        let read = read(&lines.join("\n"));
        match (read, expected) {
            (Ok(history), None) => assert_eq!(history.lines.len(), history.events.len()),
            (Err(wrong), Some((line, other, said))) => {
                assert_eq!((wrong.line, wrong.other), (line, Some(other)), "{lines:?}");
                assert!(wrong.problem.contains(said), "{}", wrong.problem)
            }
            (read, _) => panic!("{lines:?}: {read:?}"),
        }
    }
}
