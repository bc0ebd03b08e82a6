//! C4.5 and C4.7a: speed of runs with one and two ranks, conservative and optimistic.
use super::speeds::{EVENT, HEAD, Pair, Speed, Speeds};
use super::table;
use page::Section;
use page::words::num;
use system::Failure;
use system::claims::{Busy, Claim, ReproduceRequest, Row, Sensitivity, Verdict};

/// Wall times have no confidence interval: a ratio within this of 1 counts as 1.
const TELLING: f64 = 0.05;
/// Processes of the paper that this machine need not have: 4, 8, 16, 32, 64.
const BEYOND: usize = 5;

/// Whether a ratio is above 1; `None`: it may be 1.
fn above_one(ratio: f64) -> Option<bool> {
    let above = ratio > 1.0 + TELLING;
    (above || ratio < 1.0 - TELLING).then_some(above)
}

fn slower(speed_up: f64) -> Option<bool> {
    above_one(speed_up).map(|faster| !faster)
}

fn list(speeds: &Speeds, reception: &str, of: fn(Pair) -> f64) -> String {
    let one = |speed: &Speed| num(of(speed.by_two_ranks()), 2);
    speeds.with(reception).map(one).collect::<Vec<_>>().join(", ")
}

fn mean(speeds: &Speeds, reception: &str, of: fn(Pair) -> f64) -> f64 {
    let all: Vec<f64> = speeds.with(reception).map(|speed| of(speed.by_two_ranks())).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// Judges both claims if one is requested, and adds figures 9 and 10.
pub fn judge(
    asked: &ReproduceRequest<'_>,
    claims: &mut Vec<Claim>,
    figures: &mut Vec<Section>,
) -> Result<(), Failure> {
    if !asked.includes("C4.5") && !asked.includes("C4.7a") {
        return Ok(());
    }
    if let Err(busy) = Busy::check_others() {
        let open = |row: Row| row.decided(Verdict::of([None]), format!("not measured: {busy}"));
        claims.extend([table::c4_5(), table::c4_7a()].map(open));
        return Ok(());
    }
    let speeds = Speeds::of(asked.sets)?;
    claims.extend([slower_with_ranks(&speeds), optimistic_ahead(&speeds)]);
    figures.extend(speeds.sections());
    Ok(())
}

type Places = fn(Pair) -> Vec<Option<bool>>;

/// Two ranks with the paper's reception event are places of the claim, more processes are open;
/// with ours instead they are an alternative.
fn judged(
    speeds: &Speeds,
    (claim, reason): (Row, String),
    ours: fn(Pair) -> f64,
    places: Places,
) -> Claim {
    let of = |reception| speeds.with(reception).flat_map(move |speed| places(speed.by_two_ranks()));
    let beyond = BEYOND * of(EVENT).count();
    let verdict = Verdict::of(of(EVENT).chain(std::iter::repeat_n(None, beyond)));
    let (verdict, busy) = speeds.busy.judged_by_others(verdict);
    let other = Sensitivity {
        verdict: Verdict::of(of(HEAD)),
        ..Sensitivity::of("network.reception", HEAD, mean(speeds, HEAD, ours), None)
    };
    let reason = format!(
        "{reason}. This machine has {} cores: more than two ranks are not decided here; {busy}",
        speeds.cores
    );
    let ours = Some(mean(speeds, EVENT, ours));
    Claim { ours, sensitivity: vec![other], ..claim.decided(verdict, reason) }
}

fn slower_with_ranks(speeds: &Speeds) -> Claim {
    let all = |reception, of| list(speeds, reception, of);
    let reason = format!(
        "speed-up of two ranks over one, by clients: conservative {}, optimistic {}. With a \
         message as one event, which looks ahead by 64 us instead of 0.39: {} and {}",
        all(EVENT, |pair| pair.safe),
        all(EVENT, |pair| pair.ahead),
        all(HEAD, |pair| pair.safe),
        all(HEAD, |pair| pair.ahead),
    );
    let places: Places = |pair| vec![slower(pair.safe), slower(pair.ahead)];
    judged(speeds, (table::c4_5(), reason), |pair| pair.safe, places)
}

fn optimistic_ahead(speeds: &Speeds) -> Claim {
    let ratio = |pair: Pair| pair.ahead / pair.safe;
    let reason = format!(
        "two ranks, optimistic over conservative, by clients: {}. With a message as one event: {}",
        list(speeds, EVENT, ratio),
        list(speeds, HEAD, ratio),
    );
    let places: Places = |pair| vec![above_one(pair.ahead / pair.safe)];
    judged(speeds, (table::c4_7a(), reason), ratio, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_one_decides() {
        assert_eq!([2.0, 0.5, 1.04].map(above_one), [Some(true), Some(false), None]);
        assert_eq!([2.0, 0.5, 1.04].map(slower), [Some(false), Some(true), None]);
    }
}
