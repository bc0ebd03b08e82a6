//! Beside clients there is no single best: how soon the repair ends against what clients wait.
use super::answer::Tried;
use super::lab::Lab;
use super::point::Point;
use analysis::report::{HolderKind, Role, Trade, TradePoint};

/// Points of a kind than which no other of it is both sooner done and gentler to clients, the
/// soonest first.
pub fn front(lab: &Lab<'_>, kind: &dyn Fn(&Point, &Point) -> bool) -> Vec<Point> {
    let both = |p: &Point| Some((lab.recovery(p)?.mean, lab.p99(p)?.mean));
    let mut all: Vec<(&Point, (f64, f64))> = lab
        .points()
        .filter(|p| kind(p, &lab.now))
        .filter_map(|p| both(p).map(|b| (p, b)))
        .collect();
    all.sort_by(|(a, x), (b, y)| {
        let by_distance = a.distance(&lab.now).total_cmp(&b.distance(&lab.now));
        x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(by_distance)
    });
    let mut least = f64::INFINITY;
    all.retain(|(_, (_, p99))| {
        let gentler = *p99 < least;
        least = least.min(*p99);
        gentler
    });
    all.into_iter().map(|(point, _)| point.clone()).collect()
}

/// The chart; `None` without clients.
pub fn chart(answer: &super::answer::Answer) -> Option<Trade> {
    let before = answer.before_p99?;
    let front: Vec<&Point> = answer.front.iter().map(|tried| &tried.point).collect();
    let now = &answer.now.point;
    let role = |tried: &Tried| match () {
        () if tried.point == *now => Role::Now,
        () if tried.point == answer.recommended().point => Role::Recommended,
        () => Role::Other,
    };
    let point = |tried: &Tried| {
        let limiting = tried.limiting.as_ref();
        Some(TradePoint {
            name: tried.point.name(now),
            role: role(tried),
            front: front.contains(&&tried.point),
            needs_plugin: tried.point.needs_plugin(now),
            recovery_s: tried.recovery?,
            p99_ms: tried.p99?,
            limiting: limiting.map(|(holder, _)| holder.clone()),
            kind: tried.limiting_kind.unwrap_or(HolderKind::Unexplained),
        })
    };
    Some(Trade {
        points: answer.whole.iter().filter_map(point).collect(),
        before_p99_ms: before.mean,
        most_p99_ms: answer.wishes.slowdown.map(|part| before.mean * (1.0 + part)),
        within_s: answer.wishes.within,
    })
}
