//! `tenbin import node-curves`, as it is called.
use crate::made::{Made, ZERO, folder};
use mapreduce::curves::NodeCurves;
use mapreduce::import::Histories;
use std::fs;
use std::io::Write;
use std::path::Path;
use system::{Action, Failure};

/// Runs an import with these words.
fn act(action: &dyn Action, words: &[&str]) -> Result<(), Failure> {
    let words = std::iter::once(action.name()).chain(words.iter().copied());
    action.run(&action.command().get_matches_from(words))
}

/// An imported job of one map on 10.0.0.1.
fn run(dir: &Path) -> String {
    let made = Made::job(41, 1, 0)
        .task("m_000000", 3.0)
        .starts("m_000000_0", "10.0.0.1", 5.0, "")
        .ends("m_000000_0", "FINISHED", 65.0, "")
        .over("m_000000", "SUCCEEDED", 65.0)
        .done("SUCCEEDED", 66.0);
    let (file, run) = (dir.join("job.jhist"), dir.join("run"));
    fs::write(&file, made.text()).unwrap();
    let run = run.to_string_lossy().into_owned();
    act(&Histories, &[&file.to_string_lossy(), "-o", &run]).unwrap_or_else(|e| panic!("{e:?}"));
    run
}

/// Lines of tenbin monitor of this host, a second each.
fn lines(host: &str, from: i64) -> String {
    let line = |second: i64| {
        let at = ZERO + 1000 * (from + second + 1);
        format!(
            "{{\"node\": \"{host}\", \"unix_ms\": {at}, \"interval_ms\": 1000, \
             \"cpu_busy\": 0.95, \"memory_used\": 0.5}}\n"
        )
    };
    (0..60).map(line).collect()
}

fn said(result: Result<(), Failure>) -> String {
    format!("{:?}", result.unwrap_err())
}

/// Repeated imports must not count curves twice.
#[test]
fn curves_that_are_imported_again_replace_those_of_before() {
    let dir = folder("node-curves-again");
    let run = run(&dir);
    let file = |name: &str, text: &str| {
        fs::write(dir.join(name), text).unwrap();
        dir.join(name).to_string_lossy().into_owned()
    };
    let read = || {
        let trace = trace::tables::read(&dir.join("run/trace")).unwrap();
        (trace.series, trace.sources)
    };
    let import = |file: &str| {
        act(&NodeCurves, &[file, "--into", &run]).unwrap_or_else(|e| panic!("{e:?}"));
        read()
    };
    let first = file("first.json", &lines("10.0.0.1", 3));
    let (once, sources) = import(&first);
    assert_eq!(once.len(), 120, "CPU and memory, a second each");
    assert_eq!(import(&first), (once.clone(), sources));
    // Another file, of which one half is of the same seconds.
    let other = lines("10.0.0.1", 33).replace("0.95", "0.25");
    let (both, _) = import(&file("other.json", &other));
    assert!(both.len() > once.len() && both.len() < 2 * once.len(), "{}", both.len());
    let times = |series: &[trace::Sample]| {
        let mut all: Vec<_> = series.iter().map(|sample| (sample.resource, sample.at)).collect();
        all.sort();
        all.dedup();
        all.len()
    };
    assert_eq!(times(&both), both.len(), "one of each resource and time");
    assert!(both.iter().any(|sample| sample.busy.get() == Some(0.25)));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn curves_renew_the_page_and_what_does_not_fit_is_said() {
    let dir = folder("node-curves");
    let run = run(&dir);
    let report = || fs::read_to_string(dir.join("run/report.json")).unwrap();
    assert!(!report().contains("\"memory\""));
    let write = |name: &str, text: &str| {
        let file = fs::File::create(dir.join(name)).unwrap();
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap();
        dir.join(name).to_string_lossy().into_owned()
    };
    // Another address that begins alike, and another day.
    let other = write("other.gz", &lines("10.0.0.2", 3));
    let why = said(act(&NodeCurves, &[&other, "--into", &run]));
    assert!(
        why.contains("host \\\"10.0.0.2\\\" is not a node of the run (10.0.0.1:8042)"),
        "{why}"
    );
    let late = write("late.gz", &lines("10.0.0.1", 86_400));
    let why = said(act(&NodeCurves, &[&late, "--into", &run]));
    assert!(why.contains("samples are of 2023-11-15 22:13"), "{why}");
    assert!(why.contains("the run of 2023-11-14 22:13:20 UTC"), "{why}");
    let why = said(act(&NodeCurves, &[&other, "--into", &run, "--host", "other.gz=n9"]));
    assert!(why.contains("n9 is not a node of the run"), "{why}");
    let named = ["--host", "other.gz=10.0.0.1"];
    act(&NodeCurves, &[&other, "--into", &run, named[0], named[1]])
        .unwrap_or_else(|e| panic!("{e:?}"));
    assert!(report().contains("\"memory\""), "the page is rewritten");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn one_machines_curves_serve_several_nodes() {
    let dir = folder("node-curves-several");
    let mut made = Made::job(42, 3, 0);
    for (at, node) in ["w1", "w2", "w3"].into_iter().enumerate() {
        made = made.ran(&format!("m_{at:06}"), node, (5.0, 65.0), 0.0, &[])
    }
    fs::write(dir.join("job.jhist"), made.done("SUCCEEDED", 66.0).text()).unwrap();
    let path = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let run = path("run");
    act(&Histories, &[&path("job.jhist"), "-o", &run]).unwrap_or_else(|e| panic!("{e:?}"));
    fs::create_dir_all(dir.join("a")).unwrap();
    fs::create_dir_all(dir.join("b")).unwrap();
    fs::write(dir.join("a/one.json"), lines("box", 3)).unwrap();
    fs::write(dir.join("b/one.json"), lines("box", 3)).unwrap();
    let (one, other) = (path("a/one.json"), path("b/one.json"));
    let import = |file: &[&str], hosts: &[&str]| {
        let hosts = hosts.iter().flat_map(|host| ["--host", host]);
        let words: Vec<&str> = file.iter().copied().chain(["--into", &run]).chain(hosts).collect();
        act(&NodeCurves, &words)
    };
    let samples = || trace::tables::read(&dir.join("run/trace")).unwrap().series.len();
    import(&[&one], &["one.json=w1,w2"]).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(samples(), 2 * 120, "CPU and memory of two nodes");
    import(&[&one], &["one=w1", "one=w3"]).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(samples(), 3 * 120);
    let why = said(import(&[&one, &other], &["one.json=w1"]));
    assert!(why.contains("have this name: give a path"), "{why}");
    import(&[&one, &other], &[&format!("{other}=w1")]).unwrap_or_else(|e| panic!("{e:?}"));
    let why = said(import(&[&one], &["one.json=w1,w9"]));
    assert!(why.contains("w9 is not a node of the run"), "{why}");
    fs::remove_dir_all(dir).unwrap();
}
