//! Kinds of a job's trace, logged or simulated: the words that `why/` reads.
use trace::{EntityKind, EntityRole, FactRole, IntervalKind, IntervalRole, TraceBuilder};

pub mod interval {
    /// Submission to the first request of a task.
    pub const AM_START: &str = "am-start";
    /// Part of that: submission to the application master's start.
    pub const AM_CONTAINER: &str = "am-container";
    /// Part of that: until the job is ready.
    pub const AM_INIT: &str = "am-init";
    /// Part of that: until the first task is asked for.
    pub const AM_REQUEST: &str = "am-request";
    /// A job waits for its tasks.
    pub const TASKS: &str = "tasks";
    /// A reduce is held back.
    pub const SLOW_START: &str = "slow-start";
    /// A task waits for a container.
    pub const CONTAINER: &str = "container";
    /// A reduce waits for the last map.
    pub const MAPS: &str = "maps";
    /// A task waits for others that come before it: setup, clean-up.
    pub const BEFORE: &str = "before";
    /// The JobTracker has not received the end of a task yet.
    pub const HEARD: &str = "heard";
    pub const RUN: &str = "run";
    /// The output of an attempt that succeeded lies on its node, until it is lost.
    pub const HELD: &str = "held";
    /// Part of a run: until the last record is mapped.
    pub const MAP: &str = "map";
    /// Part of a run: sort and commit.
    pub const COMMIT: &str = "commit";
    /// Part of a run: copies map outputs.
    pub const COPY: &str = "copy";
    /// Part of a run: merges.
    pub const MERGE: &str = "merge";
    /// Part of a run: reduces.
    pub const REDUCE: &str = "reduce";
    /// A rule withholds tasks from a node.
    pub const WITHHELD: &str = "withheld";
}

/// Names of entities beside jobs, tasks and attempts.
pub mod entity {
    /// A rule that withholds tasks.
    pub const RULE: &str = "rule";
}

/// Names of facts beside the counters'.
pub mod fact {
    /// `job_…`
    pub const ID: &str = "id";
    pub const USER: &str = "user";
    pub const QUEUE: &str = "queue";
    /// As the history says it.
    pub const STATUS: &str = "status";
    /// The job's own words on how it ended.
    pub const DIAGNOSTICS: &str = "diagnostics";
    /// When a master was started in place of one before, in seconds of the trace.
    pub const RESTART: &str = "am-restart";
    /// What was done with times of several clocks, for people.
    pub const CLOCKS: &str = "clocks";
    /// 1 where no clock tells when attempts ran.
    pub const CLOCKS_UNKNOWN: &str = "clocks-unknown";
    /// "slots" where a JobTracker gave them out (Hadoop 1); else containers.
    pub const PLACES: &str = "places";
    pub const TYPE: &str = "type";
    /// NODE_LOCAL, RACK_LOCAL, OFF_SWITCH.
    pub const LOCALITY: &str = "locality";
    pub const AVATAAR: &str = "avataar";
    /// The container's id.
    pub const CONTAINER: &str = "container";
    /// Hosts that hold a map's input.
    pub const HOLDERS: &str = "split-hosts";
    pub const ERROR: &str = "error";
    /// Ms before the first twelfth of progress.
    pub const FIRST_TWELFTH: &str = "clockSplits[0]";
    /// Ms of all twelfths.
    pub const TWELFTHS: &str = "clockSplits";
    pub const MAPS: &str = "maps";
    /// Seconds that one fetch of a map output took.
    pub const FETCH: &str = "fetch";
    /// Seconds that one visit of a fetcher to a host took.
    pub const VISIT: &str = "fetcher-visit";
    pub const REDUCES: &str = "reduces";
}

/// Kinds of intervals and entities, declared.
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
    /// Declares them, as logs have them.
    pub fn of(trace: &mut TraceBuilder) -> Kinds {
        Kinds::with(trace, IntervalRole::Work)
    }

    /// The same for simulated jobs, whose runs are the operations that the time is read of.
    pub fn simulated(trace: &mut TraceBuilder) -> Kinds {
        Kinds::with(trace, IntervalRole::Operation)
    }

    /// That of output which was lost: few traces have it.
    pub fn held(trace: &mut TraceBuilder) -> IntervalKind {
        let label = "output lies on its node until it is lost";
        trace.interval_kind(IntervalRole::Wait, interval::HELD, label).id()
    }

    /// That of tasks which wait for others: few traces have it.
    pub fn before(trace: &mut TraceBuilder) -> IntervalKind {
        let label = "waits for tasks that come before it";
        trace.interval_kind(IntervalRole::Wait, interval::BEFORE, label).id()
    }

    /// That of tasks whose end the JobTracker hears of with a heartbeat: Hadoop 1 has it.
    pub fn heard(trace: &mut TraceBuilder) -> IntervalKind {
        let label = "until the JobTracker hears of its end";
        trace.interval_kind(IntervalRole::Wait, interval::HEARD, label).id()
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

/// The role and the unit of a fact of this name.
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
