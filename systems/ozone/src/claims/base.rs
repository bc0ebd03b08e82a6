//! The document's clusters as scenarios, and what it leaves open.
use analysis::{Stat, stat};
use page::{Body, Cell, Column, Row as Line, Section, Table};
use std::path::Path;
use system::Failure;
use system::claims::Asked;
use system::lab::{Lab, Row, RowRuns};

/// What all cases share: Ozone 0.5's Ratis (how commits are told, how many appends are under way),
/// and the benchmarks' 8 DataNodes with 10 disks.
pub(super) const BASE: &str = r#"
[model]
system = "ozone"
[cluster]
nodes = 8
[hardware]
disks_per_node = 10
log_disks = 10
nic = "10Gbit/s"
[ozone-site]
"hdds.ratis.raft.grpc.server.leader.outstanding.appends.max" = 128
[policy]
pipeline = "scm-reopened"
commit_notice = "metadata-entry"
[workload]
objects = 2000
"#;

type Pairs = &'static [(&'static str, &'static str)];

/// A scenario of the document.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) set: Vec<(&'static str, &'static str)>,
}

/// Keys and values over the document's.
pub(super) type Sets = Vec<(String, String)>;

pub(super) const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
const WATCH: &str = "ozone-site.hdds.ratis.client.request.watch.type";

const SINGLE: Pairs = &[("policy.pipeline", "single-raft"), ("hardware.log_disks", "1")];
const MULTI: Pairs = &[(LIMIT, "4")];
/// DataNodes of the production cluster, whose size the document does not tell.
pub(super) const PRODUCTION: &str = "9";
/// C3.2: mixed sizes as they come.
const MIXED: Pairs = &[
    ("cluster.nodes", PRODUCTION),
    ("workload.rate", "20"),
    ("workload.largest_bytes", "10MB"),
    ("workload.object_bytes", "1kB"),
];
/// Seldom twenty at once, and flushes of which some take long.
const SELDOM: Pairs = &[
    ("cluster.nodes", PRODUCTION),
    ("workload.rate", "1"),
    ("workload.largest_bytes", "10MB"),
    ("workload.object_bytes", "1kB"),
    ("workload.objects", "1000"),
    ("workload.burst", "20"),
    ("hardware.flush_shape", "exponential"),
];
const BURSTS: Pairs = &[("workload.burst", "20")];
/// C3.3: 60 000 objects of 100 kB.
pub(super) const SMALL: Pairs = &[("workload.objects", "60000"), ("workload.limit", "100h")];
const ONE: Pairs = &[("workload.clients", "1")];
const SOME: Pairs = &[("workload.clients", "64")];
const MANY: Pairs = &[("om.time", "0.05ms"), ("workload.clients", "1024")];
/// C3.4: 1 000 × 1 GB by 90 writers.
pub(super) const LARGE: Pairs = &[
    ("workload.clients", "90"),
    ("workload.objects", "1000"),
    ("workload.object_bytes", "1GB"),
    ("workload.limit", "100h"),
];
/// 12 and 15 pipelines are limits of 4 and 5 on nine nodes; on eight they are 10 and 13.
const NINE: Pairs = &[("cluster.nodes", "9")];

pub(super) fn cases() -> Vec<Case> {
    let case = |name, parts: &[Pairs]| Case { name, set: parts.concat() };
    vec![
        case("mixed single", &[SINGLE, MIXED]),
        case("mixed multi", &[MULTI, MIXED]),
        case("mixed single, bursts of 20", &[SINGLE, MIXED, BURSTS]),
        case("mixed multi, bursts of 20", &[MULTI, MIXED, BURSTS]),
        case(
            "mixed single, told at once",
            &[SINGLE, MIXED, &[("policy.commit_notice", "at-once")]],
        ),
        case("mixed single, majority knows", &[SINGLE, MIXED, &[(WATCH, "MAJORITY_COMMITTED")]]),
        case("single, seldom, long flushes", &[SINGLE, SELDOM]),
        case("multi, seldom, long flushes", &[MULTI, SELDOM]),
        case("small single, 1 writer", &[SINGLE, SMALL, ONE]),
        case("small multi, 1 writer", &[MULTI, SMALL, ONE]),
        case("small single, 64 writers", &[SINGLE, SMALL, SOME]),
        case("small multi, 64 writers", &[MULTI, SMALL, SOME]),
        case("small single, 1024 writers", &[SINGLE, SMALL, MANY]),
        case("small multi, 1024 writers", &[MULTI, SMALL, MANY]),
        case("1 GB, 1 pipeline", &[&[("policy.pipeline", "one")], LARGE]),
        case("1 GB, single-Raft", &[&[("policy.pipeline", "single-raft")], LARGE]),
        case("1 GB, limit 4", &[MULTI, LARGE]),
        case("1 GB, limit 5", &[&[(LIMIT, "5")], LARGE]),
        case("1 GB, limit 4, 9 nodes", &[MULTI, LARGE, NINE]),
        case("1 GB, limit 5, 9 nodes", &[&[(LIMIT, "5")], LARGE, NINE]),
    ]
}

pub(super) struct Bench(Vec<RowRuns>);

/// Scenarios of the document's cluster with these settings.
pub(super) fn rows_of(lab: &Lab, name: &str, asked: Vec<Sets>) -> Result<Vec<Row>, Failure> {
    let row = |set: Sets| {
        let sheet = lab.read_text(BASE, Path::new("s3.toml"), &set)?;
        Ok(Row { name: name.into(), set, sheet })
    };
    asked.into_iter().map(row).collect()
}

impl Bench {
    pub(super) fn run(lab: &Lab, cases: &[Case], asked: &Asked<'_>) -> Result<Bench, Failure> {
        let mut rows = Vec::new();
        for case in cases {
            let own = case.set.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string()));
            let set: Sets = own.chain(asked.sets.iter().cloned()).collect();
            let row = rows_of(lab, case.name, vec![set])?;
            rows.extend(row)
        }
        let seeds: Vec<u64> = (1..=u64::from(asked.seeds)).collect();
        let done = lab.run(&rows, &seeds, false, "reproduce s3")?;
        system::interrupt::check().map_err(|why| asked.kept(why, &done.rows))?;
        Ok(Bench(done.rows))
    }

    /// The runs, case by case.
    pub(super) fn rows(&self) -> &[RowRuns] {
        &self.0
    }

    /// A metric of a case, seed by seed; 0 where a run has none.
    pub(super) fn all(&self, case: &str, metric: &str) -> Vec<f64> {
        let row = self.0.iter().find(|row| row.name == case).expect("a case");
        let of =
            |run: &system::lab::SeedRun| run.reading.metrics.get(metric).copied().unwrap_or(0.0);
        row.runs.iter().map(of).collect()
    }

    pub(super) fn stat(&self, case: &str, metric: &str) -> Stat {
        stat(&self.all(case, metric))
    }

    /// Seed by seed, one case over another.
    pub(super) fn ratio(&self, metric: &str, over: &str, under: &str) -> Stat {
        let (over, under) = (self.all(over, metric), self.all(under, metric));
        let each: Vec<f64> = over.iter().zip(&under).map(|(a, b)| a / b.max(1e-9)).collect();
        stat(&each)
    }

    pub(super) fn table(&self) -> Section {
        let columns = vec![
            Column::words("case"),
            Column::numbers("writes", "1/s", 0),
            Column::numbers("below 0.2 s", "%", 1),
            Column::numbers("2–3 s", "%", 1),
            Column::numbers("median", "ms", 1),
            Column::numbers("mean", "ms", 1),
            Column::numbers("disks used", "", 0),
            Column::numbers("disk use, CV", "", 2),
            Column::numbers("finished", "%", 0),
        ];
        let row = |row: &RowRuns| {
            let number = |metric: &str, times: f64| {
                let s = self.stat(&row.name, metric);
                Cell::mean(s.mean * times, s.ci95 * times)
            };
            Line::of(
                page::Role::Other,
                vec![
                    Cell::text(row.name.as_str()),
                    number("writes_per_s", 1.0),
                    number("share_below_200ms", 100.0),
                    number("share_2_to_3s", 100.0),
                    number("latency_ms_p50", 1.0),
                    number("latency_ms_mean", 1.0),
                    number("disks_used", 1.0),
                    number("disk_busy_cv", 1.0),
                    number("finished", 100.0),
                ],
            )
        };
        let rows = self.0.iter().map(row).collect();
        Section::new("cases", "The document's clusters", "", Body::Table(Table { columns, rows }))
    }
}
