//! Where a search looks: the points of its stages.
use super::knob::Knob;
use super::point::Point;
use hdfs_policy::rereplication::registry;

/// Values of the multiplier and of `max-streams` in the coarse grid.
const GRID: [u64; 6] = [2, 4, 8, 16, 32, 64];

/// Limits of what a DataNode sends as copies that are tried beside clients [bytes/s].
const LIMITS: [u64; 5] = [10_000_000, 20_000_000, 40_000_000, 80_000_000, 160_000_000];

/// Limits of the balancer's moves that are tried where it runs [bytes/s].
const BALANCE: [u64; 4] = [50_000_000, 20_000_000, 10_000_000, 1_000_000];

/// By how many times rounds are made rarer beside clients.
const RARER: [u64; 4] = [2, 3, 5, 10];

/// Timeouts of a copy that are tried where the timeout holds a repair up [s]. A copy that takes
/// longer is made twice: none shorter than a block takes on a slow disk under load.
const TIMEOUTS: [u64; 3] = [120, 60, 30];

/// Both limits together: what one hides, the other shows.
pub fn diagonal(now: &Point) -> Vec<Point> {
    GRID.map(|n| both(now, n, n)).to_vec()
}

/// Every pair, and each limit alone.
pub fn pairs(now: &Point) -> Vec<Point> {
    let row = |&m: &u64| GRID.map(|s| both(now, m, s));
    GRID.iter().flat_map(row).chain(alone(now)).collect()
}

/// Each limit alone, and less of either than the best of the diagonal has.
pub fn cross(now: &Point, best: &Point) -> Vec<Point> {
    let (m, s) = (best.get(Knob::Multiplier), best.get(Knob::MaxStreams));
    let row = |n: u64| (n < m).then(|| both(now, n, s));
    let column = |n: u64| (n < s).then(|| both(now, m, n));
    let less = GRID.into_iter().rev().flat_map(|n| [row(n), column(n)]).flatten();
    less.chain(alone(now)).collect()
}

fn alone(now: &Point) -> impl Iterator<Item = Point> + '_ {
    let each = |n: &u64| [now.with(Knob::Multiplier, *n), now.with(Knob::MaxStreams, *n)];
    GRID.iter().flat_map(each)
}

fn both(now: &Point, multiplier: u64, streams: u64) -> Point {
    now.with(Knob::Multiplier, multiplier).with(Knob::MaxStreams, streams)
}

/// Half steps, and a shorter interval between rounds.
pub fn around(now: &Point, best: &Point) -> Vec<Point> {
    let (multiplier, streams) = (best.get(Knob::Multiplier), best.get(Knob::MaxStreams));
    let pending = best.get(Knob::Pending);
    let at = |m: u64, s: u64| both(now, m, s).with(Knob::Pending, pending);
    let near =
        |value: u64| [value * 3 / 4, value * 3 / 2, value / 2].into_iter().filter(|v| *v > 0);
    let rows = near(multiplier).map(|m| at(m, streams));
    let columns = near(streams).map(|s| at(multiplier, s));
    let sooner = [1, 2].into_iter().filter(|s| *s < best.get(Knob::Interval));
    let sooner = sooner.map(|s| at(multiplier, streams).with(Knob::Interval, s));
    rows.chain(columns).chain(sooner).collect()
}

/// Other values of the setting that holds `point` up, where that is none of the grid's.
pub fn freed(point: &Point, holder: Knob) -> Vec<Point> {
    let is = point.get(holder);
    let values = match holder {
        Knob::Pending => TIMEOUTS.into_iter().filter(|value| *value < is).collect(),
        Knob::Interval => [2, 1].into_iter().filter(|value| *value < is).collect(),
        Knob::HardLimit => vec![2 * is, 4 * is],
        Knob::Bandwidth => vec![2 * is, 4 * is, 0],
        Knob::Balance => BALANCE.into_iter().filter(|value| *value < is).collect(),
        Knob::Multiplier | Knob::MaxStreams => vec![],
    };
    values.into_iter().map(|value| point.with(holder, value)).collect()
}

/// The gentlest that the two limits can be.
pub fn ends(now: &Point) -> Vec<Point> {
    vec![now.with(Knob::MaxStreams, 1), now.with(Knob::Multiplier, 1), both(now, 1, 1)]
}

/// Gentler still: the fewest copies at a time, in rarer rounds, at less speed, and both at once.
pub fn gentler(now: &Point) -> Vec<Point> {
    let fewest = both(now, 1, 1);
    let rarer = |base: &Point| {
        let interval = base.get(Knob::Interval);
        RARER.map(|times| base.with(Knob::Interval, times * interval))
    };
    let slower = LIMITS.map(|limit| fewest.with(Knob::Bandwidth, limit));
    let mut rarer_ones = rarer(&fewest).into_iter();
    let by_turns = slower.iter().flat_map(|slow| [Some(slow.clone()), rarer_ones.next()]);
    let all: Vec<Point> = by_turns.flatten().collect();
    all.into_iter().chain(rarer(&slower[0])).collect()
}

/// Slower copies: with the present settings, and with the best.
pub fn limited(now: &Point, best: &Point) -> Vec<Point> {
    let limited = |base: &Point| LIMITS.map(|limit| base.with(Knob::Bandwidth, limit));
    [now, best].into_iter().flat_map(limited).collect()
}

/// A slower balancer, with the present settings and with the best; nothing where none runs.
pub fn balanced(now: &Point, best: &Point) -> Vec<Point> {
    [best, now].into_iter().flat_map(|base| freed(base, Knob::Balance)).collect()
}

/// A quarter and half of the way back to the present settings, and the whole, one setting each.
pub fn back(now: &Point, from: &Point) -> Vec<Point> {
    // The hard limit follows; no limit is no number.
    let moves = |knob: Knob| !matches!(knob, Knob::HardLimit | Knob::Bandwidth | Knob::Balance);
    let steps = |(knob, old, new): (Knob, u64, u64)| {
        let half = old.midpoint(new);
        let values = [half.midpoint(new), half, old].into_iter().filter(move |v| *v != new);
        let base = match knob {
            // What it has raised falls again.
            Knob::MaxStreams => from.with(Knob::HardLimit, now.get(Knob::HardLimit)),
            _ => from.clone(),
        };
        values.map(move |value| base.with(knob, value)).collect::<Vec<_>>()
    };
    from.changes(now).filter(|(knob, ..)| moves(*knob)).flat_map(steps).collect()
}

/// Each of the changes taken back, all others kept.
pub fn without(now: &Point, from: &Point) -> Vec<Point> {
    each_without(now, from).into_iter().map(|(_, point)| point).collect()
}

/// The same with the setting that is taken back.
pub fn each_without(now: &Point, from: &Point) -> Vec<(Knob, Point)> {
    let follows = |knob: Knob| {
        let follows = now.with(Knob::MaxStreams, from.get(Knob::MaxStreams));
        knob == Knob::HardLimit && from.get(knob) == follows.get(knob)
    };
    let taken_back = |(knob, old, _): (Knob, u64, u64)| match knob {
        Knob::MaxStreams => {
            (knob, from.with(Knob::HardLimit, now.get(Knob::HardLimit)).with(knob, old))
        }
        _ => (knob, from.with(knob, old)),
    };
    from.changes(now).filter(|(knob, ..)| !follows(*knob)).map(taken_back).collect()
}

/// Every other policy, with each of these settings.
pub fn plugins(settings: &[&Point]) -> Vec<Point> {
    let names: Vec<&str> = registry::plug_ins().iter().map(|p| p.name()).collect();
    let with = |p: &&Point| names.iter().map(|n| p.with_policy(n)).collect::<Vec<_>>();
    settings.iter().flat_map(with).filter(|p| p.policy != settings[0].policy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_taken_back_alone() {
        let now = Point::example();
        let from = both(&now, 8, 16).with(Knob::Pending, 60);
        let alone = |m, s| both(&now, m, s).with(Knob::Pending, 60);
        assert_eq!(without(&now, &from), [alone(2, 16), alone(8, 4), both(&now, 8, 16)]);
        assert_eq!(without(&now, &now), []);
        let hard = now.with(Knob::HardLimit, 32);
        assert_eq!(without(&now, &hard), [now]);
    }
}
