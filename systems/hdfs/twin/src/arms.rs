//! Runs each arm of a scenario on daemons, then simulates the run.
use crate::setup::TwinSetup;
use crate::{daemons, predicted};
use cluster::Sheet;
use hdfs::job;
use system::{Failure, vary};
use testbed::twin::campaign::Run;
use testbed::twin::{Arm, Pair, TwinArgs, runs};

pub(crate) const POM: &str = include_str!("../../hadoop/twin/pom.xml");

pub(crate) fn twin(args: TwinArgs) -> Result<(), Failure> {
    let lab = job::lab();
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    let arms = arms(args.varied(&lab, &sheet)?, &args)?;
    runs(&args, (&sheet.name, POM), arms, &|_| String::new())
}

pub(crate) fn arms<'a>(
    all: Vec<(String, Sheet)>,
    args: &'a TwinArgs,
) -> Result<Vec<Arm<'a>>, Failure> {
    let arm = |(name, sheet): (String, Sheet)| {
        let wanted = TwinSetup::of(&sheet, args.jar.is_some())?;
        let run: Box<Run<'a>> = Box::new(move |hadoop, folder, tell| {
            let work = daemons::run(&wanted, hadoop, args, folder, tell)?;
            tell("reading and simulating");
            let (predicted, chance, cluster) = predicted::predicted(folder, &wanted, args.seeds)?;
            let measured = predicted::measured(folder, &wanted, &cluster)?;
            Ok((Pair { predicted, chance, measured }, work))
        });
        Ok(Arm { name, of: sheet.hash, run })
    };
    all.into_iter().map(arm).collect()
}
