//! Kinds in a job's trace, logged or simulated, as `why/` reads them.
use trace::{EntityKind, EntityRole, FactRole, IntervalKind, IntervalRole, TraceBuilder};

pub mod interval {
    /// From submission to the first task request.
    pub const AM_START: &str = "am-start";
    /// Within `AM_START`: from submission to the AM's start.
    pub const AM_CONTAINER: &str = "am-container";
    /// Within `AM_START`: from the AM's start until the job is initialised.
    pub const AM_INIT: &str = "am-init";
    /// Within `AM_START`: from initialisation to the first task request.
    pub const AM_REQUEST: &str = "am-request";
    pub const TASKS: &str = "tasks";
    pub const SLOW_START: &str = "slow-start";
    pub const CONTAINER: &str = "container";
    pub const MAPS: &str = "maps";
    /// A task waits for earlier tasks: setup, or all before clean-up.
    pub const BEFORE: &str = "before";
    /// From the end of a run until the JobTracker receives it.
    pub const REPORTED: &str = "heard";
    pub const RUN: &str = "run";
    /// A successful attempt's output is on its node until it is lost.
    pub const HELD: &str = "held";
    /// Part of a run: until the last record is mapped.
    pub const MAP: &str = "map";
    /// Part of a map's run: sort and commit.
    pub const COMMIT: &str = "commit";
    pub const COPY: &str = "copy";
    pub const MERGE: &str = "merge";
    pub const REDUCE: &str = "reduce";
    pub const WITHHELD: &str = "withheld";
}

pub mod entity {
    pub const RULE: &str = "rule";
}

pub mod fact {
    pub const ID: &str = "id";
    pub const USER: &str = "user";
    pub const QUEUE: &str = "queue";
    pub const STATUS: &str = "status";
    /// Hadoop's message about the end of the job.
    pub const DIAGNOSTICS: &str = "diagnostics";
    /// When an AM was started again \[s of the trace\].
    pub const RESTART: &str = "am-restart";
    /// How times of several clocks were corrected, as text.
    pub const CLOCKS: &str = "clocks";
    /// 1: the times of attempts cannot be corrected.
    pub const CLOCKS_UNKNOWN: &str = "clocks-unknown";
    /// "slots" for a JobTracker (Hadoop 1); absent for containers.
    pub const PLACES: &str = "places";
    pub const TYPE: &str = "type";
    /// NODE_LOCAL, RACK_LOCAL or OFF_SWITCH.
    pub const LOCALITY: &str = "locality";
    pub const AVATAAR: &str = "avataar";
    pub const CONTAINER: &str = "container";
    /// Hosts with a replica of a map's input.
    pub const HOLDERS: &str = "split-hosts";
    pub const ERROR: &str = "error";
    /// Time before the first twelfth of progress \[ms\].
    pub const FIRST_TWELFTH: &str = "clockSplits[0]";
    /// Sum over all twelfths \[ms\].
    pub const TWELFTHS: &str = "clockSplits";
    pub const MAPS: &str = "maps";
    /// Duration of a fetch of a map output \[s\].
    pub const FETCH: &str = "fetch";
    /// Declared on demand: few logs have fetches.
    pub fn fetch_kind(trace: &mut trace::TraceBuilder) -> trace::FactKind {
        let new = trace.fact_kind(trace::FactRole::Other, FETCH, "a fetch of a map output");
        new.unit("s").id()
    }
    /// Duration of a fetcher's visit to a host \[s\].
    pub const VISIT: &str = "fetcher-visit";
    pub const REDUCES: &str = "reduces";
}

#[derive(Clone, Copy)]
pub struct Kinds {
    pub(crate) am_start: IntervalKind,
    pub(crate) am_container: IntervalKind,
    pub(crate) am_init: IntervalKind,
    pub(crate) am_request: IntervalKind,
    pub(crate) tasks: IntervalKind,
    pub(crate) slow_start: IntervalKind,
    pub(crate) container: IntervalKind,
    pub(crate) maps: IntervalKind,
    pub(crate) run: IntervalKind,
    pub(crate) map: IntervalKind,
    pub(crate) commit: IntervalKind,
    pub(crate) copy: IntervalKind,
    pub(crate) merge: IntervalKind,
    pub(crate) reduce: IntervalKind,
    pub(crate) job: EntityKind,
    pub(crate) task: EntityKind,
    pub(crate) attempt: EntityKind,
}

impl Kinds {
    pub fn of(trace: &mut TraceBuilder) -> Kinds {
        Kinds::with(trace, IntervalRole::Work)
    }

    /// For simulated jobs: their runs are operations, which the analysis of time is based on.
    pub fn of_simulation(trace: &mut TraceBuilder) -> Kinds {
        Kinds::with(trace, IntervalRole::Operation)
    }

    /// Declared on demand: few traces have lost outputs.
    pub fn held_kind(trace: &mut TraceBuilder) -> IntervalKind {
        let label = "output on its node, until lost";
        trace.interval_kind(IntervalRole::Wait, interval::HELD, label).id()
    }

    pub fn before(trace: &mut TraceBuilder) -> IntervalKind {
        let label = "waits for earlier tasks";
        trace.interval_kind(IntervalRole::Wait, interval::BEFORE, label).id()
    }

    pub fn report_kind(trace: &mut TraceBuilder) -> IntervalKind {
        let label = "until the JobTracker receives its end";
        trace.interval_kind(IntervalRole::Wait, interval::REPORTED, label).id()
    }

    fn with(trace: &mut TraceBuilder, run: IntervalRole) -> Kinds {
        use IntervalRole::{Wait, Work};
        use interval::*;
        let wait =
            |trace: &mut TraceBuilder, name, label| trace.interval_kind(Wait, name, label).id();
        let work = |trace: &mut TraceBuilder, name, label, other: &str| {
            trace.interval_kind(Work, name, label).other(other).id()
        };
        Kinds {
            am_start: wait(trace, AM_START, "AM start"),
            am_container: wait(trace, AM_CONTAINER, "container of the AM"),
            am_init: wait(trace, AM_INIT, "AM initialises"),
            am_request: wait(trace, AM_REQUEST, "AM until the first request"),
            tasks: wait(trace, TASKS, "waits for its tasks"),
            slow_start: wait(trace, SLOW_START, "held back by slow-start"),
            container: wait(trace, CONTAINER, "container wait"),
            maps: wait(trace, MAPS, "waits for maps"),
            run: trace.interval_kind(run, RUN, "runs").other("a task").id(),
            map: work(trace, MAP, "map", "a task's map"),
            commit: work(trace, COMMIT, "sort and commit", "a task's commit"),
            copy: work(trace, COPY, "copies map outputs", "a task's copying"),
            merge: work(trace, MERGE, "merge", "a task's merge"),
            reduce: work(trace, REDUCE, "reduce", "a task's reduce"),
            job: trace.entity_kind(EntityRole::Job, "job", "job {}").id(),
            task: trace.entity_kind(EntityRole::Item, "task", "task {}").id(),
            attempt: trace.entity_kind(EntityRole::Try, "attempt", "attempt {}").id(),
        }
    }
}

pub fn fact_of(name: &str) -> (FactRole, Option<&'static str>) {
    match name {
        "CPU_MILLISECONDS" => (FactRole::Cpu, Some("ms")),
        "GC_TIME_MILLIS" => (FactRole::Gc, Some("ms")),
        name if name.contains("BYTES") => (FactRole::Other, Some("bytes")),
        name if name.contains("MILLIS") || name.starts_with("clockSplits") => {
            (FactRole::Other, Some("ms"))
        }
        _ => (FactRole::Other, None),
    }
}
