//! A finished job from its logs: critical path, task time, bounds, tasks, stragglers.
use super::{every, wander};
use page::words::{NONE, num};
use page::*;

const END: f64 = 58.1;

fn head() -> Head {
    let verdict = say("The maps took 25–30 s each, and the counters leave ")
        .number("95 %")
        .say(" of task time unexplained.");
    let row = |name: &str, value: &str, key: &str, half, now, double| AssumedRow {
        name: name.into(),
        value: value.into(),
        key: key.into(),
        half: Some(half),
        now,
        double: Some(double),
    };
    let certainty = Certainty::medium("two independent clues, no logged duration.");
    Head::new(["mini", "finished jobs", "job_1795197530166_0002"], verdict, certainty)
        .fact(strong("TeraSort").say(" succeeded in 58.1 s"))
        .fact("8 maps, 4 reduces")
        .fact("2 nodes")
        .fact("queue root.default")
        .fact("0 failed, 0 killed")
        .fact("8/8 maps local")
        .subline(
            "Neither disk nor network: a map reads 2.5 MB and writes 2.9 MB: 0.04 s at the assumed \
             rate.",
        )
        .held_up(
            Kind::Unexplained,
            strong("Unexplained.")
                .say(" Two clues point to ")
                .strong("CPU starvation or slow JVM start")
                .say(":"),
        )
        .clue("97 % of map time passed before the first 1/12 of progress", Some("clockSplits"))
        .clue(
            "m_000001: GC took 1 027 ms, yet the whole process got 710 ms of CPU",
            Some("counters"),
        )
        .doing(
            "To be sure, add the daemon logs: they split a container’s start into its steps.",
            "",
            Some("tenbin import yarn-log rm.log nm.log --into run/"),
        )
        .assumed(
            "%",
            say("Least time for the counted bytes, % of task time. ")
                .strong("Same verdict at half and double.")
                .say(" Start from ")
                .code("[hardware]")
                .say(" to change it."),
            vec![
                row("Disk", "150 MB/s", "hardware.disk", 0.005, 0.003, 0.002),
                row("NIC", "10 Gbit/s", "hardware.nic", 0.0001, 0.0001, 0.0001),
            ],
        )
        .tag("Sample: real job, invented node curves")
}

fn time() -> Axis {
    Axis::time(0.0, END)
}

fn path() -> Section {
    let step = |from, to, kind, name: &str, note: &str, ticks: &[f64]| Step {
        from,
        to,
        kind,
        name: name.into(),
        note: note.into(),
        ticks: ticks.into(),
        open: None,
    };
    let unexplained = Some(Kind::Unexplained);
    let note = "48 %, of it 0.6 s CPU and 0.6 s GC; the rest unexplained";
    let steps = vec![
        step(0.0, 11.8, Some(Kind::Wait), "AM start", "20 %", &[]),
        step(11.8, 18.2, Some(Kind::Wait), "container wait", "11 %", &[]),
        step(18.2, 45.9, unexplained, "m_000007", note, &[45.6]),
        step(45.9, 47.2, Some(Kind::Wait), "wait", "2 %", &[]),
        step(47.2, END, unexplained, "r_000000", "19 %, shuffle 9.9 s", &[57.1, 57.3]),
    ];
    let qualifier = "58.1 s from submit to finish; each step waits for the one before";
    Section::new("path", "Critical path", qualifier, Body::Path(Path { x: time(), steps }))
}

fn task_time() -> Section {
    let mut gc = Share::new(Kind::Cpu, "GC", 5.6).source("GC_TIME_MILLIS");
    gc.overlaps = true;
    gc.label = "overlaps CPU: unexplained is 95 to 97 %".into();
    let mut rest =
        Share::new(Kind::Unexplained, "Unexplained", 252.8).source("time without a counter");
    rest.known = vec![(Kind::Disk, 0.003)];
    rest.label = "at least 0.7 s, 0.3 % disk and network".into();
    let cpu = Share::new(Kind::Cpu, "CPU", 7.6).source("CPU_MILLISECONDS");
    let shares = Shares::of_whole("s", "time", vec![cpu, gc, rest]);
    Section::new("time", "Task time", "266 s over 12 attempts", Body::Shares(shares))
        .width(Width::Half)
}

fn removed() -> Section {
    let rows = vec![
        Share::at_most(Kind::Wait, "AM start", -0.20).source("logged"),
        Share::at_most(Kind::Wait, "Container wait", -0.11).source("logged"),
        Share::at_most(Kind::Disk, "Disk + network", -0.01).source("least time"),
        Share::between("Unexplained", 0.0, -0.66).source("no evidence"),
    ];
    let shares = Shares::bounds("interval", rows);
    let qualifier = "the job’s 58.1 s would shrink by";
    Section::new("removed", "If removed", qualifier, Body::Shares(shares)).width(Width::Half)
}

/// Name, start of the wait, start, end, ends of phases, CPU and GC \[s\].
type Task = (&'static str, f64, f64, f64, &'static [f64], f64, f64);

const FIRST: [Task; 6] = [
    ("m_000000", 11.8, 14.3, 43.3, &[42.0], 0.68, 0.51),
    ("m_000002", 11.8, 14.4, 44.1, &[42.8], 0.67, 0.40),
    ("m_000004", 11.8, 14.8, 44.3, &[43.0], 0.66, 0.52),
    ("m_000006", 11.8, 15.9, 44.4, &[43.6], 0.65, 0.40),
    ("r_000000", 11.8, 47.2, 58.1, &[57.1, 57.3], 0.55, 0.18),
    ("r_000002", 11.8, 48.2, 56.7, &[55.1, 55.4], 0.57, 0.11),
];
const SECOND: [Task; 6] = [
    ("m_000001", 11.8, 14.2, 39.1, &[37.5], 0.71, 1.03),
    ("m_000003", 11.8, 15.0, 44.2, &[42.9], 0.73, 0.55),
    ("m_000005", 11.8, 16.0, 44.1, &[42.8], 0.63, 0.47),
    ("m_000007", 11.8, 18.2, 45.9, &[45.6], 0.58, 0.65),
    ("r_000001", 11.8, 47.2, 57.7, &[56.1, 56.4], 0.55, 0.42),
    ("r_000003", 11.8, 48.2, 57.8, &[56.0, 56.3], 0.54, 0.10),
];

fn row(&(name, wait, from, to, ticks, cpu, gc): &Task) -> GanttRow {
    let map = name.starts_with('m');
    let reason = "mapreduce.job.reduce.slowstart.completedmaps = 0.3";
    let held = Bar::new(BarStyle::Held, wait, 44.1);
    let before = match (map, name) {
        (true, _) => vec![Bar::new(BarStyle::Wait, wait, from)],
        (_, "r_000000") => vec![held.label(reason), Bar::new(BarStyle::Wait, 44.1, from)],
        _ => vec![held, Bar::new(BarStyle::Wait, 44.1, from)],
    };
    let mut runs = Bar::new(BarStyle::Runs, from, to);
    runs.ticks = ticks.into();
    let late = if map { to - 1.3 } else { from + 6.0 };
    runs.progress = vec![(from, 0.0), (late, 0.05), (to, 1.0)];
    if name == "m_000000" {
        runs.label = "28.1 s before the first 1/12 of progress".into();
    }
    let values =
        [num(to - from, 1), num(cpu, 2), num(gc, 2), if map { "yes" } else { NONE }.to_string()];
    let mut row = GanttRow::new(name, before, values.into());
    row.bars.push(runs);
    row.critical = ["m_000007", "r_000000"].contains(&name);
    row.strong = if gc > cpu { vec![0, 2] } else { vec![0] };
    row.open = Some("node/nm-36727".into());
    row
}

fn tasks() -> Section {
    let group = |title: &str, note: &str, tasks: &[Task]| GanttGroup {
        title: title.into(),
        note: note.into(),
        rows: tasks.iter().map(row).collect(),
    };
    let mut second = group("nm:36727", "4 maps, 2 reduces, the AM", &SECOND);
    let start = Bar::new(BarStyle::Solid, 3.2, 11.6).kind(Kind::Wait);
    let before = Bar::new(BarStyle::Wait, 0.0, 3.2);
    second.rows.insert(0, GanttRow::new("AM", vec![before, start], vec![]));
    let legend = |style, kind, name: &str| Legend { style, kind, name: name.into() };
    let gantt = Gantt {
        x: time(),
        groups: vec![group("nm:33879", "4 maps, 2 reduces", &FIRST), second],
        columns: ["took, s", "CPU, s", "GC, s", "local"]
            .map(|head| GanttColumn { head: head.into() })
            .into(),
        overview: "running".into(),
        moments: vec![
            Moment::at(11.6, "AM ready 11.6 s"),
            Moment::of(44.1, "slow-start met 44.1 s", Kind::Setting),
            Moment::at(45.9, "last map 45.9 s"),
        ],
        legend: vec![
            legend(Some(BarStyle::Wait), None, "waits for a container"),
            legend(Some(BarStyle::Held), None, "held back by slow-start"),
            legend(None, None, "map, shuffle, sort ends"),
        ],
    };
    let qualifier = "one line each, by node; filled height is progress";
    Section::new("tasks", "Tasks", qualifier, Body::Gantt(gantt)).note(
        "Heavy outline: on the critical path. Bold GC: longer than all CPU time of the process.",
    )
}

fn stragglers() -> Section {
    let row = |name: &str, tasks: Vec<f64>, median: f64, label: &str| BalanceRow {
        name: name.into(),
        loads: tasks.iter().map(|took| Some(took / median)).collect(),
        value: "none marked".into(),
        label: label.into(),
    };
    let took = |letter: char| -> Vec<f64> {
        let of = |task: &&Task| task.0.starts_with(letter);
        FIRST.iter().chain(&SECOND).filter(of).map(|task| task.3 - task.2).collect()
    };
    let panel = BalancePanel {
        title: String::new(),
        centre: "median".into(),
        at: None,
        unit: "s".into(),
        head: String::new(),
        limit: Some(3.0),
        rows: vec![
            row("8 maps", took('m'), 28.8, "m_000002, the slowest: 1.03× the median of 28.8 s"),
            row("4 reduces", took('r'), 10.0, "r_000000, the slowest: 1.09× the median of 10.0 s"),
        ],
    };
    let balance = Balance { panels: vec![panel], ..Balance::default() };
    let qualifier = "a task over 3× the median of its kind is marked";
    Section::new("stragglers", "Stragglers", qualifier, Body::Balance(balance))
}

fn node() -> Below {
    let panel = |name: &str, of: &str, kind, unit: &str, top: f64, seed, reading: &str| Panel {
        name: name.into(),
        of: of.into(),
        unit: unit.into(),
        capacity: Some(Capacity { at: top, name: String::new() }),
        reading: reading.into(),
        lines: vec![Line::of(kind, every(0.5, wander(seed, 117).into_iter().map(|v| v * top)))],
        reason: String::new(),
    };
    let panels = vec![
        panel("CPU", "of 2 cores, %", Kind::Cpu, "%", 1.0, 4, "full from 15.5 to 44 s"),
        panel("Run queue", "threads waiting", Kind::Cpu, "", 20.0, 9, "up to 7 threads a core"),
        panel("Disk", "busy, %", Kind::Disk, "%", 1.0, 15, "never above 98 %"),
        panel("NIC", "in + out", Kind::Network, "B/s", 1.25e9, 21, "of 1.25 GB/s assumed"),
    ];
    let curves = Curves { x: time(), panels, moments: vec![] };
    let group = |title: &str| GanttGroup {
        title: title.into(),
        note: String::new(),
        rows: SECOND.iter().map(row).collect(),
    };
    let gantt = Gantt { x: time(), groups: vec![group("nm:36727")], ..Gantt::default() };
    let sentence = say("nm:36727 was full for ").number("28.5 s");
    let mut below = Below::new("node/nm-36727", "nm:36727", sentence);
    below.link = Some("nm:36727".into());
    below.facts = vec![say("2 cores").done(), say("4 maps, 2 reduces, the AM").done()];
    below
        .with(Section::new("tasks", "Tasks", "of this node", Body::Gantt(gantt)))
        .with(
            Section::new("resources", "Resources", "each 0.5 s", Body::Curves(curves))
                .tag("Invented curves: this job came without node curves"),
        )
        .with(
            Section::new("disks", "Disks", "", Body::Heat(Heat::default()))
                .empty("No curves of single disks given.", "Add --curves."),
        )
}

pub fn page() -> Page {
    let foot = Foot::new("tenbin explain run/job_1795197530166_0002")
        .from("Sources", "1 .jhist, conf")
        .from("Not given", "daemon logs, node curves")
        .from("Trace", "5e20…91bd")
        .from("tenbin", "0.1.0")
        .link("Parquet", "trace.parquet")
        .link("Perfetto", "trace.json");
    Page::new("mapreduce", head(), foot)
        .with(path())
        .with(task_time())
        .with(removed())
        .with(tasks())
        .with(stragglers())
        .below(node())
}
