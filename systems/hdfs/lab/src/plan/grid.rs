//! Points of the stages of a search.
use super::knob::Knob;
use super::point::Point;
use hdfs_policy::rereplication::registry;

const GRID: [u64; 6] = [2, 4, 8, 16, 32, 64];

/// Limits of a DataNode's copy traffic, tried with clients \[bytes/s\].
const LIMITS: [u64; 5] = [10_000_000, 20_000_000, 40_000_000, 80_000_000, 160_000_000];

/// Limits of the balancer's moves, tried if it runs \[bytes/s\].
const BALANCE: [u64; 4] = [50_000_000, 20_000_000, 10_000_000, 1_000_000];

/// Factors of the interval between rounds, tried with clients.
const RARER: [u64; 4] = [2, 3, 5, 10];

/// Timeouts of a copy, tried if the timeout limits a repair \[s\]. A slower copy is made twice, so
/// none is shorter than a block takes on a slow disk under load.
const TIMEOUTS: [u64; 3] = [120, 60, 30];

/// Both limits together first, ascending, with clients alternating with gentler points, since a
/// search may end early. Then each limit alone, a slower balancer if it runs, and every pair.
pub fn coarse_points(now: &Point, clients: bool) -> Vec<Point> {
    let diagonal = GRID.map(|n| both(now, n, n)).to_vec();
    let row = |&m: &u64| GRID.map(|s| both(now, m, s));
    let pairs = GRID.iter().flat_map(row);
    let gentle = if clients { [limited(now), gentler(now)] } else { Default::default() };
    let [slower, fewer] = gentle;
    let first = by_turns([diagonal, slower, fewer]);
    let balance = freed(now, Knob::Balance);
    first.into_iter().chain(alone(now)).chain(balance).chain(pairs).collect()
}

fn by_turns<const N: usize>(lists: [Vec<Point>; N]) -> Vec<Point> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(|i| lists.iter().filter_map(move |list| list.get(i).cloned())).collect()
}

fn alone(now: &Point) -> impl Iterator<Item = Point> + '_ {
    let each = |n: &u64| [now.with(Knob::Multiplier, *n), now.with(Knob::MaxStreams, *n)];
    GRID.iter().flat_map(each)
}

fn both(now: &Point, multiplier: u64, streams: u64) -> Point {
    now.with(Knob::Multiplier, multiplier).with(Knob::MaxStreams, streams)
}

/// Neighbours of a point: other values of its holder, half steps of both limits, a shorter interval
/// between rounds, half of the way back to `now`. With clients also slightly gentler or harder
/// points.
pub fn near(now: &Point, point: &Point, holder: Option<Knob>, clients: bool) -> Vec<Point> {
    let (multiplier, streams) = (point.get(Knob::Multiplier), point.get(Knob::MaxStreams));
    let steps = |value: u64| [value * 3 / 4, value * 3 / 2].into_iter();
    let rows = steps(multiplier).filter(|m| *m > 0).map(|m| point.with(Knob::Multiplier, m));
    let columns = steps(streams).filter(|s| *s > 0).map(|s| with_streams(now, point, s));
    let sooner = [1, 2].into_iter().filter(|s| *s < point.get(Knob::Interval));
    let sooner = sooner.map(|s| point.with(Knob::Interval, s));
    let freed = holder.map_or(Vec::new(), |knob| self::freed(point, knob));
    let slower = self::freed(point, Knob::Balance);
    let little = if clients { a_little(point) } else { Vec::new() };
    let all = freed.into_iter().chain(back(now, point)).chain(rows).chain(columns);
    all.chain(sooner).chain(slower).chain(little).collect()
}

/// Another limit of streams; a hard limit that it had raised falls again.
fn with_streams(now: &Point, point: &Point, streams: u64) -> Point {
    let hard = now.get(Knob::HardLimit);
    point.with(Knob::HardLimit, hard).with(Knob::MaxStreams, streams)
}

/// Steps as large as one step of a goal for clients.
fn a_little(point: &Point) -> Vec<Point> {
    let of = |knob: Knob, unit: u64| {
        let is = point.get(knob);
        let steps = [is * 10 / 14, is * 14 / 10].map(|value| value / unit * unit);
        steps.into_iter().filter(move |value| *value > 0 && *value != is)
    };
    let interval = of(Knob::Interval, 1).map(|value| point.with(Knob::Interval, value));
    let limit = of(Knob::Bandwidth, 1_000_000).map(|value| point.with(Knob::Bandwidth, value));
    interval.chain(limit).chain(limited(point)).collect()
}

/// Other values of the setting that limits `point`, unless the grid has them.
fn freed(point: &Point, holder: Knob) -> Vec<Point> {
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

/// Gentler points: the fewest concurrent copies, then rarer rounds, lower rates, and both.
fn gentler(now: &Point) -> Vec<Point> {
    let fewest = both(now, 1, 1);
    let ends = [now.with(Knob::MaxStreams, 1), now.with(Knob::Multiplier, 1), fewest.clone()];
    let rarer = |base: &Point| {
        let interval = base.get(Knob::Interval);
        RARER.map(|times| base.with(Knob::Interval, times * interval))
    };
    let slower = LIMITS.map(|limit| fewest.with(Knob::Bandwidth, limit));
    let rarer_and_slower = rarer(&slower[1]).into_iter().take(2).collect::<Vec<Point>>();
    let turns = by_turns([slower.to_vec(), rarer(&fewest).to_vec()]);
    ends.into_iter().chain(turns).chain(rarer_and_slower).collect()
}

fn limited(base: &Point) -> Vec<Point> {
    LIMITS.map(|limit| base.with(Knob::Bandwidth, limit)).to_vec()
}

/// Half of the way back to the present settings, one setting each.
fn back(now: &Point, from: &Point) -> Vec<Point> {
    // The hard limit follows max-streams, and "no limit" has no midpoint.
    let moves = |knob: Knob| !matches!(knob, Knob::HardLimit | Knob::Bandwidth | Knob::Balance);
    let steps = |(knob, old, new): (Knob, u64, u64)| {
        let half = Some(old.midpoint(new)).filter(|half| *half != new && *half != old);
        let base = match knob {
            // A hard limit that it had raised falls again.
            Knob::MaxStreams => from.with(Knob::HardLimit, now.get(Knob::HardLimit)),
            _ => from.clone(),
        };
        half.map(|value| base.with(knob, value))
    };
    from.changes(now).filter(|(knob, ..)| moves(*knob)).filter_map(steps).collect()
}

/// Points with one change undone each.
pub fn points_without(now: &Point, from: &Point) -> Vec<Point> {
    points_without_each(now, from).into_iter().map(|(_, point)| point).collect()
}

/// As `without`, with the setting that is undone.
pub fn points_without_each(now: &Point, from: &Point) -> Vec<(Knob, Point)> {
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

/// Every other policy with each of these settings.
pub fn plugins(now: &Point, settings: &[Point]) -> Vec<Point> {
    let names: Vec<&str> = registry::plug_ins().iter().map(|p| p.name()).collect();
    let with = |p: &Point| names.iter().map(|n| p.with_policy(n)).collect::<Vec<_>>();
    settings.iter().flat_map(with).filter(|p| p.policy != now.policy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_taken_back_alone() {
        let now = Point::example();
        let from = both(&now, 8, 16).with(Knob::Pending, 60);
        let alone = |m, s| both(&now, m, s).with(Knob::Pending, 60);
        assert_eq!(points_without(&now, &from), [alone(2, 16), alone(8, 4), both(&now, 8, 16)]);
        assert_eq!(points_without(&now, &now), []);
        let hard = now.with(Knob::HardLimit, 32);
        assert_eq!(points_without(&now, &hard), [now]);
    }
}
