//! Reads a system's scenarios and runs variants × seeds on all cores.
use crate::campaign::{self, Campaign};
use crate::elsewhere;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::interface::{ProgressHandler, RunOptions, SimulatedRun, Simulation, System};
use crate::provenance::{command_line, hash_text};
use crate::reporter::Reporter;
pub use crate::rows::{Row, RowRuns, SeedRun};
use crate::session::{self, Elsewhere};
use crate::vary::Set;
use crate::{built_in, console, interrupt, memory, pool};
use analysis::{Stat, stat};
use cluster::listing::About;
use cluster::{Sheet, SystemData};
use engine::Scheduler;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use trace::reading::Reading;

impl SeedRun {
    pub fn of(seed: u64, done: &SimulatedRun) -> SeedRun {
        SeedRun { seed, reading: done.reading.clone(), own: done.own.clone() }
    }
}

pub struct Outcome {
    /// In the order of the request; after an interruption some lack seeds.
    pub rows: Vec<RowRuns>,
    /// First variant and seed, with its trace; `None` if interrupted before.
    pub first: Option<SimulatedRun>,
}

/// A scenario's text, read once, with the lab of its system.
pub struct ScenarioText {
    pub lab: Lab,
    pub file: PathBuf,
    pub text: String,
}

impl ScenarioText {
    /// Reads and checks the scenario; see [`Lab::read`].
    pub fn sheet(&self, sets: &[Set]) -> Result<Sheet, Failure> {
        self.lab.read_text(&self.text, &self.file, sets)
    }
}

#[derive(Clone, Copy)]
pub struct Lab {
    system: &'static System,
    simulation: &'static dyn Simulation,
}

impl Lab {
    /// Fails for a system that only imports logs.
    pub fn of(system: &'static System) -> Result<Lab, Failure> {
        let name = system.name;
        let none = || Failure::BadInput(format!("{name} is not simulated: import its logs"));
        Ok(Lab { system, simulation: system.simulation.ok_or_else(none)? })
    }

    pub fn system(&self) -> &'static System {
        self.system
    }

    pub fn reporter(&self) -> &'static dyn Reporter {
        self.simulation.reporter()
    }

    /// Whether a run can record a history of its operations.
    pub fn keeps_history(&self) -> bool {
        self.simulation.keeps_history()
    }

    /// `None` unless the run recorded one.
    pub fn history(&self, done: &SimulatedRun) -> Option<String> {
        self.simulation.history(done)
    }

    /// Reads and checks a scenario: a file, or a built-in one by name. Errors name file, line, key,
    /// what was expected and the nearest valid name.
    pub fn read(&self, file: &Path, sets: &[Set]) -> Result<Sheet, Failure> {
        match built_in::find(&[self.system], file)? {
            Some((_, scenario)) => self.read_text(scenario.text, file, sets),
            None => {
                let System { vocabulary, assembly, .. } = self.system;
                let sheet = Sheet::read(file, sets, vocabulary, *assembly).map_err(bad)?;
                self.checked(sheet)
            }
        }
    }

    /// [`read`](Self::read) from a text; `file` is for messages.
    pub fn read_text(&self, text: &str, file: &Path, sets: &[Set]) -> Result<Sheet, Failure> {
        let System { vocabulary, assembly, .. } = self.system;
        let sheet = Sheet::from_str(text, file, sets, vocabulary, *assembly).map_err(bad)?;
        self.checked(sheet)
    }

    pub fn with(&self, sheet: &Sheet, sets: &[Set]) -> Result<Sheet, Failure> {
        self.checked(sheet.with(sets).map_err(bad)?)
    }

    fn checked(&self, sheet: Sheet) -> Result<Sheet, Failure> {
        self.check_names(&sheet)?;
        self.simulation.check(&sheet).map_err(bad)?;
        console::idle(&sheet.settings, self.system.vocabulary);
        console::old_names(&sheet.settings);
        Ok(sheet)
    }

    /// Checks keys that take a name, such as policies.
    fn check_names(&self, sheet: &Sheet) -> Result<(), Failure> {
        let named = (self.system.policies)();
        let keys = named.iter().map(|one| one.key);
        for key in keys.filter(|key| !self.simulation.combines(key)) {
            let right = named.iter().filter(|one| one.key == key).map(|one| one.name);
            let right: Vec<&str> = right.collect();
            if sheet.find(key).is_some() && !right.contains(&sheet.text(key)) {
                return Err(bad(sheet.reject(key, &right)));
            }
        }
        Ok(())
    }

    /// `None` if interrupted. Fails on input that only the model can reject, and on a violated
    /// invariant.
    pub fn run_once(
        &self,
        sheet: &Sheet,
        seed: u64,
        how: RunOptions<'_>,
    ) -> Result<Option<SimulatedRun>, Failure> {
        let mut simulated = match self.simulation.run(sheet, seed, how) {
            Err(Failure::Interrupted(_)) => return Ok(None),
            simulated => simulated?,
        };
        if simulated.interrupted || interrupt::is_requested() {
            return Ok(None);
        }
        if let Some(first) = simulated.violations.first() {
            return Err(Failure::Failed(format!(
                "{} invariants are broken, first: {first} (scenario {}, seed {seed}): this is a \
                 bug in tenbin",
                simulated.violations.len(),
                sheet.file.display()
            )));
        }
        self.sign(&mut simulated, sheet, seed);
        Ok(Some(simulated))
    }

    /// Adds to the trace its origin and how to reproduce it.
    fn sign(&self, simulated: &mut SimulatedRun, sheet: &Sheet, seed: u64) {
        let hash = hash_text(simulated.trace_hash);
        for (key, value) in [
            ("system", self.system.name.to_string()),
            ("origin", "simulated".into()),
            ("scenario", sheet.name.clone()),
            ("scenario_hash", sheet.hash.clone()),
            ("seed", seed.to_string()),
            ("trace_hash", hash),
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("command", command_line()),
        ] {
            if simulated.trace.about(key).is_none() {
                simulated.trace.run.push((key.to_string(), value))
            }
        }
    }

    /// One sequential run, without a trace.
    pub fn measure(&self, sheet: &Sheet, seed: u64) -> Result<Reading, Failure> {
        let done = self.run_once(sheet, seed, RunOptions::by(Scheduler::Sequential))?;
        Ok(done.ok_or_else(interrupt::nothing_written)?.reading)
    }

    /// Runs every variant with every seed, each sequentially, with progress on a terminal. The
    /// first run keeps its trace if `keep_trace`. Returns the first failure in the order of
    /// variants and seeds, so that the message is reproducible.
    pub fn run(
        &self,
        rows: &[Row],
        seeds: &[u64],
        keep_trace: bool,
        what: &'static str,
    ) -> Result<Outcome, Failure> {
        if let Some(elsewhere) = session::current().and_then(|session| session.elsewhere()) {
            return self.run_elsewhere(&*elsewhere, rows, seeds, keep_trace);
        }
        let campaign =
            Campaign { rows: rows.len(), seeds, threads: self.parallel_runs_of(rows)?, what };
        let shared = self.shared(rows)?;
        let one = |run: campaign::Run, tell: &mut ProgressHandler<'_>| {
            let keep_trace = run.is_first && keep_trace;
            let how = RunOptions {
                keep_trace,
                progress: Some(tell as _),
                loaded: shared[run.row].clone(),
                ..RunOptions::by(Scheduler::Sequential)
            };
            self.run_once(&rows[run.row].sheet, run.seed, how)
        };
        let is_brief = session::current().is_some_and(|session| session.is_brief());
        let read = |run: campaign::Run, done: &SimulatedRun| {
            let run = SeedRun::of(run.seed, done);
            if is_brief { elsewhere::brief(run) } else { run }
        };
        let campaign::Outcome { rows: finished, first } = campaign.run(one, read)?;
        let row = |(row, runs): (&Row, Vec<SeedRun>)| RowRuns {
            name: row.name.clone(),
            set: row.set.clone(),
            runs,
        };
        Ok(Outcome { rows: rows.iter().zip(finished).map(row).collect(), first })
    }

    /// [`run`](Self::run) with all runs except the first on other machines.
    fn run_elsewhere(
        &self,
        elsewhere: &dyn Elsewhere,
        rows: &[Row],
        seeds: &[u64],
        keep_trace: bool,
    ) -> Result<Outcome, Failure> {
        let all = rows.iter().flat_map(|row| seeds.iter().map(|seed| (&row.sheet, *seed)));
        let Some((sheet, seed)) = all.clone().next() else {
            return Ok(Outcome { rows: Vec::new(), first: None });
        };
        let tasks: Vec<String> = all.skip(1).map(|(of, seed)| elsewhere::task(of, seed)).collect();
        let how = RunOptions { keep_trace, ..RunOptions::by(Scheduler::Sequential) };
        let (first, others) = thread::scope(|scope| {
            let others = scope.spawn(|| match tasks.is_empty() {
                true => Ok(Vec::new()),
                false => elsewhere.perform(tasks),
            });
            (self.run_once(sheet, seed, how), others.join().expect("it does not panic"))
        });
        let first = first?;
        let unpacked = |result: Option<String>| {
            result.map(|result| elsewhere::unpack(self.simulation, &result)).transpose()
        };
        let others = others?.into_iter().map(unpacked);
        let first_run = first.as_ref().map(|done| SeedRun::of(seed, done));
        let mut runs = std::iter::once(Ok(first_run)).chain(others);
        let row = |row: &Row| {
            let runs = runs.by_ref().take(seeds.len()).collect::<Result<Vec<_>, Failure>>()?;
            let runs = runs.into_iter().flatten().collect();
            Ok(RowRuns { name: row.name.clone(), set: row.set.clone(), runs })
        };
        Ok(Outcome { rows: rows.iter().map(row).collect::<Result<_, Failure>>()?, first })
    }

    pub(crate) fn packed(&self, run: &SeedRun, is_brief: bool) -> String {
        elsewhere::pack(self.simulation, run, is_brief)
    }

    /// The objective of each variant of `text` over seeds 1 to `seeds`, with `sets` in all; and the
    /// sheet without a variant. Fails if interrupted or if a run has no value.
    pub fn means<const N: usize>(
        &self,
        text: &str,
        sets: &[Set],
        variants: [(&str, &str); N],
        seeds: u32,
    ) -> Result<(Sheet, [Stat; N]), Failure> {
        let file = Path::new("scenario.toml");
        let row = |(key, value): (&str, &str)| -> Result<Row, Failure> {
            let own = (key.to_string(), value.to_string());
            let set: Vec<Set> = std::iter::once(own).chain(sets.iter().cloned()).collect();
            let sheet = self.read_text(text, file, &set)?;
            Ok(Row { name: format!("{key} = {value}"), set, sheet })
        };
        let rows = variants.into_iter().map(row).collect::<Result<Vec<Row>, Failure>>()?;
        let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
        let done = self.run(&rows, &seeds, false, "claims")?;
        interrupt::check()?;
        let none = |row: &RowRuns| Failure::Failed(format!("{}: a run has no value", row.name));
        let mean = |row: &RowRuns| row.values().map(|all| stat(&all)).ok_or_else(|| none(row));
        let all = done.rows.iter().map(mean).collect::<Result<Vec<Stat>, Failure>>()?;
        let sheet = self.read_text(text, file, sets)?;
        Ok((sheet, std::array::from_fn(|place| all[place])))
    }

    /// Loaded data of each variant; variants with the same data share it.
    fn shared(&self, rows: &[Row]) -> Result<Vec<SystemData>, Failure> {
        let mut known: BTreeMap<String, SystemData> = BTreeMap::new();
        let mut one = |row: &Row| {
            let Some(name) = self.shares(&row.sheet) else { return Ok(None) };
            if let Some(loaded) = known.get(&name) {
                return Ok(loaded.clone());
            }
            let loaded = self.load(&row.sheet, 0)?;
            known.insert(name, loaded.clone());
            Ok(loaded)
        };
        rows.iter().map(&mut one).collect()
    }

    /// Number of runs that fit into memory at once.
    fn parallel_runs_of(&self, rows: &[Row]) -> Result<usize, Failure> {
        let mut threads = pool::threads();
        for row in rows {
            threads = threads.min(self.parallel_runs(&row.sheet)?)
        }
        Ok(threads)
    }

    /// Number of runs that fit into memory at once. Fails, with the largest key, if one run does
    /// not fit.
    pub fn parallel_runs(&self, sheet: &Sheet) -> Result<usize, Failure> {
        let (Some(need), Some(physical)) = (self.footprint(sheet), memory::physical_bytes()) else {
            return Ok(usize::MAX);
        };
        match self.simulation.too_large(sheet, physical) {
            Some(problem) => Err(bad(problem)),
            None => Ok(need.fit_into(physical)),
        }
    }

    /// Memory of a run, before anything is allocated.
    pub fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        self.simulation.footprint(sheet)
    }

    pub fn events(&self, sheet: &Sheet) -> Option<u64> {
        self.simulation.events(sheet)
    }

    /// Additional facts for `tenbin check`.
    pub fn about(&self, sheet: &Sheet) -> About {
        self.simulation.about(sheet)
    }

    pub fn shares(&self, sheet: &Sheet) -> Option<String> {
        self.simulation.shares(sheet)
    }

    pub fn load(&self, sheet: &Sheet, seed: u64) -> Result<SystemData, Failure> {
        self.simulation.load(sheet, seed)
    }

    /// Whether the model is far from what its input measured.
    pub(crate) fn is_far(&self, sheet: &Sheet, runs: &[SeedRun]) -> bool {
        let measured = self.reporter().measured(sheet, runs);
        measured.is_some_and(|measured| measured.far().is_some())
    }

    pub fn replays(
        &self,
        sheet: &Sheet,
        loaded: &SystemData,
        done: &SimulatedRun,
    ) -> Vec<(String, f64)> {
        self.simulation.replays(sheet, loaded, done)
    }
}

pub fn bad(what: impl std::fmt::Display) -> Failure {
    Failure::BadInput(what.to_string())
}
