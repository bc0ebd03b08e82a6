//! Logs that do not belong together, or that are given twice.
use super::support::{logs, text};

#[track_caller]
fn refused(texts: &[&str], parts: &[&str]) {
    let error = logs(texts).expect_err("it was imported").to_string();
    for part in parts {
        assert!(error.contains(part), "`{part}` is not in: {error}")
    }
}

fn only(text: &str, keep: impl Fn(&str) -> bool) -> String {
    text.lines().filter(|line| keep(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn two_clusters() {
    let (one, two) = (text("default-nn+dn.log.gz"), text("external-nn+dn.log.gz"));
    let expected = "expected the logs of one cluster";
    refused(&[&one, &two], &["2.log:", "the namespace ", " in 1.log", expected]);
    refused(&[&format!("{one}{two}")], &["1.log:", "the namespace ", expected]);
    // DataNodes' lines alone name the block pool.
    let pools = [
        only(&one, |line| !line.contains("nsid=")),
        only(&one, |line| line.contains("DataTransfer, at")).replace("BP-1", "BP-2"),
    ];
    refused(&[&pools[0], &pools[1]], &["the block pool BP-", " in 1.log", expected]);
}

/// A namespace id in one truncated or damaged line does not count as another cluster.
#[test]
fn a_damaged_id_is_no_other_cluster() {
    let whole = text("default-nn+dn.log.gz");
    let registered = |line: &&str| line.contains("registerDatanode") && line.contains(";nsid=");
    let line = whole.lines().find(registered).unwrap();
    let id = line.find(";nsid=").unwrap() + 6;
    let damaged = format!("{}7{}", &line[..id], &line[id + 1..]);
    for other in [&line[..id + 2], &line[..id], &damaged, &line[..line.len() - 60]] {
        let logged = logs(&[&whole.replacen(line, other, 1)]).unwrap();
        assert_eq!(logged.cluster.counts.nodes, 6, "{other}");
    }
}

/// No line names a cluster: two NameNodes decide in turns.
#[test]
fn two_name_nodes_without_a_name() {
    let one = only(&text("default-nn+dn.log.gz"), |line| line.contains(" BLOCK* ask "));
    let two = one.replace("127.0.0.1:", "127.0.0.2:");
    refused(&[&one, &two], &["asks for copies in turns with that of", "expected the logs of one"]);
}

/// The same log given twice counts once.
#[test]
fn twice() {
    let whole = text("default-nn+dn.log.gz");
    let (one, two) = (logs(&[&whole]).unwrap(), logs(&[&whole, &whole]).unwrap());
    assert_eq!(one.trace.intervals, two.trace.intervals);
    assert_eq!(one.trace.counters, two.trace.counters);
    let told = |n: &&String| {
        n.starts_with("2.log: ") && n.ends_with("lines are also in 1.log, and count once")
    };
    assert_eq!(two.cluster.notes.iter().filter(told).count(), 1, "{:?}", two.cluster.notes);
    let half = whole.len() / 2;
    let parts = logs(&[&whole, &whole[half..]]).unwrap();
    assert_eq!(one.trace.counters, parts.trace.counters, "parts that overlap");
}
