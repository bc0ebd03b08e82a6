//! Common objectives.
use crate::schema::{Aggregation, Better, ObjectiveRow, Outcome};
use units::Nanos;

impl ObjectiveRow {
    /// Operations a second from the start to `to`; more is better. `of`: their kind, or all.
    pub fn rate(metric: &str, of: Option<&str>, to: Nanos, value: f64) -> ObjectiveRow {
        ObjectiveRow {
            metric: metric.into(),
            unit: "1/s".into(),
            better: Better::More,
            how: Aggregation::Rate,
            of: of.map(str::to_string),
            subject: None,
            from: Nanos::ZERO,
            to: Some(to),
            value: Some(value),
            outcome: Outcome::Ok,
        }
    }

    /// Mean time of an operation \[ms\] from the start to `to`; less is better.
    pub fn mean_ms(metric: &str, to: Nanos, value: f64) -> ObjectiveRow {
        let (better, how) = (Better::Less, Aggregation::Mean);
        ObjectiveRow {
            unit: "ms".into(),
            better,
            how,
            ..ObjectiveRow::rate(metric, None, to, value)
        }
    }
}
