//! Chart for plans with clients: repair time against clients' latency, which have no single best.
use super::answer::PointResult;
use super::point::Point;
use hdfs_reading::Stat;
use page::{Kind, Mean, Role, Trade, TradePoint};

/// `None` without clients.
pub fn chart(answer: &super::answer::Answer) -> Option<Trade> {
    let before = answer.before_p99?;
    let front: Vec<&Point> = answer.front.iter().map(|tried| &tried.point).collect();
    let now = &answer.now.point;
    let role = |tried: &PointResult| match () {
        () if tried.point == *now => Role::Now,
        () if tried.point == answer.recommended().point => Role::Recommended,
        () => Role::Other,
    };
    let mean = |stat: Stat, by: f64| Mean { mean: stat.mean / by, ci95: stat.ci95 / by };
    let point = |tried: &PointResult| {
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
