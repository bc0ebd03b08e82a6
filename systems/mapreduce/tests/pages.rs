//! What pages show of jobs.
use crate::made::{Made, folder};
use engine::Scheduler;
use mapreduce::MAPREDUCE;
use mapreduce::import::{find_files, import};
use mapreduce::why::Explanation;
use page::{Body, Cell, Page, Section};
use std::fs;
use std::path::Path;
use system::lab::Lab;
use system::{RunOptions, TaskFilter};
use trace::Trace;

/// Twelve maps on three nodes, all of the same bytes; n2 is half as fast.
fn slow_node(number: u32) -> Made {
    let bytes = r#", "counters": {"name": "C", "groups": [{"name": "F", "counts":
        [{"name": "HDFS_BYTES_READ", "value": 10000000}]}]}"#
        .replace('\n', " ");
    let mut made = Made::job(number, 12, 0);
    for map in 0..12 {
        let task = format!("m_{map:06}");
        let (attempt, node) = (format!("{task}_0"), format!("n{}", map % 3));
        let end = if map % 3 == 2 { 45.0 } else { 25.0 };
        made = made
            .task(&task, 3.0)
            .starts(&attempt, &node, 5.0, "")
            .ends(&attempt, "FINISHED", end, &bytes)
            .over(&task, "SUCCEEDED", end)
    }
    made.done("SUCCEEDED", 46.0)
}

fn imported(name: &str, jobs: &[Made]) -> Trace {
    let dir = folder(name);
    for (at, job) in jobs.iter().enumerate() {
        fs::write(dir.join(format!("{at}.jhist")), job.text()).unwrap()
    }
    let folder = find_files(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let trace = import(&folder.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace;
    fs::remove_dir_all(dir).unwrap();
    trace
}

fn section<'p>(sections: &'p [Section], id: &str) -> &'p Section {
    sections.iter().find(|section| section.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn page(trace: &Trace) -> Page {
    mapreduce::words::page(trace, &Explanation::of(trace))
}

#[test]
fn every_job_of_many_has_its_verdict_and_the_list_names_each_cause() {
    let trace = imported("many", &[slow_node(31), slow_node(32)]);
    let page = page(&trace);
    for id in ["job_1700000000000_0031", "job_1700000000000_0032"] {
        let path = format!("job/{id}");
        let below = page.drill.iter().find(|below| below.path == path).expect("a page");
        let Body::Table(verdicts) = &section(&below.sections, "verdict").body else { panic!() };
        assert!(!verdicts.rows.is_empty());
    }
    let assumed: Vec<&str> = page.head.assumed.rows.iter().map(|row| row.key.as_str()).collect();
    assert_eq!(assumed, ["hardware.disk", "hardware.nic"], "floors of the jobs stand on these");
    let Body::Table(all) = &section(&page.sections, "table").body else { panic!() };
    let heads: Vec<&str> = all.columns.iter().map(|column| column.head.as_str()).collect();
    assert_eq!(heads[heads.len() - 2..], ["held up by", "do"]);
    for row in &all.rows {
        let [.., Cell::Text { text, .. }, Cell::Text { text: act, .. }] = &row.cells[..] else {
            panic!()
        };
        assert!(page::plain(text).contains("at most"), "{text:?}");
        assert!(!page::plain(act).is_empty());
    }
}

#[test]
fn a_slow_node_stands_first_among_the_nodes() {
    let page = page(&imported("slow", &[slow_node(33)]));
    let Body::Table(nodes) = &section(&page.sections, "by-node").body else { panic!() };
    let first = &nodes.rows[0].cells;
    let Cell::Text { text, .. } = &first[0] else { panic!() };
    assert_eq!(page::plain(text), "n2:8042");
    let value = |cell: &Cell| match cell {
        Cell::Number { value, .. } => *value,
        other => panic!("{other:?}"),
    };
    assert_eq!([4, 5, 6, 7].map(|at| value(&first[at])), [40.0, 2.0, 4.0, 2.0]);
    assert!(
        nodes.rows[0]
            .open
            .as_ref()
            .is_some_and(|open| { page.drill.iter().any(|below| below.path == *open) })
    );
}

#[test]
fn a_job_of_many_tasks_has_the_distribution_of_their_times() {
    let page = page(&imported("times", &[slow_node(34)]));
    let Body::Latency(times) = &section(&page.sections, "times").body else { panic!() };
    assert_eq!((times.series[0].count, times.series[0].p50), (12, Some(20.0)));
}

#[test]
fn fetches_of_map_outputs_are_a_distribution() {
    let dir = folder("fetches");
    fs::write(dir.join("job.jhist"), slow_node(35).text()).unwrap();
    let mut log = String::from("2023-11-14 22:14:00,000 INFO [main] nothing\n");
    for map in 0..12 {
        let attempt = format!("attempt_1700000000000_0035_m_{map:06}_0");
        let of = "org.apache.hadoop.mapreduce.task.reduce";
        log.push_str(&format!(
            "2023-11-14 22:14:{map:02},100 INFO [fetcher#1] {of}.Fetcher: fetcher#1 about to \
             shuffle output of map {attempt} decomp: 66 len: 70 to MEMORY\n\
             2023-11-14 22:14:{map:02},{} INFO [fetcher#1] {of}.InMemoryMapOutput: Read 66 bytes \
             from map-output for {attempt}\n",
            150 + map
        ))
    }
    let logs = dir.join("container_1/");
    fs::create_dir_all(&logs).unwrap();
    fs::write(logs.join("syslog.shuffle"), log).unwrap();
    let listed = find_files(&[dir.join("job.jhist")]).unwrap_or_else(|e| panic!("{e:?}"));
    let mut imported = import(&listed.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let none = imported.fetches(&[dir.join("job.jhist")]).unwrap_err();
    assert!(format!("{none:?}").contains("syslog.shuffle"), "{none:?}");
    imported.fetches(std::slice::from_ref(&logs)).unwrap_or_else(|e| panic!("{e:?}"));
    let page = page(&imported.trace);
    let Body::Latency(fetches) = &section(&page.sections, "fetches").body else { panic!() };
    assert_eq!((fetches.series[0].count, fetches.series[0].p50), (12, Some(0.055)));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn why_of_a_simulated_run_says_what_its_model_knows() {
    let text = "[model]\nsystem = \"mapreduce\"\n[cluster]\nnodes = 4\n[workload]\njobs = 2\n\
        input_bytes = \"1GB\"\nmaps = 8\nreduces = 4\n";
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    let sheet = lab.read_text(text, Path::new("plain.toml"), &[]).unwrap();
    let how = RunOptions { keep_trace: true, ..RunOptions::by(Scheduler::Sequential) };
    let done = lab.run_once(&sheet, 1, how).unwrap().expect("not interrupted");
    let jobs = MAPREDUCE.jobs.expect("its runs are of jobs");
    let only = TaskFilter { job: None, task: None };
    let text = (jobs.text)(&done.trace, &only).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(text.starts_with("Mean job time: "), "{text}");
    assert!(!text.contains("nothing logged"), "{text}");
    let first = &done.reading.held[0];
    assert!(text.contains(&format!("held up by {}: ", first.holder)), "{text}");
    let json = (jobs.json)(&done.trace, &only).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(json["held"][0]["holder"], first.holder.as_str());
    assert_eq!(json["jobs"].as_array().unwrap().len(), 2);
}
