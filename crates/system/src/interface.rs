//! Interface of a system to the commands; every part is optional.
use crate::action::Action;
use crate::claims::Document;
use crate::failure::Failure;
use crate::finished::FinishedJob;
use crate::footprint::{self, Footprint};
use crate::interrupt;
use crate::reporter::Reporter;
use cluster::keys::Vocabulary;
use cluster::listing::About;
use cluster::sheet::{self, Assembly};
use cluster::{BadInput, Problem, Sheet, SystemData};
use engine::{CommittedEvent, Effort, Execution, Message, Nanos, Outcome, Stamp, World};
use std::ops::ControlFlow;
use trace::Trace;
use trace::reading::Reading;

/// A system that Tenbin simulates or analyses: a folder below `systems/` and a line in the
/// registry. Parts that [`System::new`] leaves empty are optional.
#[derive(Clone, Copy)]
pub struct System {
    /// The value of `[model] system`.
    pub name: &'static str,
    pub summary: &'static str,
    /// Its documentation: model, equations, assumptions.
    pub readme: &'static str,
    pub vocabulary: &'static Vocabulary,
    pub assembly: Assembly,
    pub simulation: Option<&'static dyn Simulation>,
    /// Names that its scenarios may use: policies with their documentation.
    pub policies: fn() -> Vec<PolicyInfo>,
    /// Scenarios compiled into the program: `tenbin run NAME`.
    pub scenarios: &'static [BuiltIn],
    /// Readers of real systems' files: `tenbin import NAME`.
    pub imports: &'static [&'static dyn Action],
    /// Searches for settings: `tenbin plan NAME`.
    pub plans: &'static [&'static dyn Action],
    /// Checks of a real cluster: `tenbin audit NAME`.
    pub audits: &'static [&'static dyn Action],
    /// Commands of this system only: `tenbin NAME`.
    pub commands: &'static [&'static dyn Action],
    /// Present if its runs consist of jobs: `tenbin why --job`, `report`, `serve`.
    pub jobs: Option<&'static Jobs>,
    /// The paper whose claims are checked: `tenbin reproduce NAME`.
    pub document: Option<&'static Document>,
}

impl System {
    /// A system with keys only.
    pub const fn new(vocabulary: &'static Vocabulary) -> System {
        System {
            name: vocabulary.system,
            summary: "",
            readme: "",
            vocabulary,
            assembly: sheet::plain,
            simulation: None,
            policies: Vec::new,
            scenarios: &[],
            imports: &[],
            plans: &[],
            audits: &[],
            commands: &[],
            jobs: None,
            document: None,
        }
    }

    /// Reads the trace of a finished run.
    pub fn reading(&self, trace: &Trace) -> Reading {
        self.simulation.map_or_else(|| Reading::of(trace), |of| of.reading(trace))
    }
}

/// A scenario compiled into the program, for users without a file.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    pub name: &'static str,
    /// The file's text, which refers to no other file; its first comment describes it.
    pub text: &'static str,
}

/// A name that a scenario may use, such as a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyInfo {
    /// The key that takes the name: `policy.metadata`.
    pub key: &'static str,
    pub name: &'static str,
    /// What it decides, when it helps, what it costs, reference.
    pub doc: String,
}

pub trait Simulation: Sync {
    /// Checks combinations of keys; each key alone is valid, and names are in [`System::policies`].
    /// Errors name file, line and key.
    fn check(&self, _sheet: &Sheet) -> Result<(), BadInput> {
        Ok(())
    }

    /// Whether a key takes several names, which only the model can parse; else one of
    /// [`System::policies`].
    fn combines(&self, _key: &str) -> bool {
        false
    }

    fn reporter(&self) -> &dyn Reporter;

    /// Additional facts for `tenbin check`.
    fn about(&self, sheet: &Sheet) -> About {
        About { what: sheet.vocabulary().system.into(), ..About::default() }
    }

    /// Memory of a run, before anything is allocated.
    fn footprint(&self, _sheet: &Sheet) -> Option<Footprint> {
        None
    }

    /// Approximate number of events, to announce the time of long runs.
    fn events(&self, _sheet: &Sheet) -> Option<u64> {
        None
    }

    /// The error if a run needs more than `physical` memory \[bytes\].
    fn too_large(&self, sheet: &Sheet, physical: u64) -> Option<Problem> {
        let need = self.footprint(sheet).filter(|need| need.bytes > physical)?;
        let problem = format!("{}: {need}", sheet.text(need.key));
        let expected = format!("less: {}", footprint::machine_has(physical));
        Some(sheet.problem(need.key, problem, expected))
    }

    /// A name if the loaded data does not depend on the seed; scenarios with the same name share
    /// it.
    fn shares(&self, _sheet: &Sheet) -> Option<String> {
        None
    }

    /// Reads or draws the input of a run, which may take long. Fails if a file is missing, changed
    /// or cut.
    fn load(&self, _sheet: &Sheet, _seed: u64) -> Result<SystemData, Failure> {
        Ok(None)
    }

    /// One run; the result depends only on the sheet and the seed. Fails on input that only the
    /// model can reject.
    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure>;

    /// Reads a trace; override it if the system's traces need a special reader.
    fn reading(&self, trace: &Trace) -> Reading {
        Reading::of(trace)
    }

    /// Whether a run can record a history of its operations.
    fn keeps_history(&self) -> bool {
        false
    }

    /// The recorded history: JSON lines, one per operation, for `tenbin check-history`. `None`: the
    /// system has no histories.
    fn history(&self, _done: &SimulatedRun) -> Option<String> {
        None
    }

    /// [`SimulatedRun::own`] for another machine; null: nothing that other runs' pages need.
    fn pack(&self, _own: &SystemData) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn unpack(&self, _packed: serde_json::Value) -> SystemData {
        None
    }

    /// Additional metrics of the explained run that cost about as much as part of a run.
    fn replays(
        &self,
        _sheet: &Sheet,
        _loaded: &SystemData,
        _done: &SimulatedRun,
    ) -> Vec<(String, f64)> {
        Vec::new()
    }
}

/// Receives committed events in order.
pub type Observer<'w> = dyn FnMut(&CommittedEvent<'_>) + 'w;

/// Receives progress, and may end the run.
pub type ProgressHandler<'t> = dyn FnMut(Progress) -> ControlFlow<()> + 't;

/// Options of a run. `RunOptions::by` a scheduler gives a run for its reading only.
pub struct RunOptions<'p> {
    /// Scheduler and MPI ranks; only the first rank gets the trace.
    pub execution: Execution<'p>,
    /// Keep the trace, not only the reading.
    pub keep_trace: bool,
    /// Check every record against the invariants.
    pub check: bool,
    /// Record every operation as its client sees it ([`Simulation::history`]).
    pub history: bool,
    /// Receives every committed event; slows the run. All ranks have an observer, or none.
    pub observer: Option<&'p mut Observer<'p>>,
    /// Called repeatedly with the progress; may end the run.
    pub progress: Option<&'p mut ProgressHandler<'p>>,
    /// Result of [`Simulation::load`]; `None`: the run loads its input itself.
    pub loaded: SystemData,
}

/// How a run ended, and its cost.
pub type RunEnd = (Outcome, Effort);

impl<'p> RunOptions<'p> {
    pub fn by(execution: impl Into<Execution<'p>>) -> RunOptions<'p> {
        let execution = execution.into();
        let (observer, progress, loaded) = (None, None, None);
        let (keep_trace, check, history) = (false, false, false);
        RunOptions { execution, keep_trace, check, history, observer, progress, loaded }
    }

    /// Executes a world with these options: records to `sink`, progress to `progress`.
    pub fn run<'a, M: engine::Model + 'a>(
        self,
        world: World<'a, M>,
        sink: impl FnMut(Stamp, M::Record),
    ) -> RunEnd
    where
        M::Event: Message<Out = M::Event>,
    {
        let progress = on_progress(self.progress);
        match self.observer {
            None => world.run_with(self.execution, sink, progress),
            Some(observer) => world.run_observed(self.execution, sink, observer, progress),
        }
    }
}

/// The engine's progress callback: calls `handler`, and ends the run if it or an interruption
/// requires it.
pub fn on_progress<'p>(
    mut handler: Option<&'p mut ProgressHandler<'p>>,
) -> impl FnMut(engine::Progress) -> ControlFlow<()> + 'p {
    move |p| {
        if let Some(handler) = &mut handler {
            handler(Progress { now: p.now, events: p.events, standing: String::new() })?
        }
        match interrupt::is_requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Progress {
    pub now: Nanos,
    pub events: u64,
    /// Work still open: "3 blocks not safe"; or empty.
    pub standing: String,
}

#[derive(Clone, Debug)]
pub struct SimulatedRun {
    /// Empty unless requested, and for an interrupted run.
    pub trace: Trace,
    pub reading: Reading,
    pub events: u64,
    /// Hash of every event, record and final state.
    pub trace_hash: u128,
    pub simulated: Nanos,
    pub interrupted: bool,
    /// Cost of the run; it varies between executions.
    pub effort: Effort,
    /// Violated invariants in order of time: each is a bug.
    pub violations: Vec<String>,
    /// Data of the system for its page.
    pub own: SystemData,
    /// (wall-clock time, CPU time of the calling thread) \[s\] of the events only; `None` if not
    /// measured separately from reading.
    pub event_seconds: Option<(f64, f64)>,
}

impl SimulatedRun {
    /// A run without violations that ended with the last record of its trace.
    pub fn to_last_record((trace, reading): (Trace, Reading), ended: RunEnd) -> SimulatedRun {
        let simulated = trace.last();
        SimulatedRun { simulated, ..SimulatedRun::of(trace, reading, ended) }
    }

    /// A run without violations.
    pub fn of(trace: Trace, reading: Reading, (outcome, effort): RunEnd) -> SimulatedRun {
        SimulatedRun {
            trace,
            reading,
            events: outcome.events,
            trace_hash: outcome.trace_hash,
            simulated: outcome.end,
            interrupted: outcome.interrupted,
            effort,
            violations: Vec::new(),
            own: None,
            event_seconds: None,
        }
    }
}

/// Functions that explain a run of jobs, simulated or logged, from its trace.
#[derive(Clone, Copy)]
pub struct Jobs {
    /// Output of `tenbin why --json`. Fails if the requested job or task is not in the run.
    pub json: fn(&Trace, &TaskFilter) -> Result<serde_json::Value, Failure>,
    /// Output of `tenbin why`.
    pub text: fn(&Trace, &TaskFilter) -> Result<String, Failure>,
    pub page: fn(&Trace) -> page::Page,
    /// The run for `tenbin diff`; `None` if the trace is sufficient.
    pub finished: fn(&Trace) -> Option<FinishedJob>,
    /// Names of causes with their documentation: `tenbin explain skew`.
    pub causes: fn() -> Vec<(&'static str, String)>,
}

/// Restricts an explanation; `None`: everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskFilter {
    pub job: Option<String>,
    pub task: Option<String>,
}
