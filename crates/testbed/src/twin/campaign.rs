//! Runs several scenarios (arms) alternately, so that background load affects all of them equally.
use super::args::TwinArgs;
use super::checkpoint::{Checkpoint, MeasuredRun};
use super::java::Java;
use super::machine::Work;
use super::{Comparison, Pair};
use crate::host;
use serde_json::{Map, Value, json};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use system::output::{self, Output};
use system::progress::Progress;
use system::{Failure, interrupt};

/// Arguments of a run: programs, folder, progress callback.
pub type Run<'r> = dyn FnMut(&Java, &Path, &dyn Fn(&str)) -> Result<(Pair, Work), Failure> + 'r;

pub struct Arm<'r> {
    pub name: String,
    /// Hash that identifies the scenario.
    pub of: String,
    pub run: Box<Run<'r>>,
}

pub struct ArmRuns {
    pub name: String,
    /// In order of the runs.
    pub made: Vec<MeasuredRun>,
}

impl ArmRuns {
    pub fn pairs(&self) -> Vec<Pair> {
        self.made.iter().map(|made| made.pair.clone()).collect()
    }

    pub fn work(&self) -> Vec<Work> {
        self.made.iter().map(|made| made.work).collect()
    }

    pub fn json(&self) -> Map<String, Value> {
        let run = |made: &MeasuredRun| {
            let mut run = made.work.json();
            run["predicted"] = json!(made.pair.predicted);
            run["chance"] = json!(made.pair.chance);
            run["measured"] = json!(made.pair.measured);
            run
        };
        let mut all = Comparison::of(&self.pairs()).json();
        all.insert("runs".into(), self.made.iter().map(run).collect());
        all
    }
}

pub struct Campaign {
    pub out: Output,
    pub place: PathBuf,
    pub arms: Vec<ArmRuns>,
    kept: Checkpoint,
}

impl Campaign {
    /// Makes all runs of all arms with the programs of a POM. Finished runs are kept next to
    /// `place`.
    ///
    /// # Errors
    /// Bad input: what the machine lacks. A run fails; interrupted.
    pub fn run(
        args: &TwinArgs,
        place: &Path,
        pom: &str,
        mut arms: Vec<Arm<'_>>,
    ) -> Result<Campaign, Failure> {
        output::check_place(place)?;
        host::check().map_err(|failure| match failure {
            Failure::Failed(why) => Failure::BadInput(why),
            other => other,
        })?;
        let out = Output::at(place)?;
        let java = Java::find(pom, &args.hadoop, args.jar.as_deref(), &out.path("hadoop"))?;
        let mut kept = Checkpoint::beside(place, &of(args, &arms))?;
        if let Err(why) = all(args.runs, (&java, &out), &mut arms, &mut kept) {
            return Err(kept.stopped(why));
        }
        let done = |arm: Arm<'_>| {
            let made = (1..=args.runs).filter_map(|nth| kept.find(&arm.name, nth).cloned());
            let made = made.collect();
            ArmRuns { name: arm.name, made }
        };
        let arms = arms.into_iter().map(done).collect();
        Ok(Campaign { out, place: place.to_path_buf(), arms, kept })
    }

    /// Publishes the results; `forget`: then deletes the kept runs.
    ///
    /// # Errors
    /// The results cannot be written; interrupted.
    pub fn keep(self, forget: bool) -> Result<(), Failure> {
        interrupt::check()?;
        self.out.keep()?;
        if forget {
            self.kept.forget()
        }
        Ok(())
    }
}

fn of(args: &TwinArgs, arms: &[Arm<'_>]) -> Value {
    let arms: Map<String, Value> =
        arms.iter().map(|arm| (arm.name.clone(), arm.of.as_str().into())).collect();
    json!({
        "arms": arms,
        "hadoop": args.hadoop,
        "seeds": args.seeds,
        "jar": args.jar.as_deref().map(print_of),
        "tenbin": env!("CARGO_PKG_VERSION"),
    })
}

fn print_of(file: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    fs::read(file).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// One run of each arm per round; the first arm rotates.
fn all(
    runs: u32,
    (java, out): (&Java, &Output),
    arms: &mut [Arm<'_>],
    kept: &mut Checkpoint,
) -> Result<(), Failure> {
    let progress = Progress::run();
    let count = arms.len();
    for nth in 1..=runs {
        for turn in 0..count {
            let arm = &mut arms[(turn + nth as usize - 1) % count];
            if kept.find(&arm.name, nth).is_some() {
                continue;
            }
            let (folder, named) = match count {
                1 => (format!("run-{nth}"), String::new()),
                _ => (format!("{}/run-{nth}", arm.name), format!(" of {}", arm.name)),
            };
            let folder = out.path(&folder);
            fs::create_dir_all(&folder).map_err(|e| Failure::writing(&folder, &e))?;
            let tell = |words: &str| progress.note(&format!("run {nth} of {runs}{named}: {words}"));
            let (pair, work) = (arm.run)(java, &folder, &tell)?;
            kept.add(&arm.name, nth, MeasuredRun { pair, work })?
        }
    }
    progress.end();
    Ok(())
}
