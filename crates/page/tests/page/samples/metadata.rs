//! A metadata service: throughput over clients, servers' CPU, latencies, compared with a paper.
use super::{every, wander};
use page::*;

fn head() -> Head {
    let verdict = say("Eight servers create ").number("68.4 kop/s").say(" with 512 clients.");
    let certainty = Certainty::low(say("a model. ").code("tenbin twin ppmds").say(" measures it."));
    let row = |name: &str, value: &str, key: &str, half, double| AssumedRow {
        name: name.into(),
        value: value.into(),
        key: key.into(),
        half,
        now: 68.4,
        double,
    };
    Head::new(["metadata", "create storm", "8 servers"], verdict, certainty)
        .fact(strong("8 servers").say(" of 4 cores"))
        .fact("512 clients")
        .fact("one directory of 2 M files")
        .fact("10 seeds")
        .subline("67.2–69.8 kop/s over 10 seeds; one server alone does 11.6 kop/s.")
        .held_up(Kind::Setting, strong("61 % ").key("ppmds.split.threshold = 8000"))
        .held_up(Kind::Cpu, "27 % CPU of server 3, log flush 9 %, network 3 %")
        .doing(
            strong("Set the threshold to 2000: 84.1 kop/s, +15.7 ± 0.9."),
            "The busiest server goes from 97 % to 88 %.",
            Some("tenbin run scenarios/create-storm.toml --set ppmds.split.threshold=2000"),
        )
        .not_enough("Sixteen servers alone: 70.1 kop/s, then the hot partition is the limit.")
        .assumed(
            "kop/s",
            say("Throughput if the true value is half or double. ")
                .strong("Same verdict in all four cases.")
                .say(" Edit ")
                .code("[hardware]")
                .say("."),
            vec![
                row("CPU", "52 µs a create", "hardware.cpu_per_create", Some(103.0), Some(39.8)),
                row("NIC", "10 Gbit/s", "hardware.nic", Some(68.3), Some(68.4)),
            ],
        )
}

const CLIENTS: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

fn served(top: f64, half: f64) -> Vec<(f64, f64)> {
    let at = |clients: f64| libm::round(top * clients / (clients + half) * 10.0) / 10.0;
    CLIENTS.iter().map(|&clients| (clients, at(clients))).collect()
}

fn throughput() -> Section {
    let points = served(79.0, 80.0);
    let around = |by: f64| points.iter().map(|p| p.1 * by).collect::<Vec<f64>>();
    let now = Line::new("now", Role::Now, points.clone()).band(around(0.96), around(1.03)).dots();
    let lines = vec![
        now.flag(512.0, "68.4 kop/s"),
        Line::new("threshold 2000", Role::Recommended, served(97.0, 80.0))
            .dots()
            .flag(512.0, "84.1 kop/s"),
        Line::new("16 servers", Role::Other, served(80.0, 70.0)).dots().flag(512.0, "70.1 kop/s"),
    ];
    let panel = Panel {
        unit: "kop/s".into(),
        capacity: Some(Capacity { at: 92.8, name: "8 × one server alone".into() }),
        lines,
        reason: "from here on one partition takes all".into(),
        ..Panel::default()
    };
    let x = Axis::log("clients", "", 1.0, 512.0);
    let curves = Curves { x, panels: vec![panel], moments: vec![] };
    let qualifier = "creates a second, by clients; mean of 10 seeds, band: min to max";
    Section::new("throughput", "Throughput", qualifier, Body::Curves(curves)).width(Width::Half)
}

fn held() -> Section {
    let behind = |label: &str, start_s, end_s| Behind { label: label.into(), start_s, end_s };
    let rows = vec![
        Share::new(Kind::Setting, "ppmds.split.threshold = 8000", 18.3).behind(vec![behind(
            "partition 0 of /a not split",
            2.0,
            20.3,
        )]),
        Share::new(Kind::Cpu, "CPU of the busiest server", 8.1).behind(vec![behind(
            "server 3, run queue",
            20.3,
            28.4,
        )]),
        Share::new(Kind::Disk, "Log flush", 2.7),
        Share::new(Kind::Network, "NIC", 0.9),
        Share::new(Kind::Unexplained, "Unexplained", 0.0),
    ];
    let shares = Shares::of_whole("s", "waited", rows);
    let qualifier = "all creates’ waits, now; click a bar for its intervals";
    Section::new("shares", "What held it up", qualifier, Body::Shares(shares)).width(Width::Half)
}

fn heat() -> Section {
    let row = |i: u64| {
        let hot = if i == 3 { 0.55 } else { 0.0 };
        let cells = wander(i + 1, 60).into_iter().enumerate().map(|(at, load)| {
            let before = if at < 20 && i != 3 { 0.2 } else { 0.9 };
            f64::min(1.0, libm::round((load * before + hot) * 1000.0) / 1000.0)
        });
        let mut row = HeatRow::new(Kind::Cpu, format!("server {i}"), cells.collect());
        (row.strong, row.open) = (i == 3, Some(format!("server/{i}")));
        row
    };
    let columns = ("peak".into(), "mean".into());
    let title = "CPU of a server: mean of its 4 cores".into();
    let groups = vec![HeatGroup { title, columns, rows: (0..8).map(row).collect() }];
    let moments = vec![
        Moment::of(20.3, "first split 20.3 s", Kind::Setting),
        Moment::at(33.0, "partition 4 moves to server 6"),
    ];
    let heat = Heat { x: time(), cell: 1.0, word: "busy".into(), groups, moments };
    Section::new("busy", "Busy", "each second, seed 1, now", Body::Heat(heat)).width(Width::Most)
}

fn time() -> Axis {
    Axis::time(0.0, 60.0)
}

fn balance() -> Section {
    let loads = |scale: f64| -> Vec<Option<f64>> {
        [6.1, 7.0, 6.6, 18.2, 7.9, 6.3, 8.8, 7.5].map(|l: f64| Some(8.5 + (l - 8.5) * scale)).into()
    };
    let rows = [("now".to_string(), loads(1.0)), ("threshold 2000".into(), loads(0.3))];
    let panels = vec![BalancePanel::of_loads("Creates served", "kop/s", &rows)];
    let names = (0..8).map(|i| format!("server {i}")).collect();
    let (marked, marked_note) = (vec![3], "server 3, which holds the hot partition".into());
    let balance = Balance { panels, names, marked, marked_note, ..Balance::default() };
    Section::new("balance", "Balance", "a dot is a server", Body::Balance(balance))
        .width(Width::Third)
}

fn latency() -> Section {
    let times = |scale: f64| -> Vec<f64> {
        let all = (0..4000).map(|i| {
            let u = (f64::from(i) + 0.5) / 4000.0;
            libm::round(scale * (0.4 + 0.9 * libm::pow(-libm::log(1.0 - u), 1.7)) * 1e3) / 1e6
        });
        all.collect()
    };
    let series = vec![
        Distribution::of("now", Role::Now, times(2.1)),
        Distribution::of("threshold 2000", Role::Recommended, times(1.2)),
        Distribution::of("16 servers", Role::Other, times(1.9)),
    ];
    let latency = Latency { unit: "s".into(), series };
    Section::new("latency", "Latency", "of a create, 512 clients", Body::Latency(latency))
        .width(Width::Half)
}

fn scatter() -> Section {
    let (names, ours) = ([1.0, 2.0, 4.0, 8.0], [11.6, 21.9, 41.0, 68.4]);
    let point = |(x, y): (&f64, &f64)| Point {
        x: *x,
        y: *y,
        low: Some(y * 0.97),
        high: Some(y * 1.02),
        name: String::new(),
    };
    let ours = Points {
        name: "ours".into(),
        origin: Origin::Ours,
        kind: None,
        joined: true,
        points: names.iter().zip(&ours).map(point).collect(),
    };
    let paper = names.into_iter().zip([11.0, 22.6, 44.1, 79.2]);
    let series = vec![ours, Points::line("PPMDS, figure 9", Origin::Document, paper)];
    let (x, y) = (Axis::log("servers", "", 1.0, 8.0), Axis::linear("", "kop/s", 0.0, 80.0));
    let scatter = Scatter { x, y, series, diagonal: false };
    let qualifier = "creates a second, by servers; bars: 95 %";
    Section::new("document", "Against the paper", qualifier, Body::Scatter(scatter))
        .width(Width::Half)
        .tag("read off a figure, ± 2 %")
}

fn compare() -> Section {
    let columns = vec![
        Column::words("Variant"),
        Column::numbers("Throughput", "kop/s ± 95 %", 1),
        Column::numbers("Against now", "kop/s ± 95 %", 1),
        Column { align: Align::Left, ..Column::numbers("10 seeds", "line: mean", 0) },
        Column::words("Largest bottleneck"),
        Column::numbers("p99", "ms", 1),
        Column::words("Verdict"),
    ];
    let row = |role, name: &str, mean: f64, against: Option<f64>, most: Cell, verdict: Cell| {
        let seeds = (0..10).map(|i| mean + 0.4 * f64::from(i % 5 - 2)).collect();
        let against = against.map_or(Cell::None, |d| Cell::difference(d, 0.9));
        let seeds = Cell::Seeds { values: seeds };
        let p99 = Cell::number(1200.0 / mean);
        Row::of(
            role,
            vec![Cell::text(name), Cell::mean(mean, 0.8), against, seeds, most, p99, verdict],
        )
    };
    let setting = || Cell::of(Kind::Setting, "threshold 61 %");
    let rows = vec![
        row(Role::Now, "now", 68.4, None, setting(), Cell::None),
        row(
            Role::Recommended,
            "threshold 2000",
            84.1,
            Some(15.7),
            Cell::of(Kind::Cpu, "CPU 74 %"),
            Cell::verdict("faster", Tone::Firm, ""),
        ),
        row(
            Role::Other,
            "16 servers",
            70.1,
            Some(1.7),
            setting(),
            Cell::verdict("no difference", Tone::Open, "under 5 %"),
        ),
    ];
    let table = Table { columns, rows };
    let qualifier = "3 variants × 10 seeds, same fate for all (paired)";
    Section::new("compare", "Compare", qualifier, Body::Table(table))
        .note("Below 5 % (3.4 kop/s) we say “no difference”.")
}

/// One server: small multiples.
fn server() -> Below {
    let panel = |name: &str, of: &str, kind, unit: &str, top: f64, seed, reading: &str| Panel {
        name: name.into(),
        of: of.into(),
        unit: unit.into(),
        capacity: Some(Capacity { at: top, name: String::new() }),
        reading: reading.into(),
        lines: vec![Line::of(kind, every(1.0, wander(seed, 61).into_iter().map(|v| v * top)))],
        reason: String::new(),
    };
    let panels = vec![
        panel("CPU", "of 4 cores, %", Kind::Cpu, "%", 1.0, 4, "full from 12 to 20 s"),
        panel("Log disk", "busy, %", Kind::Disk, "%", 1.0, 15, "never above 98 %"),
        panel("NIC", "in + out", Kind::Network, "B/s", 1.25e9, 21, "of 1.25 GB/s"),
    ];
    let moments = vec![Moment::of(20.3, "first split 20.3 s", Kind::Setting)];
    let curves = Curves { x: time(), panels, moments };
    let mut below = Below::new("server/3", "server 3", say("Server 3 is busy for ").number("41 s"));
    below.link = Some("Server 3".into());
    below.facts = vec![say("holds partitions 0, 3 and 11").done()];
    below.with(Section::new("resources", "Resources", "each second", Body::Curves(curves)))
}

pub fn page() -> Page {
    let foot = Foot::new("tenbin compare scenarios/create-storm.toml")
        .from("Seeds", "1–10")
        .from("Scenario", "41d0…9c2e")
        .from("tenbin", "0.1.0")
        .link("Parquet", "trace.parquet");
    Page::new("ppmds", head(), foot)
        .with(throughput())
        .with(held())
        .with(heat())
        .with(balance())
        .with(latency())
        .with(scatter())
        .with(compare())
        .below(server())
}
