//! Logs that are cut, damaged, or none.
use super::support::{about, logs, text};

#[track_caller]
fn refused(bytes: &str, parts: &[&str]) {
    let error = logs(&[bytes]).expect_err("it was imported").to_string();
    for part in parts {
        assert!(error.contains(part), "`{part}` is not in: {error}")
    }
}

#[test]
fn what_is_no_log() {
    let log = "expected the log of a NameNode or DataNode";
    refused("", &["1.log: 0 bytes", log, "$HADOOP_LOG_DIR"]);
    refused("{\"beans\":[]}", &["no line with a time", log]);
    refused("\0\0\0\0\0\0\0\0\0\0", &["a binary file", log]);
    refused(
        "2026-11-20 17:00:59,962 INFO x: y\n",
        &["no line of a NameNode", "removeDeadDatanode"],
    );
}

#[test]
fn a_log_without_a_loss() {
    let whole = text("default-nn+dn.log.gz");
    let without: String = whole
        .lines()
        .filter(|line| !line.contains("removeDeadDatanode"))
        .map(|line| format!("{line}\n"))
        .collect();
    refused(&without, &["no DataNode is declared dead", "rolled parts"]);
}

/// A log truncated at any point is imported, or the error states that the loss is missing.
#[test]
fn cut_anywhere() {
    let whole = text("default-nn+dn.log.gz");
    let mut imported = 0;
    for part in 1..24 {
        let mut end = whole.len() * part / 24 + 7 * part;
        while !whole.is_char_boundary(end) {
            end += 1
        }
        match logs(&[&whole[..end]]) {
            Ok(logged) => {
                imported += 1;
                let cut = |note: &String| note.contains("the last line is cut");
                assert!(logged.cluster.notes.iter().any(cut), "{part}");
                assert_eq!(logged.cluster.counts.nodes, 6, "no node of half an address")
            }
            Err(error) => assert!(error.to_string().contains("declared dead"), "{part}: {error}"),
        }
    }
    assert!(imported > 3, "{imported}")
}

/// Lines in another form are counted with the first of them, and the rest is imported.
#[test]
fn lines_that_are_not_understood() {
    let whole = text("default-nn+dn.log.gz").replace("datanode(s) ", "datanodes ");
    let logged = logs(&[&whole]).unwrap();
    let told = |note: &String| {
        note.starts_with("1.log:11099: a line of `ask` in another form (208 times)")
    };
    assert!(logged.cluster.notes.iter().any(told), "{:?}", logged.cluster.notes);
    assert!(logged.trace.about("redundant_s").is_some(), "the new replicas are known all the same");
}

/// Truncated lines, and lines that begin in the middle: each is counted, and none adds a node with
/// half an address or extends the repair.
#[test]
fn halved_lines() {
    let whole = text("default-nn+dn.log.gz");
    let (mut at, mut cut) = (0, [0; 2]);
    let halved: String = whole
        .lines()
        .zip(0..)
        .map(|(line, number)| {
            // Every ninth line after the loss, somewhere.
            let broken = number > 10_654 && number % 9 == 0;
            at = (at + 37) % 101;
            let half = line.len() * at / 101;
            let kinds = [" is added to ", "BLOCK* ask "];
            for (kind, cut) in kinds.iter().zip(&mut cut).filter(|_| broken) {
                *cut += usize::from(line.find(kind).is_some_and(|found| half < found + 5))
            }
            format!("{}\n", if broken { &line[..half] } else { line })
        })
        .collect();
    assert!(cut[0] > 5, "{cut:?}: the test would prove nothing");
    let logged = logs(&[&halved]).unwrap();
    let notes = &logged.cluster.notes;
    let counted = |kind: &str| -> usize {
        let of = |note: &String| {
            let times = note.rsplit_once('(')?.1.strip_suffix(" times)")?;
            note.contains(kind).then(|| times.parse::<usize>().unwrap())
        };
        notes.iter().filter_map(of).sum()
    };
    let all = counted("in another form") + counted("half a line");
    assert!(all >= cut[0] + cut[1], "{all} of {cut:?}: {notes:?}");
    assert!(notes.iter().any(|n| n.contains("`addStoredBlock` in another form (")), "{notes:?}");
    assert_eq!(logged.cluster.counts.nodes, 6, "no node of half an address");
    assert!(logged.trace.about("unrepaired") != Some("0"));
    assert!(logged.trace.about("lines_unread").is_some());
    let told = |part: &str| notes.iter().any(|note| note.contains(part));
    assert!(told("lines after the loss cannot be read") && !told("before the repair"), "{notes:?}");
}

/// Unreadable lines about replicas: the allocation's nodes are used.
#[test]
fn halved_before_the_loss() {
    let whole = text("default-nn+dn.log.gz");
    let halved: String = whole
        .lines()
        .zip(0..)
        .map(|(line, number)| {
            let broken = number < 10_654 && number % 7 == 0 && line.contains(" is added to ");
            format!("{}\n", if broken { &line[..line.find(" is add").unwrap() + 7] } else { line })
        })
        .collect();
    let logged = logs(&[&halved]).unwrap();
    assert_eq!(logged.cluster.counts.replicas, 1200);
    let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
    assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
    let told = |note: &String| note.contains("the nodes of the allocation are used");
    assert!(logged.cluster.notes.iter().any(told), "{:?}", logged.cluster.notes);
}

#[test]
fn bytes_between_the_lines() {
    let whole = text("default-nn+dn.log.gz");
    let middle = whole[..whole.len() / 2].rfind('\n').unwrap() + 1;
    let junk = "\u{1}\u{0}\u{7f}x\u{3}\n".repeat(500);
    let logged = logs(&[&format!("{}{junk}{}", &whole[..middle], &whole[middle..])]).unwrap();
    let told = |note: &String| note.contains(": bytes that are not text (500 times)");
    assert!(logged.cluster.notes.iter().any(told), "{:?}", logged.cluster.notes);
    let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
    assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
}

/// logrotate's `copytruncate` leaves NULs before the first line.
#[test]
fn nuls_before_the_log() {
    let whole = text("default-nn+dn.log.gz");
    for count in [1, 5_000, 700_000] {
        let logged = logs(&[&format!("{}{whole}", "\0".repeat(count))]).unwrap();
        let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
        assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
        assert_eq!(logged.trace.about("lines_unread"), None);
    }
}

/// A small log of many kinds of lines, each of them cut anywhere, and any byte of it another: it is
/// imported or refused.
#[test]
fn any_damage_is_borne() {
    let kinds = [
        " allocate ",
        "addStoredBlock: ",
        "removeDeadDatanode",
        "removeStoredBlock: ",
        "LowRedundancyBlock.",
        " is moved from needed",
        "neededReconstruction = ",
        " ask ",
        "Starting thread to transfer",
        "DataTransfer, at ",
        "registerDatanode",
        "Adding a new node: ",
        "Adding new storage ID ",
        " Stopping DataNode ",
        "redundancyRecheckInterval",
        "heartbeat expire interval ",
    ];
    let whole = text("default-nn+dn.log.gz");
    let first = |kind: &&str| whole.lines().find(|line| line.contains(kind));
    let mut lines: Vec<&str> = kinds.iter().filter_map(first).collect();
    assert!(lines.len() > 13, "{lines:?}");
    lines.sort();
    for (at, line) in lines.iter().enumerate() {
        let with = |bytes: &[u8]| {
            let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
            changed[at] = String::from_utf8_lossy(bytes).into_owned();
            let _ = logs(&[&(changed.join("\n") + "\n")]);
        };
        for byte in 0..line.len() {
            with(&line.as_bytes()[..byte]);
            for other in [0, b'9', b' ', 0xff, line.as_bytes()[byte] ^ 1] {
                let mut damaged = line.as_bytes().to_vec();
                damaged[byte] = other;
                with(&damaged)
            }
        }
    }
}
