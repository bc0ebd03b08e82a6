//! `tenbin import mapreduce … --rm-log`: what rules of the plug-in withheld from nodes.
use crate::made::{Made, folder};
use mapreduce::import::{Histories, find_files, import};
use mapreduce::why::{Explanation, JobExplanation};
use page::{BarStyle, Body};
use std::fs;
use std::path::{Path, PathBuf};
use system::{Action, Failure};

/// Four maps on four nodes, and four more that get no container for 25 s.
fn waits(number: u32) -> Made {
    let mut made = Made::job(number, 8, 0);
    for map in 0..8 {
        let (from, to) = if map < 4 { (5.0, 15.0) } else { (40.0, 50.0) };
        made = made.ran(&format!("m_{map:06}"), &format!("n{}", map % 4), (from, to), 0.0, &[])
    }
    made.done("SUCCEEDED", 51.0)
}

/// A line `at` seconds after the submission, 2023-11-14 22:13:20 UTC, by a clock of +01:00.
fn line(at: u32, says: &str) -> String {
    let at = 13 * 60 + 20 + at;
    format!("2023-11-14 23:{:02}:{:02},000 INFO {says}\n", at / 60, at % 60)
}

fn crossed(at: u32, rule: &str, node: &str, above: bool) -> String {
    let figures = if above { "0.6250" } else { "0.3125" };
    let says = format!("rule={rule} node={node} withholds={above} figure={figures}");
    line(at, &format!("tenbin.yarn: tenbin: {says} threshold=0.4000"))
}

fn settings(at: u32) -> String {
    let says = "withholds above {disk-rate=0.4}, from a job for 40.0 s at most";
    line(at, &format!("tenbin.yarn: tenbin: {says}"))
}

/// Hadoop's own, by which the clock is known.
fn summary(at: u32) -> String {
    let finish = 1_700_000_000_000 + 1000 * u64::from(at) - 120;
    let says = format!("appId=application_1_0001,name=x,startTime=1,finishTime={finish},m=1");
    line(at, &format!("resourcemanager.RMAppManager$ApplicationSummary: {says}"))
}

/// Three of four nodes are above from 14 s, one of them to 24 s and again from 30 s.
fn log() -> String {
    let crossings = [
        (14, "n0", true),
        (14, "n1.lab", true),
        (15, "N2", true),
        (24, "N2", false),
        (30, "N2", true),
        (38, "n0", false),
        (38, "n1.lab", false),
        (39, "N2", false),
    ];
    let lines =
        crossings.map(|(at, node, is)| crossed(at, "disk-rate", &format!("{node}:45454"), is));
    settings(4) + &lines.concat() + &crossed(20, "receive-rate", "n3:45454", true) + &summary(52)
}

fn act(words: &[&str]) -> Result<(), Failure> {
    let words = std::iter::once("mapreduce").chain(words.iter().copied());
    Histories.run(&Histories.command().get_matches_from(words))
}

/// A folder with a history and a log.
fn place(name: &str, made: &Made, log: &str) -> (PathBuf, [String; 3]) {
    let dir = folder(name);
    let path = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let all = [path("job.jhist"), path("hadoop-yarn-resourcemanager-m1.log"), path("run")];
    fs::write(&all[0], made.text()).unwrap();
    fs::write(&all[1], log).unwrap();
    (dir, all)
}

fn read(run: &str) -> (trace::Trace, JobExplanation) {
    let trace = trace::tables::read(&Path::new(run).join("trace")).unwrap();
    let why = Explanation::of(&trace).jobs.remove(0);
    (trace, why)
}

#[test]
fn what_was_withheld_is_in_the_run_by_rule_and_node() {
    let (dir, [history, _, run]) = place("rules", &waits(51), &log());
    // A folder of logs.
    act(&[&history, "--rm-log", &dir.to_string_lossy(), "-o", &run])
        .unwrap_or_else(|e| panic!("{e:?}"));
    let (trace, why) = read(&run);
    assert!(trace.problems.is_empty(), "{:?}", trace.problems);
    let row = |node: &str| {
        let one = why.withheld.iter().find(|one| one.node == node && one.rule == "disk-rate");
        let one = one.unwrap_or_else(|| panic!("{node}: {:?}", why.withheld));
        (one.times, one.seconds, one.waiting_s, one.setting.1.as_str())
    };
    // Maps waited from 3 s to 40 s.
    assert_eq!(row("n0:8042"), (1, 24.0, 24.0, "40 %"));
    assert_eq!(row("n1:8042"), (1, 24.0, 24.0, "40 %"));
    assert_eq!(row("n2:8042"), (2, 18.0, 18.0, "40 %"));
    let reception = why.withheld.iter().find(|one| one.rule == "receive-rate").unwrap();
    // It never came below it: until the job's end, which the log is longer than.
    assert_eq!((reception.node.as_str(), reception.seconds), ("n3:8042", 31.0));
    assert_eq!(trace.nodes.len(), 4, "no node of a log alone: {:?}", trace.nodes);
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_wait_while_many_nodes_are_withheld_from_has_that_as_evidence() {
    let (dir, [history, log, run]) = place("rules-why", &waits(52), &log());
    act(&[&history, "--rm-log", &log, "-o", &run]).unwrap_or_else(|e| panic!("{e:?}"));
    let (_, why) = read(&run);
    let wait = why.verdicts.iter().find(|v| v.cause == "container wait").expect("it waits");
    let says: Vec<_> = wait.evidence.iter().map(|e| e.says.as_str()).collect();
    // Of 3 s to 5 s and 15 s to 40 s; from 38 s on one of four is not much.
    assert_eq!(
        says.first(),
        Some(
            &"23.0 s of 27.0 s of waiting for containers fell into times in which disk-rate \
              withheld from 2 to 3 of 4 nodes known to the log"
        ),
        "{says:?}"
    );
    let text = mapreduce::why::text(&Explanation { jobs: vec![why] }, 1);
    assert!(
        text.contains(
            "Withheld: disk-rate from n0:8042, 1 time, 24.0 s; tasks waited in 24.0 s of it\n"
        ),
        "{text}"
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn the_page_has_a_table_and_a_line_in_each_nodes_tasks() {
    let (dir, [history, log, run]) = place("rules-page", &waits(53), &log());
    act(&[&history, "--rm-log", &log, "-o", &run]).unwrap_or_else(|e| panic!("{e:?}"));
    let (trace, why) = read(&run);
    let page = mapreduce::words::page(&trace, &Explanation { jobs: vec![why] });
    let section = |id: &str| page.sections.iter().find(|s| s.id == id).expect(id);
    let Body::Table(table) = &section("withheld").body else { panic!() };
    assert_eq!(table.rows.len(), 4);
    assert!(section("withheld").qualifier.contains("disk-rate=0.4"));
    let Body::Gantt(gantt) = &section("tasks").body else { panic!() };
    let node = gantt.groups.iter().find(|group| group.title == "n2:8042").unwrap();
    let first = &node.rows[0];
    let bars: Vec<_> = first.bars.iter().map(|bar| (bar.from, bar.to)).collect();
    assert_eq!((first.name.as_str(), bars), ("disk-rate", vec![(15.0, 24.0), (30.0, 39.0)]));
    assert!(first.bars.iter().all(|bar| bar.style == BarStyle::Held));
    assert_eq!(first.bars[0].label, "tenbin.disk-rate.threshold");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn new_settings_say_anew_whom_rules_withhold_from() {
    let log = crossed(14, "disk-rate", "n0:1", true)
        + &line(20, "tenbin.yarn: tenbin: no rule is on")
        + &summary(52)
        // A rule that was above before the log began, and a node that ran nothing.
        + &crossed(16, "receive-rate", "n9:1", false);
    let (dir, [history, log, run]) = place("rules-settings", &waits(54), &log);
    act(&[&history, "--rm-log", &log, "-o", &run]).unwrap_or_else(|e| panic!("{e:?}"));
    let (trace, why) = read(&run);
    let seen: Vec<_> =
        why.withheld.iter().map(|one| (one.node.as_str(), one.spans.as_slice())).collect();
    assert_eq!(seen, [("n0:8042", &[(14.0, 20.0)][..]), ("n9:1", &[(14.0, 16.0)][..])]);
    assert_eq!(trace.about("tenbin_rules"), Some("no rule is on"));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn logs_of_other_times_without_rules_and_cut_lines_are_said() {
    let said = |name: &str, text: &str, more: &[&str]| {
        let (dir, [history, log, run]) = place(name, &waits(55), text);
        let words: Vec<&str> = [history.as_str(), "--rm-log", &log, "-o", &run]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        let done = act(&words).map(|()| read(&run).0);
        fs::remove_dir_all(dir).unwrap();
        done
    };
    let wrong = |done: Result<trace::Trace, Failure>| format!("{:?}", done.err());
    let text = wrong(said("rules-none", &line(1, "a.b: nothing"), &[]));
    assert!(text.contains("no line of Tenbin's plug-in") && text.contains("BadInput"), "{text}");
    // Without a summary the clock is taken as UTC: an hour late.
    let alone = crossed(14, "disk-rate", "n0:1", true);
    let text = wrong(said("rules-late", &alone, &[]));
    assert!(text.contains("--utc-offset") && text.contains("23:13:34"), "{text}");
    let trace = said("rules-told", &alone, &["--utc-offset", "+01:00"]).expect("it fits");
    assert!(trace.problems.is_empty());
    let cut = settings(4) + &alone[..90] + "\n" + &summary(52);
    let trace = said("rules-cut", &cut, &[]).expect("the rest is read");
    let problems: Vec<_> = trace.problems.iter().map(|p| (p.line, p.times)).collect();
    assert_eq!(problems, [(Some(2), 1)], "{:?}", trace.problems);
    let text = wrong(said("rules-offset", &alone, &["--utc-offset", "CET"]));
    assert!(text.contains("not an offset"), "{text}");
}

/// As a real ResourceManager wrote it beside jobs that ran on it: two NodeManagers of one host, one
/// of them always hot (`hadoop/`, `CapacityClusterTest`).
#[test]
fn a_real_log_is_joined_to_the_real_histories_of_its_jobs() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let listed = find_files(std::slice::from_ref(&data)).unwrap_or_else(|e| panic!("{e:?}"));
    let mut all = import(&listed.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    all.rules(&[data.join("rm-log.txt")], None).unwrap_or_else(|e| panic!("{e:?}"));
    let why = Explanation::of(&all.trace);
    let seen = |job: usize| {
        let all = why.jobs[job].withheld.iter();
        all.map(|one| (one.rule.as_str(), one.node.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(all.trace.nodes.len(), 2, "{:?}", all.trace.nodes);
    let hot = "localhost:40627";
    assert_eq!(seen(0), [("disk-rate", hot)]);
    assert_eq!(seen(1), [("disk-rate", hot), ("receive-rate", hot)]);
    // No map of the first job ran there, and one waited for a container meanwhile.
    let job = &why.jobs[0];
    let there = |a: &&mapreduce::why::Attempt| a.node == Some(job.withheld[0].at);
    assert!(job.job.attempts().filter(there).all(|a| a.kind == "REDUCE"));
    let text = mapreduce::why::text(&why, 1);
    assert!(text.contains("disk-rate withheld from 1 of 2 nodes known to the log"), "{text}");
}
