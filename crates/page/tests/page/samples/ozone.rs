//! Multi-Raft pipelines: leaders, their cost, and claims of papers.
use super::wander;
use page::*;

const NODES: u32 = 12;
const PIPELINES: u32 = 24;

fn head() -> Head {
    let verdict = say("Twelve nodes write ").number("4.12 GB/s").say(" where 5.60 GB/s would fit.");
    Head::new(
        ["ozone", "pipelines", "12 nodes"],
        verdict,
        Certainty::low("a model; no cluster has confirmed it."),
    )
    .fact("12 nodes · 3 racks")
    .fact("24 Raft pipelines of 3")
    .fact("96 writers")
    .fact("10 seeds")
    .subline("4.05–4.19 GB/s over 10 seeds.")
    .held_up(Kind::Network, strong("66 %").say(" NIC of dn-03, which leads 5 of 24 pipelines"))
    .held_up(
        Kind::Setting,
        strong("21 %").say(" ").key("ozone.scm.pipeline.leader-choose.policy = NONE"),
    )
    .doing(
        strong("Spread leaders to 2 a node: 5.31 GB/s, +1.19 ± 0.05."),
        "No node leads more than 2.",
        Some("ozone admin pipeline transfer-leader --plan leaders.json"),
    )
    .not_enough("A fourth writer thread: no difference (+0.02 ± 0.04 GB/s).")
    .assumed("B/s", "The NIC’s 10 Gbit/s are in the input. Nothing is assumed.", vec![])
}

/// Node that leads a pipeline, and its followers.
fn members(pipeline: u32) -> [u32; 3] {
    let lead = match pipeline {
        0..5 => 3,
        5..8 => 7,
        _ => pipeline % NODES,
    };
    [lead, (lead + 1 + pipeline % 5) % NODES, (lead + 6 + pipeline % 5) % NODES]
}

fn matrix() -> Section {
    let part = |place| if place == 0 { Part::Leader } else { Part::Follower };
    let mut cells: Vec<MatrixCell> = Vec::new();
    let mut leads = [0u32; NODES as usize];
    for column in 0..PIPELINES {
        for (place, row) in members(column).into_iter().enumerate() {
            let suggested = (2..5).contains(&column) && place == column as usize % 2 + 1;
            cells.push(MatrixCell { row, column, part: part(place), suggested });
        }
        leads[members(column)[0] as usize] += 1;
    }
    let row = |i: u32| MatrixRow {
        name: format!("dn-{i:02}"),
        group: format!("/rack{}", i / 4),
        sum: f64::from(leads[i as usize]),
        strong: i == 3,
    };
    let matrix = Matrix {
        row: "node".into(),
        column: "pipeline".into(),
        columns: (0..PIPELINES).map(|i| format!("p{i:02}")).collect(),
        rows: (0..NODES).map(row).collect(),
        sum: "leads".into(),
        cells,
    };
    let qualifier = "filled: leads; outlined: follows; dot: would lead";
    Section::new("pipelines", "Who leads", qualifier, Body::Matrix(matrix)).width(Width::Most)
}

fn balance() -> Section {
    let loads = |seed, scale: f64| -> Vec<Option<f64>> {
        wander(seed, NODES as usize).into_iter().map(|v| Some((0.8 + scale * v) * 4e8)).collect()
    };
    let rows = [("now".to_string(), loads(3, 1.4)), ("2 a node".into(), loads(5, 0.2))];
    let panels = vec![
        BalancePanel::of_loads("Sent", "B/s", &rows),
        BalancePanel::of_loads("Received", "B/s", &rows),
    ];
    let names = (0..NODES).map(|i| format!("dn-{i:02}")).collect();
    let balance = Balance {
        panels,
        names,
        marked: vec![3],
        marked_note: "dn-03".into(),
        ..Balance::default()
    };
    Section::new("balance", "Balance", "a dot is a node", Body::Balance(balance))
        .width(Width::Third)
}

fn elections() -> Section {
    let row = |i: u32| {
        let wait = 0.4 + 0.3 * f64::from(i % 4);
        let mut bar = Bar::new(BarStyle::Runs, wait, wait + 0.8).kind(Kind::Network);
        bar.letters = if i == 5 { "X".into() } else { String::new() };
        let held = Bar::new(BarStyle::Held, 0.0, wait);
        GanttRow::new(format!("p{i:02}"), vec![held, bar], vec![words::num(0.8, 2)])
    };
    let group = |rack: u32| GanttGroup {
        title: format!("/rack{rack}"),
        note: "8 elections".into(),
        rows: (0..8).map(|i| row(rack * 8 + i)).collect(),
    };
    let gantt = Gantt {
        x: Axis::time(0.0, 2.4),
        groups: (0..3).map(group).collect(),
        columns: vec![GanttColumn { head: "took, s".into() }],
        overview: "at once".into(),
        ..Gantt::default()
    };
    Section::new("elections", "Elections", "since dn-03 is lost, seed 1", Body::Gantt(gantt))
}

fn claims() -> Section {
    let point = |name: &str, value, spread, word: &str, tone| StripPoint {
        name: name.into(),
        value,
        spread,
        word: word.into(),
        tone,
    };
    let points = vec![
        point("as assumed", 1.29, 0.02, "with these assumptions", Tone::Partly),
        point("hardware.nic = 25Gbit/s", 1.02, 0.05, "refuted", Tone::Against),
        point("workload.clients = 384", 1.21, 0.4, "not decided", Tone::Open),
    ];
    let strip = Strip { unit: "times".into(), band: (Some(1.2), None), points };
    let row =
        |[id, statement, document, ours]: [&str; 4], (word, tone), [label, note]: [&str; 2]| {
            let notes = vec![(label.to_string(), note.to_string())];
            let [id, statement, document, ours] = [id, statement, document, ours].map(String::from);
            let (word, strip) = (String::from(word), Strip::default());
            ClaimRow { id, statement, document, ours, word, tone, notes, strip }
        };
    let even = row(
        ["C1", "Even leaders write more", "at least 1.2×", "1.29 ± 0.02"],
        ("with these assumptions", Tone::Partly),
        ["Fails with", "hardware.nic = 25Gbit/s"],
    );
    let claims = vec![
        ClaimRow { strip, ..even },
        row(
            ["C2", "More pipelines help small writes", "2×", "1.41 ± 0.11"],
            ("partly (1 of 2 places)", Tone::Partly),
            ["Why", "Below 64 kB only."],
        ),
        row(
            ["C3", "Rack-aware leaders cost nothing", "0", "0.93 ± 0.01"],
            ("refuted", Tone::Against),
            ["Why", "The uplink is full."],
        ),
        row(
            ["C4", "A transfer takes less than 1 s", "1 s", "–"],
            ("not decided", Tone::Open),
            ["Would decide", "A log of the transfer."],
        ),
    ];
    let qualifier = "4 of the documents’, 10 seeds each";
    Section::new("claims", "Claims", qualifier, Body::Claims(Claims { claims }))
}

pub fn page() -> Page {
    let foot = Foot::new("tenbin compare scenarios/pipelines.toml").from("Seeds", "1–10");
    let note = say("A leader sends each byte twice, so a node that leads ")
        .strong("5 of 24")
        .say(" needs five NICs’ worth of its peers.");
    Page::new("ozone", head(), foot)
        .with(matrix())
        .with(balance())
        .with(elections())
        .with(claims())
        .with(Section::words("why", "Why leaders matter", note))
}
