//! The goals of a plan.
use system::Failure;
use units::Nanos;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goals {
    /// \[1/s\]
    pub rate: f64,
    pub p99_ms: Option<f64>,
}

impl Goals {
    /// Reads "200k/s" and "5ms".
    pub fn parse(target: &str, p99: Option<&str>) -> Result<Goals, Failure> {
        let wrong = || {
            let expected = "expected operations a second above 0: 200k/s, 1.5M/s, 60000/s";
            Failure::BadInput(format!("--target {target}: {expected}"))
        };
        let number = target.strip_suffix("/s").unwrap_or(target);
        let (number, times) = match number.strip_suffix(['k', 'K']) {
            Some(number) => (number, 1e3),
            None => match number.strip_suffix('M') {
                Some(number) => (number, 1e6),
                None => (number, 1.0),
            },
        };
        let rate = number.trim().parse::<f64>().map_err(|_| wrong())? * times;
        if !rate.is_finite() || rate <= 0.0 {
            return Err(wrong());
        }
        let p99_ms = match p99 {
            None => None,
            Some(text) => {
                let time = text.parse::<Nanos>().ok().filter(|time| *time > Nanos::ZERO);
                let time = time.ok_or_else(|| {
                    Failure::BadInput(format!("--p99 {text}: expected a time above 0: 5ms"))
                })?;
                Some(time.as_secs() * 1e3)
            }
        };
        Ok(Goals { rate, p99_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_times_are_read_and_the_rest_refused() {
        let of = |target, p99| Goals::parse(target, p99).map(|goal| (goal.rate, goal.p99_ms));
        assert_eq!(of("200k/s", Some("5ms")), Ok((200_000.0, Some(5.0))));
        assert_eq!(of("1.5M/s", None), Ok((1_500_000.0, None)));
        assert_eq!(of("60000", None), Ok((60_000.0, None)));
        for (target, p99) in [("0/s", None), ("-1k", None), ("fast", None), ("1k", Some("0ms"))] {
            assert!(matches!(of(target, p99), Err(Failure::BadInput(_))), "{target} {p99:?}");
        }
    }
}
