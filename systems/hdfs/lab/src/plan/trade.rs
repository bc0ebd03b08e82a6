//! Beside clients there is no single best: how soon the repair ends against what clients wait.
use super::answer::Tried;
use super::lab::Lab;
use super::point::Point;
use hdfs_reading::Stat;
use hdfs_reading::stat::further;
use page::{Kind, Mean, Role, Trade, TradePoint};

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

/// Points of a kind that are on the front as far as their first `seeds` seeds can tell: no other is
/// as soon done and clearly gentler. Those that may meet the goal come first, the soonest first;
/// then the front of these seeds; then the others, the gentlest first.
pub fn candidates(
    lab: &Lab<'_>,
    kind: &dyn Fn(&Point, &Point) -> bool,
    seeds: usize,
    goal: Option<f64>,
) -> Vec<Point> {
    let margin = 1.0 + spread(lab) / (seeds as f64).sqrt();
    let of = |p: &Point, name: &str| lab.mean_of_first(p, seeds, name);
    let both = |p: &Point| Some((of(p, lab.objective)?, of(p, "foreground_p99_ms")?));
    let all: Vec<(&Point, (f64, f64))> = lab
        .points()
        .filter(|p| kind(p, &lab.now))
        .filter_map(|p| both(p).map(|b| (p, b)))
        .collect();
    let beaten = |by: f64, (s, p99): (f64, f64)| {
        all.iter().any(|(_, (sooner, less))| *sooner <= s && less * by < p99)
    };
    let may_meet = |p: &Point| {
        let most = goal.map(|part| (1.0 + part) * margin - 1.0);
        most.zip(of(p, "foreground_slowdown")).is_some_and(|(most, slower)| slower <= most)
    };
    // Where a goal is out of reach, the gentlest is asked for, not the soonest.
    let spares = goal.is_some() && !all.iter().any(|(point, _)| may_meet(point));
    let order = |&(point, figures): &(&Point, (f64, f64))| match () {
        () if may_meet(point) => (0, figures.0),
        () if !beaten(1.0, figures) => (1, if spares { figures.1 } else { figures.0 }),
        () => (2, figures.1),
    };
    let mut kept: Vec<(&Point, (f64, f64))> =
        all.iter().copied().filter(|(p, f)| may_meet(p) || !beaten(margin, *f)).collect();
    kept.sort_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    kept.into_iter().map(|(point, _)| point.clone()).collect()
}

/// By what part one seed may be off what clients wait: as further seeds of the present settings.
fn spread(lab: &Lab<'_>) -> f64 {
    let runs = lab.runs(&lab.now);
    let all = runs.iter().filter_map(|run| run.metrics.get("foreground_p99_ms").copied());
    let all: Vec<f64> = all.collect();
    further(&all).map_or(0.0, |half| half / hdfs_reading::stat(&all).mean)
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
    let mean = |stat: Stat, by: f64| Mean { mean: stat.mean / by, ci95: stat.ci95 / by };
    let point = |tried: &Tried| {
        let limiting = tried.limiting.as_ref();
        Some(TradePoint {
            name: tried.point.name(now),
            role: role(tried),
            front: front.contains(&&tried.point),
            hollow: tried.point.needs_plugin(now),
            x: mean(tried.recovery?, 1.0),
            y: mean(tried.p99?, 1000.0),
            limit: limiting.map(|(holder, _)| holder.clone()),
            kind: tried.limiting_kind.unwrap_or(Kind::Unexplained),
        })
    };
    Some(Trade {
        x: ("rebuild time".into(), "s".into()),
        y: ("Clients’ p99 during the repair".into(), "s".into()),
        better: ("sooner".into(), "gentler".into()),
        hollow: "HDFS has no code".into(),
        without: Some((before.mean / 1000.0, "no repair".into())),
        most_x: answer.goals.within,
        most_y: answer.goals.slowdown.map(|part| before.mean * (1.0 + part) / 1000.0),
        points: answer.whole.iter().filter_map(point).collect(),
    })
}
