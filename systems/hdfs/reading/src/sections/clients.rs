//! Charts of client latency, and of its trade-off with repair time.
use crate::foreground::{LatencyPoint, curve};
use crate::moments::Moments;
use crate::run::Run;
use crate::sentences::foreground::{mean, note};
use crate::words::{NB, count, decimals, duration_with, num};
use hdfs_trace::Trace;
use page::{Axis, Body, Capacity, Curves, Line, Moment, Panel, Role, Section, Trade};

/// `None`: no clients. `of`: the run; `since`: time 0 in words.
pub fn clients(now: &[Run], trace: &Trace, (of, since): (&str, &str)) -> Option<Section> {
    let (step, points) = curve(trace, &Moments::of(trace))?;
    let safe = safe_at(now);
    // A single point needs a margin.
    let room = if points.len() > 1 { 0.0 } else { step / 2.0 };
    let from = points.first().map_or(0.0, |point| point.at_s) - room;
    let to = points.last().map_or(1.0, |point| point.at_s) + room;
    let before = |ms| Capacity { at: ms / 1000.0, name: format!("before {}", millis(ms)) };
    let line = |name, role, value, longest| line((name, role), &points, step, value, longest);
    let lines = vec![
        line("p99", Role::Now, |point| point.p99_ms, |n| n < 100),
        line("p50", Role::Other, |point| point.p50_ms, |_| false),
    ];
    let capacity = mean(now, "foreground_before_p99_ms").map(before);
    let panel = Panel { unit: "s".into(), capacity, lines, ..Panel::default() };
    let start = since.strip_prefix("since ").unwrap_or(since);
    let all_safe = safe.map(|at| Moment::at(at, "all safe"));
    let moments = std::iter::once(Moment::at(0.0, start)).chain(all_safe).collect();
    let x = Axis::time(from, f64::max(to, safe.unwrap_or_default()));
    let body = Body::Curves(Curves { x, panels: vec![panel], moments });
    let qualifier = format!("latency of requests, {}; {since}; {of}", each(step));
    Some(Section::new("clients", "Clients", qualifier, body).note(note(now)))
}

/// Duration of the first run \[s\]; `None`: some run does not end.
fn safe_at(now: &[Run]) -> Option<f64> {
    let all: Option<Vec<f64>> = now.iter().map(Run::duration_s).collect();
    all?.first().copied()
}

/// A percentile, with gaps where no request ended. `longest`: note that few requests make it the
/// maximum.
fn line(
    (name, role): (&str, Role),
    points: &[LatencyPoint],
    step: f64,
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
    for point in points {
        if before.is_some_and(|at| point.at_s - at > 1.5 * step) {
            push(point.at_s - step, None, String::new());
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
        ms => format!("{}{NB}ms", num(ms, decimals(ms))),
    }
}

/// Rebuild time against client latency, for a plan with clients.
pub fn trade(trade: Trade, seeds: usize) -> Section {
    let spread = match seeds {
        0 | 1 => "; one seed".into(),
        seeds => format!("; mean of {seeds} seeds, bars: 95{NB}%"),
    };
    let qualifier = format!("rebuild time against clients’ latency{spread}");
    let none = trade.points.is_empty();
    let section =
        Section::new("trade", "Cost of the repair for clients", qualifier, Body::Trade(trade));
    match none {
        true => section.empty("No run with clients ended.", ""),
        false => section,
    }
}
