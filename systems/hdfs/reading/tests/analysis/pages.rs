//! Sentences about pretended repairs against texts that were read; `TENBIN_BLESS=1` rewrites them.
use crate::draw::count;
use crate::fake::{self, Fake, SMALL};
use hdfs_reading::run::recoveries;
use hdfs_reading::sentences::{notes, verdict};
use hdfs_reading::{AffectedPart, Context, EventType, Run};
use hdfs_trace::{Node, Trace};
use page::Level;
use units::Nanos;

fn lost(name: &str, rack: &str, event_type: EventType) -> AffectedPart {
    AffectedPart { name: name.into(), rack: rack.into(), event_type }
}

pub fn context() -> Context {
    Context {
        lost: vec![lost("dn-00", "/rack0", EventType::Node)],
        pacing: "hdfs3".into(),
        blocks: 12_000,
        replication: 3,
        namenode: Some("nn1:8020".into()),
        hadoop: None,
        settings: vec![
            ("dfs.namenode.replication.work.multiplier.per.iteration".into(), "2".into()),
            ("dfs.namenode.redundancy.interval.seconds".into(), "3s".into()),
        ],
        ..Context::default()
    }
}

/// Sentences about the runs of one row; the first run has this trace.
pub struct Said {
    pub now: Vec<Run>,
    pub verdict: String,
    pub certainty: Level,
    text: String,
}

pub fn said(context: &Context, traces: &[Trace]) -> Said {
    let now: Vec<Run> = traces.iter().zip(1..).map(|(trace, seed)| Run::of(seed, trace)).collect();
    let facts = notes::facts(context, &traces[0], now.len());
    let facts: Vec<String> = facts.into_iter().map(|fact| page::plain(&fact.done())).collect();
    let certainty = notes::certainty(context, &now[0]);
    let verdict = page::plain(&verdict::verdict(context, &now).done());
    let sub = page::plain(&verdict::subline(context, &now).done());
    let mut lines = Vec::new();
    for text in [facts.join(" | "), verdict.clone(), sub] {
        page::terminal::wrap(&mut lines, "", &text)
    }
    let reason = format!("{}: {}", certainty.level.word(), page::plain(&certainty.reason));
    page::terminal::wrap(&mut lines, "Certainty", &reason);
    let text = lines.join("\n") + "\n";
    Said { now, verdict: verdict.replace('\u{a0}', " "), certainty: certainty.level, text }
}

#[track_caller]
fn golden(name: &str, said: &Said) {
    compare(name, &said.text)
}

#[track_caller]
pub fn compare(name: &str, found: &str) {
    assert!(found.is_ascii(), "{name} has letters that a plain terminal cannot show");
    let path = format!("{}/tests/analysis/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("TENBIN_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert_eq!(found, wanted, "{name}:\n{found}");
}

/// A run that ends at 700 s with its counters as given.
fn ended(counters: [f64; 4], redundant: bool) -> Trace {
    let mut trace = fake::trace(SMALL);
    trace.counters.truncate(4);
    for (counter, value) in trace.counters.iter_mut().zip(counters) {
        counter.value = Some(value);
    }
    if !redundant {
        trace.run.retain(|(key, _)| key != "redundant_s");
    }
    trace.run.push(("end_s".into(), "700".into()));
    trace
}

#[test]
fn a_single_run() {
    golden("run", &said(&context(), &[fake::trace(SMALL)]));
}

#[test]
fn data_loss_comes_first() {
    golden("lost", &said(&context(), &[ended([200.0, 0.0, 3.0, 0.0], true)]));
}

#[test]
fn fewer_live_nodes_than_replicas() {
    let mut trace = ended([200.0, 200.0, 0.0, 200.0], false);
    trace.nodes.iter_mut().skip(3).for_each(|node: &mut Node| node.alive = false);
    golden("two_nodes", &said(&context(), &[trace]));
}

#[test]
fn no_node_is_left() {
    let mut trace = ended([200.0, 0.0, 200.0, 0.0], false);
    trace.nodes.iter_mut().for_each(|node: &mut Node| node.alive = false);
    golden("no_nodes", &said(&context(), &[trace]));
}

#[test]
fn lost_before_is_not_lost_by_it() {
    // 3 had no replica before; the loss takes the last one of 2 more.
    let mut trace = ended([5.0, 0.0, 3.0, 0.0], false);
    for (name, value) in [(0, 205.0), (2, 5.0)] {
        trace.counters.push(count(name, Nanos::secs(10), value));
    }
    trace.counters.push(count(0, Nanos::secs(680), 5.0));
    trace.run.iter_mut().filter(|(key, _)| key == "fault_s").for_each(|row| row.1 = "10".into());
    golden("lost_before", &said(&context(), &[trace.clone()]));
    // Without the two it recovers.
    trace.counters[0].value = Some(3.0);
    trace.counters.retain(|counter| counter.counter.at() != 2 || counter.at == Nanos::ZERO);
    trace.counters.last_mut().unwrap().value = Some(3.0);
    golden("only_before", &said(&context(), &[trace]));
}

#[test]
fn a_run_that_is_cut_says_how_far_it_came() {
    let mut context = context();
    context.settings.push(("run.until".into(), "700s".into()));
    let mut trace = ended([200.0, 0.0, 0.0, 0.0], false);
    trace.counters.push(count(0, Nanos::secs(680), 70.0));
    trace.run.push(("cut_s".into(), "700".into()));
    golden("cut", &said(&context, &[trace]));
}

/// The last line of a log proves neither the end of the repair nor that it has none.
#[test]
fn a_log_that_ends_in_mid_repair() {
    let context = Context { logged: true, ..context() };
    let mut trace = ended([200.0, 0.0, 0.0, 0.0], false);
    trace.counters.push(count(0, Nanos::secs(680), 70.0));
    trace.run.push(("cut_s".into(), "700".into()));
    trace.run.push(("origin".into(), "logged".into()));
    golden("cut_log", &said(&context, &[trace]));
}

#[test]
fn a_run_that_ends_before_the_loss_knows_nothing_of_it() {
    let mut context = context();
    context.settings.push(("run.until".into(), "5s".into()));
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.run = vec![("end_s".into(), "5".into()), ("cut_s".into(), "5".into())];
    golden("before", &said(&context, &[trace]));
}

#[test]
fn some_seeds_do_not_end() {
    let never = ended([70.0, 0.0, 0.0, 0.0], false);
    golden("some_seeds", &said(&context(), &[fake::trace(SMALL), never]));
}

#[test]
fn nothing_was_on_the_lost_node() {
    let nothing = fake::trace(Fake { blocks: 0, ..SMALL });
    golden("nothing", &said(&context(), &[nothing]));
}

#[test]
fn not_declared_within_the_run() {
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.run = vec![("fault_s".into(), "0".into()), ("end_s".into(), "300".into())];
    trace.run.push(("cut_s".into(), "300".into()));
    trace.counters[0].value = Some(200.0);
    let mut context = context();
    context.settings.push(("run.until".into(), "300s".into()));
    golden("undeclared", &said(&context, &[trace]));
}

/// Silent for 250 s, never declared dead, and all is safe again.
fn back() -> Trace {
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.intervals.clear();
    trace.run = vec![("fault_s".into(), "0".into()), ("end_s".into(), "250".into())];
    trace.counters[0].value = Some(200.0);
    let safe = count(0, Nanos::secs(250), 0.0);
    trace.counters.push(safe);
    trace
}

#[test]
fn a_node_that_is_back_before_it_is_declared_dead_does_no_harm() {
    golden("back", &said(&context(), &[back()]));
    let traces = [fake::trace(SMALL), back(), back()];
    let report = said(&context(), &traces);
    golden("back_in_some_seeds", &report);
    let recoveries = recoveries(&report.now).expect("all seeds are safe");
    assert_eq!(recoveries[1..], [0.0; 2]);
}

#[test]
fn logs_that_do_not_hold_the_loss() {
    let context = Context { logged: true, ..context() };
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.run.push(("origin".into(), "logged".into()));
    let mut inferred = fake::trace(SMALL);
    inferred.run.push(("blocks_inferred".into(), "200".into()));
    assert_eq!(said(&context, &[inferred]).certainty, Level::Medium);
    let mut set_back = fake::trace(SMALL);
    set_back.run.push(("clock_back_s".into(), "3600".into()));
    assert_eq!(said(&context, &[set_back]).certainty, Level::Low);
    trace.run.push(("blocks_untold".into(), "208".into()));
    let report = said(&context, &[trace]);
    golden("untold", &report);
    assert_eq!((report.certainty, report.now[0].recovery_s()), (Level::Low, None));
}

/// Blocks not seen to be safe may be unsafe, or their lines unreadable; at most one block per line.
#[test]
fn logs_with_lines_that_cannot_be_read() {
    let context = Context { logged: true, ..context() };
    let unread = |mut trace: Trace, lines: &str| {
        trace.run.push(("lines_unread".into(), lines.into()));
        said(&context, &[trace])
    };
    assert_eq!(unread(fake::trace(SMALL), "65").certainty, Level::Medium);
    let verdict = |lines: &str| -> String {
        let mut open = ended([200.0, 0.0, 0.0, 0.0], false);
        open.counters.push(count(0, Nanos::secs(680), 70.0));
        open.run.push(("cut_s".into(), "700".into()));
        let report = unread(open, lines);
        assert_eq!((report.certainty, report.now[0].recovery_s()), (Level::Low, None));
        report.verdict
    };
    let (hidden, seen) = (verdict("70"), verdict("1"));
    assert!(hidden.contains("70 of 200 blocks are not reported safe again: 70"), "{hidden}");
    assert!(seen.starts_with("At least 69 of 200 blocks are not safe again"), "{seen}");
}

/// Names, verdict and the line below for each event: repaired, not repaired, not detected, cut
/// before, without a block.
#[test]
fn what_happens_in_words() {
    let node = |n: u32, event_type| lost(&format!("dn-{n:02}"), "/rack0", event_type);
    let disk = |n: u32| lost(&format!("dn-{n:02} disk 1"), "/rack0", EventType::Disk);
    let rack =
        |n: u32| lost(&format!("/rack{n}"), &format!("/rack{n}"), EventType::Rack { nodes: 5 });
    let (silent, leaves, rests) = (EventType::Node, EventType::Leaving, EventType::Maintenance);
    let cases = [
        vec![node(0, silent)],
        vec![node(0, silent), node(1, silent), node(2, silent)],
        vec![rack(0)],
        vec![rack(0), rack(1)],
        vec![disk(0)],
        vec![disk(0), disk(1)],
        vec![node(0, leaves)],
        vec![node(0, leaves), node(1, leaves)],
        vec![node(0, rests)],
        vec![node(0, leaves), node(1, rests)],
        vec![node(0, silent), disk(1)],
        vec![node(0, silent), disk(1), node(2, leaves)],
        vec![],
    ];
    let mut all = String::new();
    for lost in cases {
        let slow = lost.is_empty();
        let mut context = Context { lost, ..context() };
        if slow {
            context.besides.push("dn-01 disk 0 slow".into());
        }
        let nothing = fake::trace(Fake { blocks: 0, ..SMALL });
        let mut unnoticed = ended([200.0, 0.0, 0.0, 0.0], false);
        unnoticed.run = vec![("fault_s".into(), "0".into()), ("end_s".into(), "300".into())];
        let mut before = nothing.clone();
        before.run = vec![("end_s".into(), "5".into())];
        let unsafe_ = ended([70.0, 0.0, 0.0, 0.0], false);
        let runs = [fake::trace(SMALL), unsafe_, unnoticed, before, nothing];
        for (place, trace) in runs.iter().enumerate().skip(if slow { 4 } else { 0 }) {
            let found = said(&context, std::slice::from_ref(trace)).text;
            let mut lines = found.split("Certainty").next().expect("lines").lines();
            let facts = lines.next().expect("a line of facts");
            if place == 0 || slow {
                let happened = facts.split(" | 10 nodes").next().expect("facts");
                all += &format!("\n# {happened}\n");
            }
            let said = lines.filter(|line| !line.ends_with("1 seed"));
            said.for_each(|line| all += &format!("{line}\n"));
        }
    }
    compare("happened", &all);
}
