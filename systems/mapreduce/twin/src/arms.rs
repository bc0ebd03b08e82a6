//! Runs a scenario's arms on daemons, then in the simulation.
use crate::daemons::{self, RunOutput};
use crate::figures;
use crate::setup::TwinSetup;
use cluster::Sheet;
use mapreduce::MAPREDUCE;
use std::cell::Cell;
use std::rc::Rc;
use system::lab::Lab;
use system::{Failure, vary};
use testbed::twin::campaign::Run;
use testbed::twin::{Arm, Figures, Pair, TwinArgs, runs};

pub(crate) const POM: &str = include_str!("../../hadoop/twin/pom.xml");

pub(crate) fn twin(args: &TwinArgs) -> Result<(), Failure> {
    let lab = Lab::of(&MAPREDUCE)?;
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    let arms = arms(&lab, args.varied(&lab, &sheet)?, args)?;
    runs(args, (&sheet.name, POM), arms, &|pairs| masters(pairs) + &figures::crossings_text(pairs))
}

/// One arm per scenario. The first run measures the startup of an empty task; later runs reuse it.
pub(crate) fn arms<'a>(
    lab: &'a Lab,
    all: Vec<(String, Sheet)>,
    args: &'a TwinArgs,
) -> Result<Vec<Arm<'a>>, Failure> {
    let idle = Rc::new(Cell::new(None));
    let arm = |(name, sheet): (String, Sheet)| {
        let idle = Rc::clone(&idle);
        let wanted = TwinSetup::of(&sheet, args.jar.is_some())?;
        let of = sheet.hash.clone();
        let run: Box<Run<'a>> = Box::new(move |java, folder, tell| {
            let ran = daemons::run(&wanted, java, args, (folder, idle.get()), tell)?;
            let RunOutput { work, histories, startup, above } = ran;
            idle.set(Some(startup));
            tell("simulating");
            let mut measured = figures::measured(&histories)?;
            measured.extend(above);
            measured.insert(figures::STARTUP.into(), startup);
            let sheet = lab.with(&sheet, &measured_settings(&[&measured]))?;
            let (predicted, chance) = figures::predicted(lab, &sheet, args.seeds)?;
            Ok((Pair { predicted, chance, measured }, work))
        });
        Ok(Arm { name, of, run })
    };
    all.into_iter().map(arm).collect()
}

/// Measured values that the simulation takes as settings: the startup of an empty task, and the
/// time between jobs whose AMs are ready.
pub(crate) fn measured_settings(runs: &[&Figures]) -> Vec<(String, String)> {
    let keys =
        [("task.startup", figures::STARTUP), ("workload.arrival_interval", figures::ARRIVAL)];
    let set = |(key, name): (&str, &str)| {
        let all: Vec<f64> = runs.iter().filter_map(|run| run.get(name).copied()).collect();
        (!all.is_empty()).then(|| (key.into(), format!("{:.0}ms", 1e3 * figures::mean(&all))))
    };
    keys.into_iter().filter_map(set).collect()
}

fn masters(pairs: &[Pair]) -> String {
    let mean = |name: &str| {
        let of = |pair: &Pair| pair.measured.get(name).copied();
        figures::mean(&pairs.iter().filter_map(of).collect::<Vec<f64>>())
    };
    format!(
        "Measured next to the jobs, and simulated as task.startup: {:.1} s of an empty task; as \
         workload.arrival_interval: {:.1} s from one ready master to the next.\nNot simulated, not \
         in the times: {:.1} s from submission to a ready master.\n",
        mean(figures::STARTUP),
        mean(figures::ARRIVAL),
        mean(figures::MASTER)
    )
}
