//! C4.5 and C4.7a: speed-up by cores, conservative and optimistic, and why ours differs.
use super::speeds::{Bands, MOST, Pair, Speeds};
use super::table;
use page::Section;
use page::words::num;
use system::Failure;
use system::claims::{Claim, ReproduceRequest, Sensitivity, Verdict};

/// Wall times have no confidence interval: a ratio within this of 1 counts as 1.
const TELLING: f64 = 0.05;

/// Whether a range is above 1; `None`: it may contain 1.
fn above_one((least, most): (f64, f64)) -> Option<bool> {
    let above = least > 1.0 + TELLING;
    (above || most < 1.0 - TELLING).then_some(above)
}

/// Whether conservative runs are slower than one core, as Kirii et al. 2015 state.
fn slower(many: &Bands) -> Option<bool> {
    above_one(many.safe).map(|faster| !faster)
}

/// Whether optimistic runs are faster than conservative ones.
fn ahead(many: &Bands) -> Option<bool> {
    above_one((many.ahead.0 / many.safe.1, many.ahead.1 / many.safe.0))
}

fn list(all: impl Iterator<Item = f64>) -> String {
    all.map(|speed| num(speed, 2)).collect::<Vec<_>>().join(", ")
}

fn band((least, most): (f64, f64)) -> String {
    format!("{} to {}", num(least, 1), num(most, 1))
}

fn bands(speeds: &Speeds, of: &dyn Fn(&Bands) -> (f64, f64)) -> String {
    speeds.all.iter().map(|speed| band(of(&speed.many))).collect::<Vec<_>>().join(", ")
}

fn by_two(speeds: &Speeds, of: &dyn Fn(Pair) -> f64) -> String {
    list(speeds.all.iter().flat_map(|speed| speed.by_two()).map(of))
}

fn by_lp(ours: f64, holds: Option<bool>) -> Vec<Sensitivity> {
    vec![Sensitivity::of("network.switch", "lp", ours, holds)]
}

/// Judges both claims if one is requested, and adds figures 9 and 10.
pub fn judge(
    asked: &ReproduceRequest<'_>,
    claims: &mut Vec<Claim>,
    figures: &mut Vec<Section>,
) -> Result<(), Failure> {
    if asked.includes("C4.5") || asked.includes("C4.7a") {
        let speeds = Speeds::of(asked.sets)?;
        claims.extend([conservative(&speeds), optimistic(&speeds)]);
        figures.extend(speeds.sections())
    }
    Ok(())
}

fn conservative(speeds: &Speeds) -> Claim {
    let least = |many: &Bands| many.safe.0;
    let ours = speeds.all.iter().map(|speed| least(&speed.many)).fold(f64::INFINITY, f64::min);
    let verdict = Verdict::of(speeds.all.iter().map(|speed| slower(&speed.many)));
    let reason = format!(
        "by clients, on {MOST} cores the computed speed-up is {} times conservatively, {} \
         optimistically. No effect arrives within 64 us, two start-ups, so threads seldom wait. \
         The model of Kirii 2015 sends a reception event after 0.39 us, which is all its \
         lookahead. Measured on {} cores, with two threads and two ranks, which does not show \
         {MOST} cores: conservative {}, optimistic {}",
        bands(speeds, &|many| many.safe),
        bands(speeds, &|many| many.ahead),
        speeds.cores,
        by_two(speeds, &|pair| pair.safe),
        by_two(speeds, &|pair| pair.ahead),
    );
    let sensitivity = by_lp(least(&speeds.by_lp), slower(&speeds.by_lp));
    Claim { ours: Some(ours), sensitivity, ..table::c4_5().decided(verdict, reason) }
}

fn optimistic(speeds: &Speeds) -> Claim {
    let ratio = |pair: Pair| pair.ahead / pair.safe;
    let two: Vec<f64> = speeds.all.iter().flat_map(|speed| speed.by_two()).map(ratio).collect();
    let measured = two.iter().map(|ratio| above_one((*ratio, *ratio)));
    let worked_out = speeds.all.iter().map(|speed| ahead(&speed.many));
    let mean = two.iter().sum::<f64>() / two.len().max(1) as f64;
    let reason = format!(
        "by two threads, then two ranks, of each number of clients {}; on {MOST} cores optimistic \
         {}, conservative {}. With a lookahead of 64 us conservative threads have enough work \
         between barriers; optimistic ones must keep a history for rollbacks",
        list(two.iter().copied()),
        bands(speeds, &|many| many.ahead),
        bands(speeds, &|many| many.safe),
    );
    let by_most = |many: &Bands| many.ahead.1 / many.safe.1;
    let sensitivity = by_lp(by_most(&speeds.by_lp), ahead(&speeds.by_lp));
    let verdict = Verdict::of(measured.chain(worked_out));
    Claim { ours: Some(mean), sensitivity, ..table::c4_7a().decided(verdict, reason) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_told_from_one_decides() {
        assert_eq!(above_one((2.0, 9.0)), Some(true));
        assert_eq!(above_one((0.5, 0.9)), Some(false));
        assert_eq!(above_one((0.5, 2.0)), None);
        let many = Bands { ahead: (1.5, 2.3), safe: (3.0, 8.0), round: 100.0 };
        assert_eq!((slower(&many), ahead(&many)), (Some(false), Some(false)));
    }
}
