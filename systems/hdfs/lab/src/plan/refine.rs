//! Near a goal: between the last values that meet it and the first that do not.
use super::gain::upper;
use super::goals::Goals;
use super::knob::{KNOBS, Knob};
use super::lab::Lab;
use super::point::Point;
use super::search::settings_only;
use units::floored_u64;

/// Values that differ by no more than this part are the same to a goal.
const FINE: f64 = 0.1;

/// What clients wait in all, beyond the goal by no more than this part, is nearly what is asked.
const NEARLY: f64 = 0.08;

/// Points of these that are looked at closer at a time.
const AT_A_TIME: usize = 3;

/// A step where nothing is known on the other side.
const STEP: f64 = 1.4;

/// Where to look for what meets the goals sooner than `met`: from it towards what is beyond them,
/// and from what is little beyond them a step back.
pub fn points(lab: &Lab<'_>, goals: &Goals, met: &Point) -> Vec<Point> {
    let beyond = |p: &&Point| {
        settings_only(p, &lab.now) && time(lab, p) < time(lab, met) && !goals.are_met(lab, p)
    };
    let missed: Vec<&Point> = lab.points().filter(beyond).collect();
    let mut all = towards(met, &missed);
    for point in nearly(lab, goals, &missed) {
        for knob in [Knob::Interval, Knob::Bandwidth] {
            let sooner = |new: &Point| {
                let slower = knob.times(point.get(knob), new.get(knob));
                time(lab, point) * slower < time(lab, met)
            };
            let new = back(lab, goals, point, knob).filter(sooner);
            all.extend(new.filter(|new| !all.contains(new)))
        }
    }
    all
}

fn time(lab: &Lab<'_>, point: &Point) -> f64 {
    lab.recovery(point).map_or(f64::INFINITY, |s| s.mean)
}

/// Half way between `met` and what is nearest to it in one setting and beyond the goals: one point
/// a setting.
fn towards(met: &Point, missed: &[&Point]) -> Vec<Point> {
    let nearest = |knob: Knob| {
        let alone = missed.iter().filter(|p| only(knob, met, p)).map(|p| p.get(knob));
        let far = |value: &u64| knob.times(met.get(knob), *value);
        alone.min_by(|a, b| far(a).total_cmp(&far(b)))
    };
    let between = |knob: Knob| {
        let value = half_way(met.get(knob), nearest(knob)?)?;
        Some(met.with(knob, value))
    };
    KNOBS.into_iter().filter_map(between).collect()
}

/// Those that miss the goal for clients by little, the least first, and not by chance of one seed.
fn nearly<'a>(lab: &Lab<'_>, goals: &Goals, missed: &[&'a Point]) -> Vec<&'a Point> {
    let Some(most) = goals.slowdown else { return Vec::new() };
    let slow = |p: &Point| upper(lab, p, "foreground_slowdown").unwrap_or(f64::INFINITY);
    let little = |p: &&&Point| slow(p) <= (1.0 + most) * (1.0 + NEARLY) - 1.0;
    let several = |p: &&&Point| lab.runs(p).len() > 1 && goals.is_in_time(lab, p);
    let mut all: Vec<&Point> = missed.iter().filter(several).filter(little).copied().collect();
    all.sort_by(|a, b| slow(a).total_cmp(&slow(b)));
    all.truncate(AT_A_TIME);
    all
}

/// Gentler by this setting alone: half way to the nearest that is not beyond the goals, or a step
/// where there is none.
fn back(lab: &Lab<'_>, goals: &Goals, from: &Point, knob: Knob) -> Option<Point> {
    let is = from.get(knob);
    let gentler = |value: u64| if knob == Knob::Bandwidth { value < is } else { value > is };
    let spares = |p: &&Point| only(knob, from, p) && goals.is_gentle(lab, p);
    let values = lab.points().filter(spares).map(|p| p.get(knob)).filter(|v| gentler(*v));
    let far = |value: &u64| knob.times(is, *value);
    let nearest = values.filter(|value| *value > 0).min_by(|a, b| far(a).total_cmp(&far(b)));
    let step = match knob {
        Knob::Bandwidth => is as f64 / STEP,
        _ => is as f64 * STEP,
    };
    let value = match nearest {
        Some(other) => half_way(is, other)?,
        None => whole(step, floored_u64(step)),
    };
    (is > 0 && value > 0).then(|| from.with(knob, value))
}

/// Whether two points differ in this setting; a hard limit may follow.
fn only(knob: Knob, one: &Point, other: &Point) -> bool {
    let follows = |k: Knob| knob == Knob::MaxStreams && k == Knob::HardLimit;
    let mut others = other.changes(one).filter(|(k, ..)| *k != knob && !follows(*k));
    one.get(knob) != other.get(knob) && one.policy == other.policy && others.next().is_none()
}

/// By as many times from the one as to the other; `None` if that is near one of them, or if one is
/// no limit, which is no number.
fn half_way(one: u64, other: u64) -> Option<u64> {
    let value = whole((one as f64 * other as f64).sqrt(), one.min(other));
    let apart = |from: u64| (value as f64 / from as f64 - 1.0).abs() >= FINE;
    (one > 0 && other > 0 && value != one && value != other && apart(one) && apart(other))
        .then_some(value)
}

/// A rate is set in whole megabytes where it has some.
fn whole(exact: f64, least: u64) -> u64 {
    let unit = if least >= 4_000_000 { 1e6 } else { 1.0 };
    floored_u64((exact / unit).round() * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_way_is_by_times() {
        assert_eq!(half_way(30, 15), Some(21));
        assert_eq!(half_way(40_000_000, 80_000_000), Some(57_000_000));
        for (one, other) in [(1, 2), (20, 22), (0, 40_000_000), (8, 8)] {
            assert_eq!(half_way(one, other), None, "{one} {other}");
        }
    }

    #[test]
    fn neighbours_differ_in_one_setting() {
        let now = Point::example();
        let both = now.with(Knob::Interval, 30).with(Knob::Multiplier, 1);
        assert!(only(Knob::Interval, &now, &now.with(Knob::Interval, 30)));
        assert!(only(Knob::MaxStreams, &now, &now.with(Knob::MaxStreams, 16)), "and its limit");
        assert!(!only(Knob::Interval, &now, &both) && !only(Knob::Interval, &now, &now));
    }
}
