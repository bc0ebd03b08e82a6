//! Where an axis of time ends, and in which unit a column of times is written.

/// Round steps, in the axis's unit.
const STEPS: [f64; 19] = [
    0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 100.0, 120.0, 200.0, 300.0, 500.0,
    1000.0, 2000.0, 5000.0,
];
const TICKS: f64 = 6.0;

/// Seconds up to ten minutes, then minutes, then hours: the unit's length \[s\] and its name.
pub fn unit(most: f64) -> (f64, &'static str) {
    match most {
        most if most <= 600.0 => (1.0, "s"),
        most if most <= 36_000.0 => (60.0, "min"),
        _ => (3600.0, "h"),
    }
}

/// The least fifth of a tick's step that is not below `least`: 41.3 s end at 42 s.
pub fn end(least: f64) -> f64 {
    let (size, _) = unit(least);
    let span = least / size;
    let step = STEPS.into_iter().find(|step| span / step <= TICKS).unwrap_or(span / TICKS) / 5.0;
    f64::max(step, libm::ceil(span / step - 1e-9) * step) * size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_a_fifth_of_a_tick_after_its_last_value_at_most() {
        for (least, wanted) in [(41.3, 42.0), (42.0, 42.0), (0.0, 0.02), (700.0, 720.0)] {
            assert!((end(least) - wanted).abs() < 1e-9, "{least}: {}", end(least));
        }
        for tenth in 1..100_000 {
            let least = f64::from(tenth) / 10.0;
            assert!(end(least) >= least - 1e-6 && end(least) <= 1.2 * least + 0.1, "{least}");
        }
    }
}
