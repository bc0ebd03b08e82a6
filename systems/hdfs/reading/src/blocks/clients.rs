//! What clients waited, and what a faster repair costs them.
use super::small;
use crate::report::{Latencies, LatencyPoint, Report, Role, Stat, Trade, TradePoint};
use crate::words::{NB, count, duration_with, num};
use page::{Axis, Body, Capacity, Curves, Line, Mean, Moment, Panel, Section, Unit, Width};

/// Clients' latencies over time; absent without clients.
pub fn clients(report: &Report) -> Option<Section> {
    let foreground = report.foreground.as_ref()?;
    let (points, step) = (&foreground.points, foreground.step_s);
    let safe = safe_at(report);
    // A point alone has room beside it.
    let room = if points.len() > 1 { 0.0 } else { step / 2.0 };
    let from = points.first().map_or(0.0, |point| point.at_s) - room;
    let to = points.last().map_or(1.0, |point| point.at_s) + room;
    let before = |ms| Capacity { at: ms / 1000.0, name: format!("before {}", millis(ms)) };
    let lines = vec![
        line("p99", Role::Now, foreground, |point| point.p99_ms, |n| n < 100),
        line("p50", Role::Other, foreground, |point| point.p50_ms, |_| false),
    ];
    let capacity = foreground.before_p99_ms.map(before);
    let panel = Panel { unit: "s".into(), capacity, lines, ..Panel::default() };
    let start = report.since.strip_prefix("since ").unwrap_or(&report.since);
    let all_safe = safe.map(|at| Moment::at(at, "all safe"));
    let moments = std::iter::once(Moment::at(0.0, start)).chain(all_safe).collect();
    let x = Axis::time(from, f64::max(to, safe.unwrap_or_default()));
    let body = Body::Curves(Curves { x, panels: vec![panel], moments });
    let (each, of) = (each(step), &report.drill.of);
    let qualifier = format!("what their requests took, {each}; {}; {of}", report.since);
    let mut section = Section::new("clients", "Clients", qualifier, body);
    section.note.clone_from(&foreground.note);
    let section = section.width(Width::Larger).wide(small(report));
    Some(match points.is_empty() {
        true => {
            section.empty("No request of a client ended.", "Begin them earlier: foreground.start.")
        }
        false => section,
    })
}

/// What the first seed of *now* took; `None` where some seed is not safe, so that it is not known.
fn safe_at(report: &Report) -> Option<f64> {
    let now = report.variants.first().filter(|now| now.per_seed_s.len() == now.seeds as usize)?;
    now.per_seed_s.first().copied()
}

/// A percentile over time, broken where no request ended. `longest` says of how few requests it
/// is the longest.
fn line(
    name: &str,
    role: Role,
    of: &Latencies,
    value: fn(&LatencyPoint) -> f64,
    longest: fn(u32) -> bool,
) -> Line {
    let mut line = Line::new(name, role, []);
    let mut push = |x, y, note| {
        line.x.push(x);
        line.y.push(y);
        line.notes.push(note);
    };
    let mut before: Option<f64> = None;
    for point in &of.points {
        if before.is_some_and(|at| point.at_s - at > 1.5 * of.step_s) {
            push(point.at_s - of.step_s, None, String::new());
        }
        let few = if longest(point.requests) { "the longest of" } else { "of" };
        let note = format!("{few} {}", count(point.requests.into(), "request"));
        push(point.at_s, Some(value(point) / 1000.0), note);
        before = Some(point.at_s);
    }
    line
}

/// "each second", "each 0.5 s".
fn each(seconds: f64) -> String {
    match seconds {
        1.0 => "each second".into(),
        other => format!("each {}", duration_with(other, if other < 1.0 { 2 } else { 0 })),
    }
}

/// 556 ms · 1.36 s.
fn millis(ms: f64) -> String {
    match ms {
        ms if ms >= 999.5 => format!("{}{NB}s", num(ms / 1000.0, 2)),
        ms => format!("{}{NB}ms", num(ms, crate::words::decimals(ms))),
    }
}

/// Rebuild time against clients' latency; absent without a plan beside clients.
pub fn trade(report: &Report) -> Option<Section> {
    let trade = report.trade.as_ref()?;
    let seeds = report.variants.first().map_or(0, |now| now.seeds);
    let spread = match seeds {
        0 | 1 => "; one seed".into(),
        seeds => format!("; mean of {seeds} seeds, bars: 95{NB}%"),
    };
    let qualifier = format!("rebuild time against clients’ latency{spread}");
    let body = Body::Trade(picture(trade));
    let wide = if report.foreground.is_some() { Width::Most } else { Width::Full };
    let section = Section::new("trade", "What the repair costs clients", qualifier, body);
    let section = section.wide(wide);
    Some(match trade.points.is_empty() {
        true => section.empty("No settings were tried to their end with clients.", ""),
        false => section,
    })
}

fn picture(trade: &Trade) -> page::Trade {
    let mean = |stat: Stat, by: f64| Mean { mean: stat.mean / by, ci95: stat.ci95 / by };
    let point = |point: &TradePoint| page::TradePoint {
        name: point.name.clone(),
        role: point.role,
        front: point.front,
        hollow: point.needs_plugin,
        x: mean(point.recovery_s, 1.0),
        y: mean(point.p99_ms, 1000.0),
        limit: point.limiting.clone(),
        kind: point.kind,
    };
    page::Trade {
        x: ("rebuild time".into(), Unit::from("s")),
        y: ("Clients’ p99 during the repair".into(), Unit::from("s")),
        better: ("sooner".into(), "gentler".into()),
        hollow: "HDFS has no code".into(),
        without: Some((trade.before_p99_ms / 1000.0, "no repair".into())),
        most_x: trade.within_s,
        most_y: trade.most_p99_ms.map(|ms| ms / 1000.0),
        points: trade.points.iter().map(point).collect(),
    }
}
