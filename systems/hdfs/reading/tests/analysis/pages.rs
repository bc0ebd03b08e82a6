//! Pages of pretended repairs against texts that were read; `TENBIN_BLESS=1` rewrites them.
use crate::draw::count;
use crate::fake::{self, Fake, SMALL};
use hdfs_reading::stat::Verdict;
use hdfs_reading::{Assumption, Context, Fate, Lost, Run, Variant, VariantRuns, text};
use hdfs_trace::{Node, Trace};
use page::{Body, Page, Role, Section};
use units::Nanos;

fn lost(name: &str, rack: &str, fate: Fate) -> Lost {
    Lost { name: name.into(), rack: rack.into(), fate }
}

pub fn context() -> Context {
    Context {
        scenario: "shop".into(),
        file: "shop.toml".into(),
        lost: vec![lost("dn-00", "/rack0", Fate::Node)],
        pacing: "hdfs3".into(),
        blocks: 12_000,
        replication: 3,
        namenode: Some("nn1:8020".into()),
        hadoop: None,
        settings: vec![
            ("dfs.namenode.replication.work.multiplier.per.iteration".into(), "2".into()),
            ("dfs.namenode.redundancy.interval.seconds".into(), "3s".into()),
        ],
        command: "tenbin compare scenarios/shop.toml".into(),
        ..Context::default()
    }
}

pub fn variant(name: &str, set: &[(&str, &str)], seeds: u64, fake: Fake) -> VariantRuns {
    let run = |seed| Run::of(seed, &fake::trace(Fake { seed, ..fake }));
    VariantRuns {
        name: name.into(),
        set: set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        runs: (1..=seeds).map(run).collect(),
    }
}

const MULTIPLIER: &str = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
const STREAMS: &str = "hdfs-site.dfs.namenode.replication.max-streams";

pub fn shop() -> Vec<VariantRuns> {
    let small = |multiplier| Fake { multiplier, ..SMALL };
    vec![
        variant("now", &[], 10, SMALL),
        variant("ring", &[("policy.rereplication", "ring")], 10, SMALL),
        variant("multiplier 3 alone", &[(MULTIPLIER, "3")], 10, small(3)),
        variant("both limits 4", &[(MULTIPLIER, "4"), (STREAMS, "4")], 10, small(4)),
    ]
}

/// A page and its rows.
type Made = (Page, Vec<Variant>);

pub fn made(context: &Context, variants: &[VariantRuns], trace: &Trace) -> Made {
    let rows = hdfs_reading::compare(&context.settings, variants);
    (hdfs_reading::page(context, variants, &rows, trace), rows)
}

pub fn section<'a>(page: &'a Page, id: &str) -> &'a Section {
    page.sections.iter().find(|section| section.id == id).expect("a section")
}

#[track_caller]
fn golden(name: &str, (page, rows): &Made) {
    compare(name, &text(page, rows))
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

fn of_traces(traces: &[Trace], context: &Context) -> Made {
    let runs = traces.iter().zip(1..).map(|(trace, seed)| Run::of(seed, trace)).collect();
    let now = VariantRuns { name: "now".into(), set: Vec::new(), runs };
    made(context, &[now], &traces[0])
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
fn a_comparison() {
    let variants = shop();
    let mut context = context();
    let at = |multiplier| {
        let mut half = shop();
        half[0] = variant("now", &[], 10, Fake { multiplier, ..SMALL });
        half
    };
    let assumption = |name: &str, half, double| Assumption {
        name: name.into(),
        value: "150 MB/s × 12".into(),
        key: format!("hardware.{}", name.to_lowercase()),
        half,
        double,
    };
    context.assumptions =
        vec![assumption("Disk", shop(), shop()), assumption("NIC", at(5), vec![])];
    let report = made(&context, &variants, &fake::trace(SMALL));
    golden("comparison", &report);
    let (page, rows) = report;
    let note = "at most 18\u{a0}blocks every 3\u{a0}s: 9\u{a0}live nodes × multiplier 2";
    let Body::Curves(curves) = &section(&page, "risk").body else { panic!("curves") };
    assert_eq!(curves.panels[0].reason, note);
    let roles: Vec<Role> = rows.iter().map(|row| row.role).collect();
    assert_eq!(roles, [Role::Now, Role::Other, Role::Other, Role::Recommended]);
    let ring = rows[1].against_now.unwrap();
    assert_eq!((ring.verdict, ring.mean), (Verdict::NoDifference, 0.0));
    for row in &rows {
        assert_eq!(row.shares.iter().map(|share| share.percent).sum::<i32>(), 100);
        assert_eq!(row.at_risk.median[0], 200.0);
        assert_eq!(row.at_risk.max.last(), Some(&0.0));
    }
    let json = serde_json::to_string(&page).unwrap();
    assert!(serde_json::from_str::<Page>(&json).unwrap() == page, "the JSON reads back");
}

#[test]
fn a_single_run() {
    golden("run", &of_traces(&[fake::trace(SMALL)], &context()));
}

/// What a run alone says to do, where the repair takes this part of its time without multiplier.
fn doing_without(part: f64) -> Option<page::Do> {
    let trace = fake::trace(SMALL);
    let mut run = Run::of(1, &trace);
    let recovery = run.recovery_s().expect("all copies are made");
    run.metrics.insert("without_multiplier_s".into(), part * recovery);
    let now = VariantRuns { name: "now".into(), set: Vec::new(), runs: vec![run] };
    made(&context(), &[now], &trace).0.head.r#do
}

#[test]
fn a_run_alone_names_the_setting_to_try() {
    let tried = doing_without(0.5).expect("advice");
    let point = page::plain(&tried.point);
    assert!(point.starts_with("Try other values of dfs.namenode.replication.work.m"), "{point}");
    assert!(point.ends_with("50\u{a0}% less."), "{point}");
    let compare = format!("tenbin compare scenarios/shop.toml --vary {MULTIPLIER}=4,8 -o compared");
    assert_eq!(tried.command, Some(compare));
    let nothing = doing_without(0.99).expect("advice");
    assert_eq!(page::plain(&nothing.point), "Nothing to change.");
}

#[test]
fn data_loss_comes_first() {
    golden("lost", &of_traces(&[ended([200.0, 0.0, 3.0, 0.0], true)], &context()));
}

#[test]
fn fewer_live_nodes_than_replicas() {
    let mut trace = ended([200.0, 200.0, 0.0, 200.0], false);
    trace.nodes.iter_mut().skip(3).for_each(|node: &mut Node| node.alive = false);
    golden("two_nodes", &of_traces(&[trace], &context()));
}

#[test]
fn no_node_is_left() {
    let mut trace = ended([200.0, 0.0, 200.0, 0.0], false);
    trace.nodes.iter_mut().for_each(|node: &mut Node| node.alive = false);
    golden("no_nodes", &of_traces(&[trace], &context()));
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
    golden("lost_before", &of_traces(&[trace.clone()], &context()));
    // Without the two it recovers.
    trace.counters[0].value = Some(3.0);
    trace.counters.retain(|counter| counter.counter.at() != 2 || counter.at == Nanos::ZERO);
    trace.counters.last_mut().unwrap().value = Some(3.0);
    golden("only_before", &of_traces(&[trace], &context()));
}

#[test]
fn a_run_that_is_cut_says_how_far_it_came() {
    let mut context = context();
    context.settings.push(("run.until".into(), "700s".into()));
    let mut trace = ended([200.0, 0.0, 0.0, 0.0], false);
    trace.counters.push(count(0, Nanos::secs(680), 70.0));
    trace.run.push(("cut_s".into(), "700".into()));
    golden("cut", &of_traces(&[trace], &context));
}

/// A log's last line is no end of the repair, and no proof that there is none.
#[test]
fn a_log_that_ends_in_mid_repair() {
    let multiplier = "dfs.namenode.replication.work.multiplier.per.iteration";
    let default = Assumption {
        name: multiplier.into(),
        value: "2".into(),
        key: multiplier.into(),
        half: Vec::new(),
        double: Vec::new(),
    };
    let context = Context { logged: true, assumptions: vec![default], ..context() };
    let mut trace = ended([200.0, 0.0, 0.0, 0.0], false);
    trace.counters.push(count(0, Nanos::secs(680), 70.0));
    trace.run.push(("cut_s".into(), "700".into()));
    trace.run.push(("origin".into(), "logged".into()));
    golden("cut_log", &of_traces(&[trace], &context));
}

#[test]
fn a_run_that_ends_before_the_loss_knows_nothing_of_it() {
    let mut context = context();
    context.settings.push(("run.until".into(), "5s".into()));
    context.assumptions = vec![Assumption {
        name: "NIC".into(),
        value: "10Gbit/s".into(),
        key: "hardware.nic".into(),
        half: Vec::new(),
        double: Vec::new(),
    }];
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.run = vec![("end_s".into(), "5".into()), ("cut_s".into(), "5".into())];
    golden("before", &of_traces(&[trace], &context));
}

#[test]
fn some_seeds_do_not_end() {
    let never = ended([70.0, 0.0, 0.0, 0.0], false);
    golden("some_seeds", &of_traces(&[fake::trace(SMALL), never], &context()));
}

#[test]
fn nothing_was_on_the_lost_node() {
    let nothing = fake::trace(Fake { blocks: 0, ..SMALL });
    golden("nothing", &of_traces(&[nothing], &context()));
}

#[test]
fn not_declared_within_the_run() {
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.run = vec![("fault_s".into(), "0".into()), ("end_s".into(), "300".into())];
    trace.run.push(("cut_s".into(), "300".into()));
    trace.counters[0].value = Some(200.0);
    let mut context = context();
    context.settings.push(("run.until".into(), "300s".into()));
    golden("undeclared", &of_traces(&[trace], &context));
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
    golden("back", &of_traces(&[back()], &context()));
    let traces = [fake::trace(SMALL), back(), back()];
    let report = of_traces(&traces, &context());
    golden("back_in_some_seeds", &report);
    let now = &report.1[0];
    let recovery = now.recovery_s.expect("all seeds are safe");
    assert_eq!((recovery.min, now.per_seed_s[1..].to_vec()), (0.0, vec![0.0; 2]));
    assert!(!now.at_risk.median.is_empty(), "the curve is drawn");
}

#[test]
fn logs_that_do_not_hold_the_loss() {
    let context = Context { logged: true, ..context() };
    let mut trace = fake::trace(Fake { blocks: 0, ..SMALL });
    trace.run.push(("origin".into(), "logged".into()));
    let mut inferred = fake::trace(SMALL);
    inferred.run.push(("blocks_inferred".into(), "200".into()));
    assert_eq!(certainty(&of_traces(&[inferred], &context)), "medium");
    let mut set_back = fake::trace(SMALL);
    set_back.run.push(("clock_back_s".into(), "3600".into()));
    assert_eq!(certainty(&of_traces(&[set_back], &context)), "low");
    trace.run.push(("blocks_untold".into(), "208".into()));
    let report = of_traces(&[trace], &context);
    golden("untold", &report);
    assert_eq!((certainty(&report), report.1[0].recovery_s), ("low", None));
    let of = &section(&report.0, "heat").qualifier;
    assert!(!of.contains("each"), "no time passes: {of}");
    assert!(section(&report.0, "risk").empty.is_some(), "the curve's place says why it is empty");
}

/// Nobody knows whether what is not seen to be safe was not, or whether its line cannot be read;
/// but not of more blocks than lines.
#[test]
fn logs_with_lines_that_cannot_be_read() {
    let context = Context { logged: true, ..context() };
    let unread = |mut trace: Trace, lines: &str| {
        trace.run.push(("lines_unread".into(), lines.into()));
        of_traces(&[trace], &context)
    };
    assert_eq!(certainty(&unread(fake::trace(SMALL), "65")), "medium");
    let verdict = |lines: &str| -> String {
        let mut open = ended([200.0, 0.0, 0.0, 0.0], false);
        open.counters.push(count(0, Nanos::secs(680), 70.0));
        open.run.push(("cut_s".into(), "700".into()));
        let report = unread(open, lines);
        assert_eq!((certainty(&report), report.1[0].recovery_s), ("low", None));
        page::plain(&report.0.head.verdict).replace('\u{a0}', " ")
    };
    let (hidden, seen) = (verdict("70"), verdict("1"));
    assert!(hidden.contains("70 of 200 blocks are not seen to be safe again: 70"), "{hidden}");
    assert!(seen.starts_with("At least 69 of 200 blocks are not safe again"), "{seen}");
}

#[test]
fn two_nodes_lost_and_only_a_policy_helps() {
    let mut context = context();
    context.lost.push(lost("dn-07", "/rack1", Fate::Node));
    context.pacing = "event-driven".into();
    let variants = [
        variant("now", &[], 3, SMALL),
        variant("ring", &[("policy.rereplication", "ring")], 3, Fake { multiplier: 3, ..SMALL }),
        variant(
            "8 nodes a rack",
            &[("cluster.nodes_per_rack", "8")],
            3,
            Fake { nodes_per_rack: 8, ..SMALL },
        ),
    ];
    golden("plug_in", &made(&context, &variants, &fake::trace(SMALL)));
}

/// Who, verdict and the line below of each thing that can happen: repaired, not repaired, not
/// noticed, ended before, without a block.
#[test]
fn what_happens_in_words() {
    let node = |n: u32, fate| lost(&format!("dn-{n:02}"), "/rack0", fate);
    let disk = |n: u32| lost(&format!("dn-{n:02} disk 1"), "/rack0", Fate::Disk);
    let rack = |n: u32| lost(&format!("/rack{n}"), &format!("/rack{n}"), Fate::Rack { nodes: 5 });
    let (silent, leaves, rests) = (Fate::Node, Fate::Leaving, Fate::Maintenance);
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
            let (page, rows) = of_traces(std::slice::from_ref(trace), &context);
            let found = text(&page, &rows);
            let verdict = found.split("Held up").next().and_then(|f| f.split("Certainty").next());
            let mut lines = verdict.expect("lines").lines();
            let facts = lines.next().expect("a line of facts");
            if place == 0 || slow {
                let happened = facts.split(" | 10 nodes").next().expect("facts");
                all += &format!(
                    "\n# {} > {happened}\n",
                    page.head.crumbs.join(" > ").replace('\u{a0}', " ")
                );
            }
            let said = lines.filter(|line| !line.ends_with("1 seed"));
            said.for_each(|line| all += &format!("{line}\n"));
        }
    }
    compare("happened", &all);
}

fn certainty(report: &Made) -> &'static str {
    report.0.head.certainty.level.word()
}

#[test]
fn a_large_trace_keeps_the_hottest_and_says_so() {
    let large = Fake { racks: 30, nodes_per_rack: 10, disks: 12, blocks: 9_000, ..SMALL };
    let (page, _) = of_traces(&[fake::trace(large)], &context());
    let fleet = page.fleet.as_ref().expect("a fleet");
    // The 200 hottest, and both ways of all 30 uplinks, used or not.
    let links = fleet.resources.iter().filter(|resource| resource.node.is_none());
    assert_eq!(links.count(), 60);
    assert!((200..=260).contains(&fleet.resources.len()));
    assert_eq!(fleet.usage.len(), fleet.resources.len());
    assert_eq!(fleet.envelopes.len(), 60);
    assert_eq!(fleet.tags.len(), 1);
    assert!(fleet.tags[0].contains("200 hottest of 4"));
    let Body::Heat(heat) = &section(&page, "heat").body else { panic!("a heat map") };
    let rows: usize = heat.groups.iter().map(|group| group.rows.len()).sum();
    assert_eq!(rows, 60);
    for row in &heat.groups[2].rows {
        let place = fleet.resources.iter().position(|resource| resource.name == row.name);
        let curve = &fleet.usage[place.expect("the hottest are kept")];
        let highest = curve.iter().max().copied().unwrap_or(0);
        assert_eq!(row.peak, f64::from(highest) / 100.0, "{}: one peak everywhere", row.name);
    }
}
