//! Possible and impossible histories, with versions and without.
use crate::service::{BEGIN, Service, blind};
use ppmds_check::{Call, Event, Outcome, brute, check};

/// Client, from, to, operation, in the order of their effects. `= …` replaces the service's answer.
type Line = (u32, u64, u64, &'static str);

fn entry(text: &str) -> (u64, String) {
    let (directory, name) = text.split_once('/').unwrap_or(("1", text));
    (directory.parse().expect("a directory"), name.into())
}

fn call(text: &str) -> Call {
    let words: Vec<&str> = text.split(' ').collect();
    let one = || entry(words[1]);
    match words[0] {
        "create" => Call::Create { entry: one(), mode: 0o644 },
        "mkdir" => Call::Mkdir { entry: one(), mode: 0o755 },
        "lookup" => Call::Lookup { entry: one() },
        "unlink" => Call::Unlink { entry: one() },
        "rmdir" => Call::Rmdir { entry: one() },
        "rename" => Call::Rename { from: one(), to: entry(words[2]) },
        "ls" => Call::Readdir { directory: words.get(1).map_or(1, |d| d.parse().expect("one")) },
        other => panic!("no operation: {other}"),
    }
}

/// `a:5 b:6`, `ENOENT`.
fn outcome(text: &str) -> Outcome {
    if text.starts_with('E') {
        return Outcome::Error(text.into());
    }
    let entry = |part: &str| {
        let (name, ino) = part.split_once(':').expect("a name and its inode");
        (name.to_string(), ino.parse().expect("an inode"))
    };
    Outcome::Entries(text.split_whitespace().map(entry).collect())
}

/// Builds the history; line n creates inode 100 + n.
pub fn history(lines: &[Line]) -> Vec<Event> {
    let mut service = Service::new();
    let event = |(number, (client, from, to, text)): (usize, &Line)| {
        let (what, said) = match text.split_once('=') {
            Some((what, said)) => (what.trim(), Some(outcome(said.trim()))),
            None => (*text, None),
        };
        let (call, number) = (call(what), u32::try_from(number).expect("a few"));
        let (result, saw) = service.work(&call, (*client, number), None);
        Event {
            client: *client,
            number,
            call,
            invoked_ns: *from,
            completed_ns: (*to > 0).then_some(*to),
            result: Some(said.unwrap_or(result)),
            saw,
        }
    };
    lines.iter().enumerate().map(event).collect()
}

/// First word of the fault; empty: the history is possible.
const TABLE: &[(&str, &[Line], &str)] = &[
    ("one after the other", &[(0, 10, 20, "create a"), (1, 30, 40, "lookup a")], ""),
    ("a list of what is there", &[(0, 10, 20, "create a"), (1, 30, 40, "ls")], ""),
    ("a list lacks an old entry", &[(0, 10, 20, "create a"), (1, 30, 40, "ls =")], "cycle"),
    (
        "a list has what is not there",
        &[(0, 10, 20, "create a"), (1, 30, 40, "ls = a:101 b:5")],
        "wrong",
    ),
    ("a list has another inode", &[(0, 10, 20, "create a"), (1, 30, 40, "ls = a:7")], "wrong"),
    (
        "a list has an entry twice",
        &[(0, 10, 20, "create a"), (1, 30, 40, "ls = a:101 a:101")],
        "wrong",
    ),
    (
        "a list has what was removed before",
        &[(0, 10, 20, "create a"), (0, 30, 40, "unlink a"), (1, 50, 60, "ls = a:101")],
        "cycle",
    ),
    (
        "a list may have what is removed meanwhile",
        &[(0, 10, 20, "create a"), (0, 30, 55, "unlink a"), (1, 50, 60, "ls = a:101")],
        "",
    ),
    ("a list has what is made later", &[(1, 5, 9, "ls = a:102"), (0, 10, 20, "create a")], "cycle"),
    (
        "two lists: there, then not, and no operation removed it",
        &[(0, 10, 100, "create a"), (1, 20, 30, "ls"), (1, 40, 50, "ls =")],
        "cycle",
    ),
    (
        "two lists: not there, then there",
        &[(1, 20, 30, "ls ="), (0, 10, 100, "create a"), (1, 40, 50, "ls")],
        "",
    ),
    (
        "two lists of two clients at once exclude each other: no list is of one moment",
        &[
            (0, 10, 100, "create a"),
            (1, 10, 100, "create b"),
            (2, 20, 90, "ls = a:101"),
            (3, 20, 90, "ls = b:102"),
        ],
        "",
    ),
    (
        "two lists, one after the other, exclude each other",
        &[
            (0, 10, 100, "create a"),
            (1, 10, 100, "create b"),
            (2, 20, 30, "ls = a:101"),
            (3, 40, 50, "ls = b:102"),
        ],
        "cycle",
    ),
    (
        "listed, then not found, and no operation removed it",
        &[(1, 40, 50, "lookup a"), (0, 10, 100, "create a"), (1, 20, 30, "ls = a:102")],
        "cycle",
    ),
    (
        "found, then not listed, and no operation removed it",
        &[(0, 10, 100, "create a"), (1, 20, 30, "lookup a"), (1, 40, 50, "ls =")],
        "cycle",
    ),
    (
        "found, then not listed: an operation may have removed it",
        &[
            (0, 10, 100, "create a"),
            (1, 20, 30, "lookup a"),
            (2, 15, 200, "unlink a"),
            (1, 40, 50, "ls ="),
        ],
        "",
    ),
    (
        "listed again after a list that lacks it: a rename there and back",
        &[
            (0, 10, 20, "create a"),
            (2, 30, 200, "rename a b"),
            (1, 40, 50, "ls"),
            (3, 30, 200, "rename b a"),
            (1, 60, 70, "ls"),
        ],
        "",
    ),
    (
        "a name goes back before the other half of its rename was seen",
        &[
            (0, 10, 20, "create a"),
            (2, 30, 200, "rename a b"),
            (1, 40, 50, "ls"),
            (1, 60, 70, "ls = a:101"),
        ],
        "cycle",
    ),
    (
        "a list may have both halves of a rename",
        &[(0, 10, 20, "create a"), (2, 30, 200, "rename a b"), (1, 40, 50, "ls = a:101 b:101")],
        "",
    ),
    (
        "a list may have neither half of a rename, there and back",
        &[
            (0, 10, 20, "create a"),
            (2, 30, 200, "rename a b"),
            (3, 30, 200, "rename b a"),
            (1, 40, 50, "ls ="),
        ],
        "",
    ),
    (
        "a list of a directory that is not",
        &[(0, 10, 20, "create a"), (1, 30, 40, "ls 77 =")],
        "wrong",
    ),
    (
        "no list of a directory that is there",
        &[(0, 10, 20, "mkdir d"), (1, 30, 40, "ls 101 = ENOENT")],
        "wrong",
    ),
    (
        "a list of a directory while it is made",
        &[(0, 10, 50, "mkdir d"), (1, 30, 40, "ls 101")],
        "",
    ),
    (
        "no list of a directory while it is removed",
        &[(0, 10, 20, "mkdir d"), (2, 25, 50, "rmdir d"), (1, 30, 40, "ls 101")],
        "",
    ),
    (
        "a list of a directory after its removal",
        &[(0, 10, 20, "mkdir d"), (2, 25, 28, "rmdir d"), (1, 30, 40, "ls 101 =")],
        "wrong",
    ),
    ("answered before it was asked", &[(0, 10, 20, "create a"), (1, 30, 5, "lookup a")], "cycle"),
    ("not answered, and it took effect", &[(0, 10, 0, "create a"), (1, 30, 40, "lookup a")], ""),
    ("not answered, and listed", &[(0, 10, 0, "create a"), (1, 30, 40, "ls")], ""),
    ("not answered, and not listed yet", &[(1, 30, 40, "ls"), (0, 10, 0, "create a")], ""),
    (
        "not answered, listed, and not listed again",
        &[(0, 10, 0, "create a"), (1, 30, 40, "ls"), (1, 50, 60, "ls =")],
        "cycle",
    ),
];

#[test]
fn each_history_has_its_verdict() {
    for (what, lines, expected) in TABLE {
        let seen = history(lines);
        let verdict = check(&seen, &BEGIN);
        let said: Vec<String> = verdict.faults.iter().map(ToString::to_string).collect();
        match expected.is_empty() {
            true => assert!(said.is_empty(), "{what}: {said:?}"),
            false => assert!(said.iter().any(|s| s.starts_with(expected)), "{what}: {said:?}"),
        }
        // The same without versions; a search explains less.
        let blind = blind(&seen);
        let verdict = check(&blind, &BEGIN);
        assert!(verdict.decided, "{what}");
        assert_eq!(verdict.faults.is_empty(), expected.is_empty(), "{what}: {:?}", verdict.faults);
        if seen.iter().all(|event| event.completed_ns.is_some()) {
            assert_eq!(brute::possible(&blind, &BEGIN), expected.is_empty(), "{what}")
        }
    }
}
