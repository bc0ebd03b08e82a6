//! Sentences about client latency.
use crate::run::Run;
use crate::spans::Sentence;
use crate::stat::of_metric;
use crate::words::{num, percent};

/// Over seeds; `None`: some run lacks the metric.
pub fn mean(now: &[Run], name: &str) -> Option<f64> {
    of_metric(now, name).map(|stat| stat.mean)
}

/// "99 of 100 client requests take at most 84 ms before the repair and 310 ms during it (+269 %)."
pub fn note(now: &[Run]) -> Sentence {
    let before = mean(now, "foreground_before_p99_ms");
    let during = mean(now, "foreground_p99_ms");
    let begin = Sentence::new().say("99 of 100 client requests take at most ");
    match (before, during) {
        (Some(before), Some(during)) => {
            let more = during / before - 1.0;
            let sign = if more >= 0.0 { "+" } else { "\u{2212}" };
            begin
                .say(format!("{} before the repair and ", ms(before)))
                .strong(format!("{} during it", ms(during)))
                .say(format!(" ({sign}{}).", percent(more.abs())))
        }
        (None, Some(during)) => begin
            .strong(format!("{} during the repair", ms(during)))
            .say("; too few before it to compare (use a later event.at)."),
        _ => Sentence::new().say("Too few requests end during the repair for percentiles."),
    }
}

/// "84 ms", "1.32 s".
pub fn ms(value: f64) -> String {
    match value {
        v if v >= 1000.0 => format!("{}\u{a0}s", num(v / 1000.0, 2)),
        v if v >= 10.0 => format!("{}\u{a0}ms", num(v, 0)),
        v => format!("{}\u{a0}ms", num(v, 1)),
    }
}
