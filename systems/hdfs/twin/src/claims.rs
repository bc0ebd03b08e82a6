//! C0.9 of Higai et al. 2014 on Hadoop daemons: one of six DataNodes is lost; arms: Hadoop's own
//! choice, the ring, and both ends chosen jointly. A placement policy chooses block by block, so
//! the paper's optimum is not an arm.
use crate::arms;
use analysis::{Stat, stat};
use hdfs::job;
use std::path::Path;
use system::Failure;
use system::claims::{MeasuredClaim, MeasuredClaims, RealRunOptions, ReproduceRequest, Verdict};
use system::reporter::figure;
use testbed::twin::comparison::{Figures, Pair};
use testbed::twin::{ArmRuns, Campaign, TwinArgs, runs};

const LOSS: &str = include_str!("../../scenarios/twin.toml");

const STOCK: &str = "default";
const RING: &str = "ring+jar";
const JOINT: &str = "min-max+jar";

const CLAIM: &str = "C0.9";
const RECOVERY: &str = "recovery_s";

pub(crate) fn real(
    asked: &ReproduceRequest<'_>,
    how: &RealRunOptions<'_>,
) -> Result<MeasuredClaims, Failure> {
    asked.unknown_claim(&[CLAIM]).map_or(Ok(()), Err)?;
    let lab = job::lab();
    let sheet = |policy: &str| {
        let sets = [("policy.rereplication".to_string(), policy.to_string())];
        Ok((policy.to_string(), lab.read_text(LOSS, Path::new("twin.toml"), &sets)?))
    };
    let all = [STOCK, RING, JOINT].map(sheet).into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let args = TwinArgs::of_claims("s0", how);
    let campaign = Campaign::run(&args, how.place, arms::POM, arms::arms(all, &args)?)?;
    let claim = judge(&campaign.arms, how.runs);
    runs::keep(campaign, &args, LOSS)?;
    Ok(vec![claim].into())
}

/// Throughput of the ring relative to the others, by run; no verdict, since the optimum is missing.
fn judge(arms: &[ArmRuns], runs: u32) -> MeasuredClaim {
    let both = |over: &str, under: &str| {
        let of: [fn(&Pair) -> &Figures; 2] = [|pair| &pair.measured, |pair| &pair.predicted];
        of.map(|of| {
            let (over, under) = (throughputs(arms, over, of), throughputs(arms, under, of));
            stat(&over.iter().zip(&under).map(|(over, under)| over / under).collect::<Vec<f64>>())
        })
    };
    let say = |both: &[Stat; 2]| {
        let [measured, predicted] =
            both.each_ref().map(|of| format!("{} ± {}", figure(of.mean), figure(of.ci95)));
        format!("{measured} (simulated {predicted})")
    };
    let (joint, stock) = (both(RING, JOINT), both(RING, STOCK));
    let reason = format!(
        "the ring's throughput is {} of joint's and {} of Hadoop's own choice; a placement policy \
         cannot have the optimum, so this does not decide the claim",
        say(&joint),
        say(&stock)
    );
    let [measured, predicted] = &joint;
    let what = (CLAIM, "throughput of ring / of joint, as in the jar");
    MeasuredClaim::of(what, (measured, predicted), Verdict::of([None]), (runs, reason))
}

/// Blocks copied per second, by run: losses differ in their number of blocks.
fn throughputs(arms: &[ArmRuns], name: &str, of: fn(&Pair) -> &Figures) -> Vec<f64> {
    let arm = arms.iter().find(|arm| arm.name == name);
    let made = arm.into_iter().flat_map(|arm| &arm.made);
    let throughput = |figures: &Figures| {
        let copies = figures.iter().filter(|(name, _)| name.starts_with("received_"));
        let copies: f64 = copies.map(|(_, copies)| copies).sum();
        Some(copies / figures.get(RECOVERY)?)
    };
    made.filter_map(|made| throughput(of(&made.pair))).collect()
}
