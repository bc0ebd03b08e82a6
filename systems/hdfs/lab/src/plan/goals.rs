//! Goals of a plan.
use super::space::{P99, SLOWDOWN};
use crate::failure::Failure;
use crate::job;
use system::plan::Limit;
use units::Nanos;

/// `--within`, `--foreground-slowdown`, `--fastest`
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Goals {
    /// Longest recovery from the declaration on \[s\].
    pub within: Option<f64>,
    /// Largest relative increase of clients' 99th percentile during the repair.
    pub slowdown: Option<f64>,
    /// Recommend the fastest settings, not the knee.
    pub fastest: bool,
}

impl Goals {
    /// From the command line.
    ///
    /// # Errors
    /// If `within` is no time or `slowdown` no percentage.
    pub fn parse(within: Option<&str>, slowdown: Option<&str>) -> Result<Goals, Failure> {
        let time = |text: &str| match text.parse::<Nanos>() {
            Ok(Nanos(0)) | Err(_) => {
                Err(job::bad(format!("--within {text}: expected a time, as in 30m or 90s")))
            }
            Ok(time) => Ok(time.as_secs()),
        };
        let part = |text: &str| {
            let percent = text.strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
            let percent = percent.filter(|p| (0.0..=10_000.0).contains(p));
            percent.map(|percent| percent / 100.0).ok_or_else(|| {
                job::bad(format!("--foreground-slowdown {text}: expected percents, as in 10%"))
            })
        };
        Ok(Goals {
            within: within.map(time).transpose()?,
            slowdown: slowdown.map(part).transpose()?,
            fastest: false,
        })
    }

    pub fn are_any(&self) -> bool {
        self.within.is_some() || self.slowdown.is_some()
    }

    /// As limits of a search for `objective`.
    pub fn of(&self, objective: &str) -> system::plan::Goals {
        let limit = |metric: &str, most: f64, measure: &str| Limit {
            metric: metric.into(),
            most,
            measure: measure.into(),
        };
        let within = self.within.map(|most| limit(objective, most, objective));
        let gentle = self.slowdown.map(|most| limit(SLOWDOWN, most, P99));
        system::plan::Goals {
            limits: within.into_iter().chain(gentle).collect(),
            fastest: self.fastest,
            ..system::plan::Goals::less(objective)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        assert_eq!(Goals::parse(Some("30m"), None).unwrap().within, Some(1800.0));
        assert_eq!(Goals::parse(None, None).unwrap(), Goals::default());
        assert_eq!(Goals::parse(None, Some("10%")).unwrap().slowdown, Some(0.1));
        for bad in ["10", "-1%", "much", "%"] {
            assert!(Goals::parse(None, Some(bad)).is_err(), "{bad}");
        }
        for bad in ["soon", "0s", "-3s"] {
            assert!(Goals::parse(Some(bad), None).is_err(), "{bad}");
        }
    }
}
