//! Builds the trace of a run. An object is an operation; its parts are what it waited for.
use super::message::{Block, FollowerTimes, KeyRecord, OmRequest, Record};
use super::metrics;
use super::settings::{SLEEPS_KEY, Settings, WINDOW_KEY};
use super::stall::Stall;
use crate::words::AWAY;
use cluster::Sheet;
use std::collections::BTreeMap;
use system::{RunEnd, SimulatedRun, without};
use trace::operations::{Operations, Plan, Rows};
use trace::reading::Reading;
use trace::{
    Cause, Interval, IntervalId, IntervalKind, IntervalRole, ObjectiveRow, OptionalNumber,
    ResourceId, ResourceRole, Sample, SettingId, TraceBuilder,
};
use units::Nanos;

struct Kinds {
    write: IntervalKind,
    hop: IntervalKind,
    transfer: IntervalKind,
    om_line: IntervalKind,
    om: IntervalKind,
    local: IntervalKind,
    replicate: IntervalKind,
    window: IntervalKind,
    log: IntervalKind,
    sync: IntervalKind,
    quorum: IntervalKind,
    third: IntervalKind,
    notice: IntervalKind,
    watch: IntervalKind,
    retry: IntervalKind,
    receive: IntervalKind,
}

/// Settings that parts of writes are charged to.
struct Keys {
    latency: SettingId,
    notice: SettingId,
    timeout: SettingId,
    sleep: SettingId,
    window: SettingId,
    watch: SettingId,
}

impl Keys {
    fn of(trace: &mut TraceBuilder, sheet: &Sheet, settings: &Settings) -> Keys {
        Keys {
            latency: trace.setting("hardware.nic_latency", settings.latency.to_string()),
            notice: trace.setting("policy.commit_notice", sheet.text("policy.commit_notice")),
            timeout: trace.setting(
                "ozone-site.hdds.ratis.client.request.write.timeout",
                settings.patience.to_string(),
            ),
            sleep: trace.setting(SLEEPS_KEY, first_pair(sheet.text(SLEEPS_KEY))),
            window: trace.setting(WINDOW_KEY, settings.window.to_string()),
            watch: trace.setting(settings.watch.0, settings.watch.1.to_string()),
        }
    }
}

pub(crate) struct Recorder {
    trace: TraceBuilder,
    operations: Operations,
    kinds: Kinds,
    keys: Keys,
    om: ResourceId,
    gateways: Vec<ResourceId>,
    nics: Vec<ResourceId>,
    disks: Vec<ResourceId>,
    layout: super::Layout,
    per_node: u32,
    latency: Nanos,
    watch_all: bool,
    watch_timeout: Nanos,
    /// Blocks allocated so far, by unfinished object.
    under_way: BTreeMap<u64, u32>,
    stall: Stall,
    latencies: Vec<u64>,
    /// By power of ten of the size: latencies \[ns\].
    by_size: BTreeMap<u32, Vec<u64>>,
    last: Nanos,
    retries: u64,
    busy: Vec<u64>,
    /// Time that each node's NIC is busy, and each gateway's sends \[ns\].
    nics_busy: Vec<u64>,
    gateways_sending: Vec<u64>,
    /// OM time per object.
    om_time: Nanos,
    /// `closed`: closed loop, each client waits for its object. `plain`: no fault.
    closed: bool,
    plain: bool,
    /// By disk: end of its last sample; after it the disk is idle.
    sampled: Vec<Nanos>,
    keep: bool,
    committed: Vec<u64>,
    /// Elected node by (pipeline, term).
    led: BTreeMap<(u32, u32), u32>,
    violations: Vec<String>,
    objects: u64,
}

impl Recorder {
    pub(crate) fn new(sheet: &Sheet, seed: u64, settings: &Settings, keep: bool) -> Recorder {
        let mut trace = TraceBuilder::new();
        let kinds = kinds(&mut trace);
        let keys = Keys::of(&mut trace, sheet, settings);
        let store = trace.resource_kind(ResourceRole::Store, "om", "OM").id();
        let network = trace.resource_kind(ResourceRole::Network, "nic", "NICs").id();
        let disk = trace.resource_kind(ResourceRole::Disk, "disk", "Disks").id();
        let om_node = trace.node("om").role("manager").add();
        let om = trace.resource(store, "OM").node(om_node).add();
        let mut gateways = Vec::new();
        for gateway in 0..settings.gateways {
            let name = format!("s3g-{gateway}");
            let node = trace.node(&name).role("gateway").add();
            gateways.push(trace.resource(network, &format!("{name} NIC")).node(node).add())
        }
        let (mut nics, mut disks) = (Vec::new(), Vec::new());
        let racks = super::racks(sheet);
        let is_flat = racks.iter().all(|rack| *rack == racks[0]);
        for (host, rack) in crate::names::hosts(sheet).into_iter().zip(racks) {
            let rack = (!is_flat).then(|| trace.rack(&format!("/rack{rack}")));
            let node = trace.node(&host).role("datanode");
            let node = match rack {
                Some(rack) => node.rack(rack).add(),
                None => node.add(),
            };
            nics.push(trace.resource(network, &format!("{host} NIC")).node(node).add());
            for place in 0..settings.disks {
                let name = format!("{host} disk {place}");
                disks.push(trace.resource(disk, &name).node(node).place(place).add())
            }
        }
        trace.about("pipelines", settings.layout.at_first.to_string());
        let operations = Operations::new(trace.so_far(), Plan { seed, ..Plan::default() });
        let (pipelines, all) = (settings.layout.trios.len(), disks.len());
        Recorder {
            trace,
            operations,
            kinds,
            keys,
            om,
            gateways,
            nics,
            disks,
            layout: settings.layout.clone(),
            per_node: settings.disks,
            latency: settings.latency,
            watch_all: settings.watch_all,
            watch_timeout: settings.watch.1,
            under_way: BTreeMap::new(),
            stall: Stall::default(),
            latencies: Vec::new(),
            by_size: BTreeMap::new(),
            last: Nanos::ZERO,
            retries: 0,
            busy: vec![0; all],
            nics_busy: vec![0; all / settings.disks as usize],
            gateways_sending: vec![0; settings.gateways as usize],
            om_time: settings.om_time * 2,
            closed: settings.every.is_none(),
            plain: sheet.text("fault.kind") == "none",
            sampled: vec![Nanos::ZERO; all],
            keep,
            committed: vec![0; pipelines],
            led: BTreeMap::new(),
            violations: Vec::new(),
            objects: settings.objects,
        }
    }

    pub(crate) fn add(&mut self, now: Nanos, record: Record) {
        match record {
            Record::Sent(sent) => self.sent(*sent),
            Record::Block(block) => self.block(*block),
            Record::GaveUp { op, sent, again } => {
                self.retries += 1;
                let cause = Cause::Setting(self.keys.timeout);
                let row = Interval { cause, ..Interval::new(self.kinds.retry, sent, again) };
                part(self.operations.open(op), row)
            }
            Record::Resent { op, sent, again } => {
                self.retries += 1;
                let cause = Cause::Setting(self.keys.sleep);
                let row = Interval { cause, ..Interval::new(self.kinds.retry, sent, again) };
                part(self.operations.open(op), row)
            }
            Record::Leads { pipeline, node, term, last } => {
                let other = self.led.insert((pipeline, term), node);
                let whole = self.committed[pipeline as usize];
                if other.is_some() || last < whole {
                    self.violations.push(format!(
                        "{now}: pipeline {pipeline}: node {node} leads term {term} with {last} \
                         entries of {whole}, after {other:?}"
                    ))
                }
            }
            Record::Object(object) => self.object(now, *object),
            Record::Nic { node, busy } => self.nics_busy[node as usize] += busy.0,
            Record::Busy { node, disk, busy } => self.used(now, node * self.per_node + disk, busy),
            Record::Commit { pipeline, from, to, holders } => {
                self.stall.committed(now);
                let before = self.committed[pipeline as usize];
                self.committed[pipeline as usize] = before.max(to);
                // A new leader may know less of the commits, but none may be missing.
                if from > before || to <= from || holders < 2 {
                    self.violations.push(format!(
                        "{now}: pipeline {pipeline} commits {from}..{to} with {holders} holders \
                         after {before}"
                    ))
                }
            }
        }
    }

    /// Adds a block's request to OM.
    fn sent(&mut self, sent: OmRequest) {
        let OmRequest { op, om: [asked, came, began, ended], back } = sent;
        let rows = self.operations.open(op);
        if rows.intervals.is_empty() {
            rows.add(Interval::new(self.kinds.write, asked, Nanos::MAX));
            self.stall.began(op, asked)
        }
        let (om, latency) = (Cause::Resource(self.om), Cause::Setting(self.keys.latency));
        let k = &self.kinds;
        for (kind, from, to, cause) in [
            (k.hop, asked, came, latency),
            (k.om_line, came, began, om),
            (k.om, began, ended, om),
            (k.hop, ended, back, latency),
        ] {
            part(rows, Interval { cause, ..Interval::new(kind, from, to) })
        }
        *self.under_way.entry(op).or_default() += 1
    }

    fn log_disk(&self, node: u32, pipeline: u32) -> ResourceId {
        let disk = self.layout.log_disk(node, pipeline);
        self.disks[(node * self.per_node + disk) as usize]
    }

    /// Adds a block's time in its pipeline.
    fn block(&mut self, block: Block) {
        let Block { op, attempt, pipeline, arrived: came, committed, known, .. } = block;
        if self.under_way.get(&op) != Some(&(attempt + 1)) {
            return;
        }
        let leader = self.layout.member(pipeline, block.leader);
        let followers = self.layout.followers(pipeline, block.leader);
        let log = Cause::Resource(self.log_disk(leader, pipeline));
        let logs = followers.map(|node| Cause::Resource(self.log_disk(node, pipeline)));
        let (k, latency) = (&self.kinds, Cause::Setting(self.keys.latency));
        let gateway = self.gateways[units::usize_of(op % self.gateways.len() as u64)];
        let nic = Cause::Resource(self.nics[leader as usize]);
        let window = Cause::Setting(self.keys.window);
        let rows = self.operations.open(op);
        let sent = rows.intervals.last().map_or(came, |row| row.end);
        let reached = came.saturating_sub(block.held).max(sent);
        for (kind, from, to, cause) in
            [(k.transfer, sent, reached, Cause::Resource(gateway)), (k.receive, reached, came, nic)]
        {
            part(rows, Interval { cause, ..Interval::new(kind, from, to) })
        }
        let mut branches = Vec::new();
        let done = block.flushed > Nanos::ZERO && block.flushed <= known;
        let flushed = if done { block.flushed } else { known };
        let began = if done { block.started } else { flushed };
        let steps = [(k.log, came, began, log), (k.sync, began, flushed, log)];
        branches.push(branch(rows, k.local, came, flushed, &steps));
        for (slot, &log) in logs.iter().enumerate() {
            let times = block.at_follower(slot, self.latency);
            let FollowerTimes { left, reached, received, began, there, acked } = times;
            let its_nic = Cause::Resource(self.nics[followers[slot] as usize]);
            let steps = [
                (k.window, came, left, window),
                (k.transfer, left, reached, nic),
                (k.receive, reached, received, its_nic),
                (k.log, received, began, log),
                (k.sync, began, there, log),
                (k.hop, there, acked, latency),
            ];
            branches.push(branch(rows, k.replicate, came, acked, &steps))
        }
        let join = Interval {
            parent: Some(IntervalId::of(0)),
            ..Interval::new(k.quorum, came, committed)
        };
        if committed > came {
            rows.join(join, 2, &branches);
        }
        let slowest = (0..2).max_by_key(|&slot| block.acked[slot].min(known)).expect("two");
        let all = match self.watch_all {
            true => block.acked[slowest].min(known).max(committed),
            false => committed,
        };
        // The third replica did not answer in time: the client stopped waiting for it.
        let given_up = known.saturating_sub(committed) >= self.watch_timeout;
        let watch = Cause::Setting(self.keys.watch);
        let (third, notice) = match given_up {
            true => ((k.watch, watch), (k.watch, watch)),
            false => ((k.third, logs[slowest]), (k.notice, Cause::Setting(self.keys.notice))),
        };
        for (kind, from, to, cause) in [
            (third.0, committed, all, third.1),
            (notice.0, all, known, notice.1),
            (k.hop, known, known + self.latency, latency),
        ] {
            part(rows, Interval { cause, ..Interval::new(kind, from, to) })
        }
    }

    fn object(&mut self, now: Nanos, object: KeyRecord) {
        let KeyRecord {
            op,
            bytes,
            requested: asked,
            closing: [came, began],
            close_requested: closed_asked,
            tries,
            sending,
        } = object;
        let gateway = units::usize_of(op % self.gateways.len() as u64);
        self.gateways_sending[gateway] = self.gateways_sending[gateway].max(sending.0);
        let (om, latency) = (Cause::Resource(self.om), Cause::Setting(self.keys.latency));
        let k = &self.kinds;
        let rows = self.operations.open(op);
        let served = now.saturating_sub(self.latency).max(began);
        for (kind, from, to, cause) in [
            (k.hop, closed_asked, came, latency),
            (k.om_line, came, began, om),
            (k.om, began, served, om),
            (k.hop, served, now, latency),
        ] {
            part(rows, Interval { cause, ..Interval::new(kind, from, to) })
        }
        if let Some(whole) = rows.intervals.first_mut() {
            (whole.start, whole.tries, whole.amount) = (asked, tries, Some(bytes))
        }
        rows.close(IntervalId::of(0), now);
        self.operations.ended(op);
        self.under_way.remove(&op);
        self.stall.ended(op, now);
        let took = now.saturating_sub(asked).0;
        self.latencies.push(took);
        self.by_size.entry(bytes.max(1).ilog10()).or_default().push(took);
        self.last = now
    }

    fn used(&mut self, now: Nanos, disk: u32, busy: Nanos) {
        let place = disk as usize;
        self.busy[place] += busy.0;
        if !self.keep {
            return;
        }
        let resource = self.disks[place];
        let from = now.saturating_sub(Nanos::secs(1));
        let sample = |at, busy| sample(resource, at, busy);
        if self.sampled[place] < from {
            self.trace.sample(sample(self.sampled[place], 0.0))
        }
        self.trace.sample(sample(from, busy.as_secs().min(1.0)));
        self.sampled[place] = now
    }

    /// A disk that reports no more is idle, or its node is down.
    fn end_samples(&mut self, end: Nanos) {
        for place in 0..self.sampled.len() {
            if self.keep && self.sampled[place] + Nanos::secs(1) < end {
                let resource = self.disks[place];
                self.trace.sample(sample(resource, self.sampled[place], 0.0))
            }
        }
    }

    pub(crate) fn finish(mut self, ended: RunEnd) -> SimulatedRun {
        let end = ended.0.end;
        self.end_samples(end);
        self.operations.finish(&mut self.trace, end);
        let last = if self.latencies.is_empty() { end } else { self.last };
        let rate = self.latencies.len() as f64 / last.as_secs().max(1e-9);
        self.trace.objective(ObjectiveRow::rate("writes_per_s", Some("write"), last, rate));
        let trace = self.trace.finish(end);
        let mut reading = Reading::of(&trace);
        let into = &mut reading.metrics;
        into.insert("writes_per_s".into(), rate);
        into.insert("retries".into(), self.retries as f64);
        metrics::latencies(into, &mut self.latencies, self.objects);
        metrics::by_size(into, &mut self.by_size);
        metrics::disks(into, &self.busy, end);
        let most = self.nics_busy.iter().chain(&self.gateways_sending).max();
        let share = |busy: f64| (busy / end.0.max(1) as f64).min(1.0);
        into.insert("nic_busy_max".into(), share(most.copied().unwrap_or(0) as f64));
        let om = self.latencies.len() as f64 * self.om_time.0 as f64;
        into.insert("om_busy".into(), share(om));
        let (from, to) = self.stall.longest(end);
        into.insert("longest_stall_s".into(), (to - from).as_secs());
        metrics::leaders(into, &self.layout.leads(), self.layout.at_first);
        into.insert("elections".into(), self.led.len() as f64);
        if self.closed && self.plain {
            let without = without::metrics(&reading, &AWAY);
            reading.metrics.extend(without)
        }
        let violations = self.violations;
        SimulatedRun { violations, ..SimulatedRun::of(trace, reading, ended) }
    }
}

/// "5s, 5, …", the start of a list of sleeps.
fn first_pair(sleeps: &str) -> String {
    let words: Vec<&str> = sleeps.split(',').map(str::trim).collect();
    let more = if words.len() > 2 { ", …" } else { "" };
    format!("{}{more}", words[..words.len().min(2)].join(", "))
}

/// Adds a row below the operation, unless it is empty.
fn part(rows: &mut Rows, row: Interval) {
    if row.start < row.end && !rows.intervals.is_empty() {
        rows.add(Interval { parent: Some(IntervalId::of(0)), ..row });
    }
}

/// Adds a branch below the operation, with its steps.
fn branch(
    rows: &mut Rows,
    kind: IntervalKind,
    from: Nanos,
    to: Nanos,
    steps: &[(IntervalKind, Nanos, Nanos, Cause)],
) -> IntervalId {
    let parent = Some(IntervalId::of(0));
    let whole = rows.add(Interval { parent, ..Interval::new(kind, from, to) });
    for &(kind, from, to, cause) in steps {
        if from < to {
            rows.add(Interval { parent: Some(whole), cause, ..Interval::new(kind, from, to) });
        }
    }
    whole
}

fn kinds(trace: &mut TraceBuilder) -> Kinds {
    let mut kind = |role, name, label| trace.interval_kind(role, name, label).id();
    Kinds {
        write: kind(IntervalRole::Operation, "write", "write"),
        hop: kind(IntervalRole::Wait, "hop", "message in transit"),
        transfer: kind(IntervalRole::Work, "transfer", "is sent"),
        om_line: kind(IntervalRole::Wait, "om-line", "waits for OM"),
        om: kind(IntervalRole::Work, "om", "OM"),
        local: kind(IntervalRole::Work, "local", "leader's log"),
        replicate: kind(IntervalRole::Work, "replicate", "follower's log"),
        window: kind(IntervalRole::Wait, "window", "waits for the follower's window"),
        log: kind(IntervalRole::Wait, "log", "waits for its log"),
        sync: kind(IntervalRole::Work, "sync", "log is flushed"),
        quorum: kind(IntervalRole::Wait, "quorum", "waits for a majority"),
        third: kind(IntervalRole::Wait, "third", "waits for the third copy"),
        notice: kind(IntervalRole::Wait, "notice", "commit not yet known"),
        watch: kind(IntervalRole::Wait, "watch", "waits for the watch timeout"),
        retry: kind(IntervalRole::Wait, "retry", "waits to retry elsewhere"),
        receive: kind(IntervalRole::Wait, "receive", "waits for the receiving NIC"),
    }
}

fn sample(resource: ResourceId, at: Nanos, busy: f64) -> Sample {
    Sample {
        resource,
        at,
        used: OptionalNumber::NONE,
        busy: busy.into(),
        queue: OptionalNumber::NONE,
    }
}
