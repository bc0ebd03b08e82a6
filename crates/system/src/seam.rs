//! What a system offers to the commands. Whatever it lacks it leaves out.
use crate::action::Action;
use crate::claims::Document;
use crate::failure::Failure;
use crate::finished::Finished;
use crate::footprint::{self, Footprint};
use crate::interrupt;
use crate::words::Words;
use cluster::keys::Vocabulary;
use cluster::listing::About;
use cluster::sheet::{self, Assembly};
use cluster::{BadInput, Own, Problem, Sheet};
use engine::{Committed, Effort, Execution, Message, Nanos, Outcome, Stamp, World};
use std::ops::ControlFlow;
use trace::Trace;
use trace::reading::Reading;

/// A system that Tenbin answers for: one folder below `systems/`, one line in the registry. What
/// [`System::new`] leaves empty a system may lack.
#[derive(Clone, Copy)]
pub struct System {
    /// As `[model] system` names it.
    pub name: &'static str,
    pub what: &'static str,
    /// Its page: what is modelled, equations, assumptions.
    pub readme: &'static str,
    /// The keys of its scenarios.
    pub vocabulary: &'static Vocabulary,
    pub assembly: Assembly,
    pub simulation: Option<&'static dyn Simulation>,
    /// What else its scenarios may name: policies, with the page of each.
    pub named: fn() -> Vec<Named>,
    /// Scenarios that the program brings along: `tenbin run NAME`.
    pub scenarios: &'static [BuiltIn],
    /// Readers of real systems' files: `tenbin import NAME`.
    pub imports: &'static [&'static dyn Action],
    /// Searches for settings: `tenbin plan NAME`.
    pub plans: &'static [&'static dyn Action],
    /// Examinations of a real cluster: `tenbin audit NAME`.
    pub audits: &'static [&'static dyn Action],
    /// Commands that no other system has: `tenbin NAME`.
    pub commands: &'static [&'static dyn Action],
    /// Present if its runs are of jobs: `tenbin why --job`, `report`, `serve`.
    pub jobs: Option<&'static Jobs>,
    /// The document whose claims are checked: `tenbin reproduce NAME`.
    pub document: Option<&'static Document>,
}

impl System {
    /// One of which only keys are known.
    pub const fn new(vocabulary: &'static Vocabulary) -> System {
        System {
            name: vocabulary.system,
            what: "",
            readme: "",
            vocabulary,
            assembly: sheet::plain,
            simulation: None,
            named: Vec::new,
            scenarios: &[],
            imports: &[],
            plans: &[],
            audits: &[],
            commands: &[],
            jobs: None,
            document: None,
        }
    }

    /// A finished run's trace, read as its runs are.
    pub fn reading(&self, trace: &Trace) -> Reading {
        self.simulation.map_or_else(|| Reading::of(trace), |of| of.reading(trace))
    }
}

/// A scenario in the program itself: what someone runs who has installed it and has no file yet.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// As `tenbin run` takes it.
    pub name: &'static str,
    /// Its file, which needs no other; the comment at its head says what it is.
    pub text: &'static str,
}

/// A name that a scenario may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The key that takes it: `policy.metadata`.
    pub key: &'static str,
    pub name: &'static str,
    /// Its page: what it decides, when it helps, what it costs, reference.
    pub doc: String,
}

pub trait Simulation: Sync {
    /// Whether the scenario makes sense; its keys are right each by itself, and the names that
    /// stand in it are [`System::named`].
    ///
    /// # Errors
    /// What does not go together, with file, line and key.
    fn check(&self, _sheet: &Sheet) -> Result<(), BadInput> {
        Ok(())
    }

    /// Whether a key takes several names together, as the model alone can read them; else it takes
    /// one of [`System::named`].
    fn combines(&self, _key: &str) -> bool {
        false
    }

    fn words(&self) -> &dyn Words;

    /// What `tenbin check` says besides its keys.
    fn about(&self, sheet: &Sheet) -> About {
        About { what: sheet.vocabulary().system.into(), ..About::default() }
    }

    /// What a run needs, before anything is drawn or loaded.
    fn footprint(&self, _sheet: &Sheet) -> Option<Footprint> {
        None
    }

    /// Events of a run, about: how long it takes is said of them before it is long.
    fn events(&self, _sheet: &Sheet) -> Option<u64> {
        None
    }

    /// What is wrong with a scenario on a machine of so much memory \[bytes\].
    fn too_large(&self, sheet: &Sheet, physical: u64) -> Option<Problem> {
        let need = self.footprint(sheet).filter(|need| need.bytes > physical)?;
        let problem = format!("{}: {need}", sheet.text(need.key));
        let expected = format!("less: {}", footprint::machine_has(physical));
        Some(sheet.problem(need.key, problem, expected))
    }

    /// What its runs load is the same whatever their seed, and in all scenarios of this name: it is
    /// loaded once for all of them.
    fn shares(&self, _sheet: &Sheet) -> Option<String> {
        None
    }

    /// What a run needs that takes long to read or to draw, apart from the run.
    ///
    /// # Errors
    /// Bad input: a file that is missing, changed or cut.
    fn load(&self, _sheet: &Sheet, _seed: u64) -> Result<Own, Failure> {
        Ok(None)
    }

    /// One run from a seed. The result depends on the sheet and the seed alone.
    ///
    /// # Errors
    /// Bad input that only the model can see.
    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<Simulated, Failure>;

    /// What a finished run's trace comes to, where it is not read as all are.
    fn reading(&self, trace: &Trace) -> Reading {
        Reading::of(trace)
    }

    /// Whether a run can keep a history of its operations.
    fn keeps_history(&self) -> bool {
        false
    }

    /// The history of a run for which that was wanted: JSON lines, an operation each, as `tenbin
    /// check-history` reads them. `None`: the system has none.
    fn history(&self, _done: &Simulated) -> Option<String> {
        None
    }

    /// More figures of the one run that is explained: such as cost as much as part of a run.
    fn replays(&self, _sheet: &Sheet, _loaded: &Own, _done: &Simulated) -> Vec<(String, f64)> {
        Vec::new()
    }
}

/// Who is shown committed events, in their order.
pub type Observer<'w> = dyn FnMut(&Committed<'_>) + 'w;

/// Who is told how far a run is, and may end it.
pub type Tell<'t> = dyn FnMut(Progress) -> ControlFlow<()> + 't;

/// How to run; `RunOptions::by` a scheduler is a run for its reading alone.
pub struct RunOptions<'p> {
    /// Which scheduler, among which processes; of several processes the first gets the trace.
    pub execution: Execution<'p>,
    /// The trace is wanted, and not only its reading.
    pub keep_trace: bool,
    /// Hold every record against the invariants.
    pub check: bool,
    /// Every operation is wanted as its client saw it ([`Simulation::history`]).
    pub history: bool,
    /// Is shown every committed event; the run is slower. All processes have one, or none.
    pub observer: Option<&'p mut Observer<'p>>,
    /// Called every now and then with how far the run is; may end it.
    pub tell: Option<&'p mut Tell<'p>>,
    /// What [`Simulation::load`] made; whoever has none loads it.
    pub loaded: Own,
}

/// How a run ended, and what it took.
pub type Ended = (Outcome, Effort);

impl<'p> RunOptions<'p> {
    /// Unwatched, unchecked, without its trace.
    pub fn by(execution: impl Into<Execution<'p>>) -> RunOptions<'p> {
        let execution = execution.into();
        let (observer, tell, loaded) = (None, None, None);
        let (keep_trace, check, history) = (false, false, false);
        RunOptions { execution, keep_trace, check, history, observer, tell, loaded }
    }

    /// Runs a world this way: its records go to `sink`, its progress to `tell`.
    pub fn run<'a, M: engine::Model + 'a>(
        self,
        world: World<'a, M>,
        sink: impl FnMut(Stamp, M::Record),
    ) -> Ended
    where
        M::Event: Message<Out = M::Event>,
    {
        let progress = on_progress(self.tell);
        match self.observer {
            None => world.run_with(self.execution, sink, progress),
            Some(observer) => world.run_observed(self.execution, sink, observer, progress),
        }
    }
}

/// What the engine calls as a run goes on: it passes the progress to `tell`, and ends the run when
/// `tell` or the user asks for that.
pub fn on_progress<'p>(
    mut tell: Option<&'p mut Tell<'p>>,
) -> impl FnMut(engine::Progress) -> ControlFlow<()> + 'p {
    move |p| {
        if let Some(tell) = &mut tell {
            tell(Progress { now: p.now, events: p.events, standing: String::new() })?
        }
        match interrupt::asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Progress {
    pub now: Nanos,
    pub events: u64,
    /// What is still open: "3 blocks not safe"; or nothing.
    pub standing: String,
}

/// A finished (or interrupted) run.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// What happened; empty where nobody wanted it, and of a run that was interrupted.
    pub trace: Trace,
    pub reading: Reading,
    pub events: u64,
    /// Of every event, record and final state.
    pub trace_hash: u128,
    /// Simulated time at the end.
    pub simulated: Nanos,
    /// Ended by the progress callback.
    pub interrupted: bool,
    /// What it took, another one each time.
    pub effort: Effort,
    /// Broken invariants, in the order of time: each is a bug.
    pub violations: Vec<String>,
    /// What its system keeps of it for its page.
    pub own: Own,
    /// By the clock, and what the calling thread worked \[s\]: of its events alone, where that is
    /// measured apart from what is read of them.
    pub took: Option<(f64, f64)>,
}

impl Simulated {
    /// What a run came to that broke no invariant, and nothing happened in it after its trace.
    pub fn to_its_last((trace, reading): (Trace, Reading), ended: Ended) -> Simulated {
        let simulated = trace.last();
        Simulated { simulated, ..Simulated::of(trace, reading, ended) }
    }

    /// What a run came to that broke no invariant.
    pub fn of(trace: Trace, reading: Reading, (outcome, effort): Ended) -> Simulated {
        Simulated {
            trace,
            reading,
            events: outcome.events,
            trace_hash: outcome.trace_hash,
            simulated: outcome.end,
            interrupted: outcome.interrupted,
            effort,
            violations: Vec::new(),
            own: None,
            took: None,
        }
    }
}

/// Functions that explain a run of jobs, simulated or logged, by its trace alone.
#[derive(Clone, Copy)]
pub struct Jobs {
    /// What `tenbin why --json` prints. Bad input: what is asked for is not in the run.
    pub json: fn(&Trace, &Only) -> Result<serde_json::Value, Failure>,
    /// What `tenbin why` prints.
    pub text: fn(&Trace, &Only) -> Result<String, Failure>,
    /// The page of a run.
    pub page: fn(&Trace) -> page::Page,
    /// A run of real work, as another is held against it; `None` where its trace says all.
    pub finished: fn(&Trace) -> Option<Finished>,
    /// Causes that can be named, with their pages: `tenbin explain skew`.
    pub causes: fn() -> Vec<(&'static str, String)>,
}

/// Which part of a run is asked for; `None`: all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Only {
    /// One job, by its id.
    pub job: Option<String>,
    /// One task, by its name.
    pub task: Option<String>,
}
