//! C0.9 on Hadoop's own daemons: six DataNodes, one of them lost, with Hadoop's own choice, the
//! ring and the exact optimum, the latter two as far as a placement policy can go.
use super::claims::number_with_spread;
use crate::failure::Failure;
use crate::job;
use crate::twin;
use analysis::{Stat, stat};
use std::path::Path;
use system::claims::{Asked, Band, Measured, Real};
use testbed::twin::compared::{Figures, Pair};
use testbed::twin::{Campaign, Done, TwinArgs, runs};

const LOSS: &str = include_str!("../../../scenarios/twin.toml");

const STOCK: &str = "default";
const RING: &str = "ring+jar";
const OPTIMUM: &str = "min-max+jar";

const CLAIM: &str = "C0.9";
const RECOVERY: &str = "recovery_s";

/// Runs all three, and judges the claim.
pub(super) fn real(asked: &Asked<'_>, how: &Real<'_>) -> Result<Vec<Measured>, Failure> {
    asked.unknown(&[CLAIM]).map_or(Ok(()), Err)?;
    let lab = job::lab();
    let sheet = |policy: &str| {
        let sets = [("policy.rereplication".to_string(), policy.to_string())];
        Ok((policy.to_string(), lab.read_text(LOSS, Path::new("twin.toml"), &sets)?))
    };
    let all = [STOCK, RING, OPTIMUM].map(sheet).into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let args = TwinArgs::of_claims("s0", how);
    let campaign = Campaign::run(&args, how.place, twin::POM, twin::arms(all, &args)?)?;
    let claim = judge(&campaign.arms, how.runs);
    runs::keep(campaign, &args, LOSS)?;
    Ok(vec![claim])
}

/// Throughput is what a loss leaves to be copied over the time that it takes: of as much to copy,
/// its ratio is that of times the other way round.
fn judge(arms: &[Done], runs: u32) -> Measured {
    let times = |name: &str, of: fn(&Pair) -> &Figures| -> Vec<f64> {
        let arm = arms.iter().find(|arm| arm.name == name);
        let made = arm.into_iter().flat_map(|arm| &arm.made);
        made.filter_map(|made| of(&made.pair).get(RECOVERY).copied()).collect()
    };
    let ratio = |over: &str, under: &str, of: fn(&Pair) -> &Figures| -> Stat {
        let (over, under) = (times(over, of), times(under, of));
        stat(&under.iter().zip(&over).map(|(under, over)| under / over).collect::<Vec<f64>>())
    };
    let both = |over, under| {
        [ratio(over, under, |pair| &pair.measured), ratio(over, under, |pair| &pair.predicted)]
    };
    let say = |[measured, predicted]: &[Stat; 2]| {
        format!(
            "{} (simulated {})",
            number_with_spread(measured.mean, measured.ci95),
            number_with_spread(predicted.mean, predicted.ci95)
        )
    };
    let (optimum, stock) = (both(RING, OPTIMUM), both(RING, STOCK));
    let reason = format!(
        "the ring's throughput is {} of the optimum's and {} of Hadoop's own choice",
        say(&optimum),
        say(&stock)
    );
    let [measured, predicted] = &optimum;
    let what = (CLAIM, "throughput of ring / of the optimum, as placement policies");
    Measured::ratio(what, (measured, predicted), Band::near(1.0, 0.05), (runs, reason))
}
