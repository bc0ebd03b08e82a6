//! Logs that are cut, damaged, or none.
use super::support::{logs, text};

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

/// Wherever a log is cut: what is sound is imported, or the error says that the loss is missing.
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
