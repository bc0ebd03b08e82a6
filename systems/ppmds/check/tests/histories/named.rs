//! Short histories with their expected faults, by rows and by all orders.
use ppmds_check::{History, Verdict, brute, check, read};

/// Short form of `client number op args invoked completed result saw`.
fn line(
    (client, number): (u32, u32),
    call: &str,
    (invoked, completed): (u64, u64),
    result: &str,
    saw: &str,
) -> String {
    let who = format!(r#""client":{client},"number":{number}"#);
    let times = format!(r#""invoked_ns":{invoked},"completed_ns":{completed}"#);
    format!(r#"{{{who},{call},{times},"result":{result},"saw":[{saw}]}}"#)
}

const A: &str = r#"[1,"a"]"#;

fn one(op: &str) -> String {
    match op {
        "create" => format!(r#""op":"create","args":{{"entry":{A},"mode":420}}"#),
        "setattr" => format!(r#""op":"setattr","args":{{"entry":{A},"mode":null,"size":7}}"#),
        op => format!(r#""op":"{op}","args":{{"entry":{A}}}"#),
    }
}

fn saw(before: &str, removals: u64, after: &str) -> String {
    format!(r#"{{"row":{A},"server":0,"before":{before},"removals":{removals},"after":"{after}"}}"#)
}

fn verdict(lines: &[String]) -> (History, Verdict) {
    let history = read(&lines.join("\n")).expect("these are operations");
    let verdict = check(&history.events, &history.directories);
    (history, verdict)
}

fn is_wrong(lines: &[String], name: &str) {
    let (history, verdict) = verdict(lines);
    let said: Vec<String> = verdict.faults.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|fault| fault.starts_with(name)), "{name}: {said:?}");
    assert!(!brute::possible(&history.events, &history.directories), "{name}: some order is right")
}

fn created() -> String {
    line((0, 0), &one("create"), (0, 10), r#"{"ino":9}"#, &saw("null", 0, "written"))
}

#[test]
fn what_happened_one_after_the_other_is_right() {
    let lines = [
        created(),
        line((1, 0), &one("lookup"), (5, 30), r#"{"ino":9}"#, &saw("[0,0]", 0, "kept")),
        line((1, 1), &one("setattr"), (31, 40), r#"{"ino":9}"#, &saw("[0,0]", 0, "written")),
        line((0, 1), &one("unlink"), (41, 50), r#"{"ino":9}"#, &saw("[1,1]", 1, "removed")),
        line((1, 2), &one("lookup"), (51, 60), r#"{"error":"ENOENT"}"#, &saw("null", 1, "kept")),
    ];
    let (history, verdict) = verdict(&lines);
    assert_eq!(verdict, Verdict { answered: 5, unanswered: 0, faults: vec![], decided: true });
    assert!(brute::possible(&history.events, &history.directories))
}

#[test]
fn a_read_that_is_too_old_is_a_cycle() {
    let late =
        line((1, 0), &one("lookup"), (20, 30), r#"{"error":"ENOENT"}"#, &saw("null", 0, "kept"));
    is_wrong(&[created(), late], "cycle")
}

#[test]
fn one_row_that_two_take_away_is_a_lost_update() {
    let away = |client| {
        line((client, 5), &one("unlink"), (20, 30), r#"{"ino":9}"#, &saw("[0,0]", 1, "removed"))
    };
    is_wrong(&[created(), away(1), away(2)], "lost update")
}

#[test]
fn a_row_that_is_gone_without_anybody_is_a_lost_row() {
    let gone =
        line((1, 0), &one("lookup"), (20, 30), r#"{"error":"ENOENT"}"#, &saw("null", 1, "kept"));
    is_wrong(&[created(), gone], "lost row")
}

#[test]
fn a_row_that_comes_back_is_seen() {
    let lines = [
        created(),
        line((0, 1), &one("unlink"), (11, 20), r#"{"ino":9}"#, &saw("[0,0]", 1, "removed")),
        line((1, 0), &one("lookup"), (21, 30), r#"{"ino":9}"#, &saw("[0,0]", 1, "kept")),
    ];
    is_wrong(&lines, "back again")
}

#[test]
fn a_result_that_no_file_system_gives_is_wrong() {
    let stat = r#"{"inode":{"ino":9,"directory":false,"mode":420,"size":5,"links":1}}"#;
    let lines = [created(), line((1, 0), &one("stat"), (20, 30), stat, &saw("[0,0]", 0, "kept"))];
    is_wrong(&lines, "wrong result")
}

#[test]
fn who_was_not_answered_may_have_done_it() {
    let unanswered = created().replace(r#""completed_ns":10"#, r#""completed_ns":null"#);
    let lines = [
        unanswered,
        line((1, 0), &one("lookup"), (5, 30), r#"{"ino":9}"#, &saw("[0,0]", 0, "kept")),
    ];
    let (history, verdict) = verdict(&lines);
    assert_eq!(verdict, Verdict { answered: 1, unanswered: 1, faults: vec![], decided: true });
    assert!(brute::possible(&history.events, &history.directories))
}

#[test]
fn a_line_that_is_none_is_named() {
    let wrong = read(&[created(), "{\"op\":\"chmod\"}".to_string()].join("\n")).unwrap_err();
    assert_eq!(wrong.line, 2);
    let began = read("{\"directories\":[[1,1],[4,1]]}\n").unwrap();
    assert_eq!(began.directories, [(1, 1), (4, 1)])
}
