//! Records the trace of a run. Each stripe is an operation; its parts are the critical path.
use crate::model::{PARTS, Record, Settings, Written};
use crate::policy;
use cluster::Sheet;
use system::{RunEnd, SimulatedRun};
use trace::operations::{Operations, Plan, Rows};
use trace::reading::Reading;
use trace::{
    Aggregation, Better, Cause, Interval, IntervalKind, IntervalRole, ObjectiveRow, ResourceRole,
    TraceBuilder,
};
use units::Nanos;

pub struct Recorder {
    trace: TraceBuilder,
    operations: Operations,
    rows: Rows,
    write: IntervalKind,
    /// By part: kind and cause.
    parts: [(IntervalKind, Cause); PARTS],
    stripe: u64,
    written: u64,
    last: Nanos,
    /// Maximum busy time of clients' links, nodes' links in and out, cores, disks.
    busiest: [Nanos; 5],
    /// Rate of a link \[bytes/s\], and the fraction of its bytes that are data.
    link: (f64, f64),
    /// Throughput with full links, in units of one link.
    ideal: f64,
}

const BUSIEST: [&str; 5] = ["client_link", "node_in", "node_out", "node_core", "node_disk"];

impl Recorder {
    pub fn new(sheet: &Sheet, settings: &Settings, seed: u64) -> Recorder {
        let mut trace = TraceBuilder::new();
        let mut kind = |role, name, label| trace.interval_kind(role, name, label).id();
        let write = kind(IntervalRole::Operation, "stripe", "writes a stripe");
        let kinds = [
            ("client-core", "the client's core makes parity"),
            ("client-link", "the client's link sends"),
            ("latency", "in transit"),
            ("node-in", "a node's link receives"),
            ("node-core", "a node's core makes sums"),
            ("node-out", "a node's link forwards"),
            ("disk", "a node's disk writes"),
        ]
        .map(|(name, label)| kind(IntervalRole::Work, name, label));
        let latency = trace.setting("network.latency", sheet.text("network.latency").to_string());
        let client = trace.node("clients").role("client").add();
        let node = trace.node("nodes").role("node").add();
        let mut resource = |role, kind: &str, label: &str, of| {
            let kind = trace.resource_kind(role, kind, label).id();
            Cause::Resource(trace.resource(kind, label).node(of).add())
        };
        let causes = [
            resource(ResourceRole::Cpu, "client-core", "Clients' cores", client),
            resource(ResourceRole::Network, "client-link", "Clients' links", client),
            Cause::Setting(latency),
            resource(ResourceRole::Network, "node-in", "Links into nodes", node),
            resource(ResourceRole::Cpu, "node-core", "Nodes' cores", node),
            resource(ResourceRole::Network, "node-out", "Links out of nodes", node),
            resource(ResourceRole::Disk, "disk", "Disks", node),
        ];
        let parts = std::array::from_fn(|part| (kinds[part], causes[part]));
        let operations = Operations::new(trace.so_far(), Plan { seed, ..Plan::default() });
        let policy = policy::named(sheet.text("policy.schedule")).expect("checked");
        let layout = policy::layout(settings.width as usize);
        let groups = f64::from(sheet.count32("cluster.clients")) / f64::from(settings.writers);
        Recorder {
            trace,
            operations,
            rows: Rows::default(),
            write,
            parts,
            stripe: settings.stripe.0,
            written: 0,
            last: Nanos::ZERO,
            busiest: [Nanos::ZERO; 5],
            link: (settings.rate.0 as f64, settings.block.0 as f64 / settings.wire.0 as f64),
            ideal: policy.ideal(&layout, settings.writers as usize) * groups,
        }
    }

    pub fn add(&mut self, record: &Record) {
        match *record {
            Record::Written(ref written) => self.written(written),
            Record::Client { out } => self.busiest[0] = self.busiest[0].max(out),
            Record::Node { into, out, core, disk, .. } => {
                for (most, busy) in self.busiest[1..].iter_mut().zip([into, out, core, disk]) {
                    *most = busy.max(*most)
                }
            }
        }
    }

    fn written(&mut self, written: &Written) {
        let path = &written.path;
        let rows = &mut self.rows;
        rows.intervals.clear();
        rows.depends.clear();
        let whole = rows.add(Interval::new(self.write, path.begun, path.until));
        let mut at = path.begun;
        for ((kind, cause), length) in self.parts.into_iter().zip(path.parts()) {
            if length > Nanos::ZERO {
                let part = Interval::new(kind, at, at + length);
                rows.add(Interval { parent: Some(whole), cause, ..part });
                at += length
            }
        }
        self.operations.take(self.written, rows);
        self.written += 1;
        self.last = self.last.max(path.until)
    }

    pub fn finish(mut self, ended: RunEnd) -> SimulatedRun {
        let end = self.last;
        self.operations.finish(&mut self.trace, end);
        let seconds = end.as_secs().max(1e-9);
        let goodput = (self.written * self.stripe) as f64 * 8.0 / 1e6 / seconds;
        self.trace.objective(ObjectiveRow {
            metric: "goodput_mbit".into(),
            unit: "Mbit/s".into(),
            better: Better::More,
            how: Aggregation::Rate,
            of: None,
            subject: None,
            from: Nanos::ZERO,
            to: Some(end),
            value: Some(goodput),
            outcome: trace::Outcome::Ok,
        });
        let trace = self.trace.finish(end);
        let mut reading = Reading::of(&trace);
        let ideal = self.ideal * self.link.0 * self.link.1 * 8.0 / 1e6;
        let mut put = |name: &str, value: f64| reading.metrics.insert(name.to_string(), value);
        put("ideal_mbit", ideal);
        put("ratio", goodput / ideal);
        put("stripes", self.written as f64);
        for (name, busy) in BUSIEST.into_iter().zip(self.busiest) {
            put(&format!("utilisation_max_{name}"), (busy.as_secs() / seconds).min(1.0));
        }
        for latency in &reading.latencies {
            reading.metrics.insert("stripe_ms_p50".into(), latency.p50_s * 1e3);
            reading.metrics.insert("stripe_ms_p99".into(), latency.p99_s * 1e3);
        }
        SimulatedRun { simulated: end, ..SimulatedRun::of(trace, reading, ended) }
    }
}
