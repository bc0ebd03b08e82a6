//! What a plan should reach.
use crate::failure::Failure;
use crate::job;
use units::Nanos;

/// `--within` and `--foreground-slowdown`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Wishes {
    /// Recovery, from the declaration on, takes no longer \[s\].
    pub within: Option<f64>,
    /// The foreground's p99 grows by no more than this part.
    pub slowdown: Option<f64>,
}

impl Wishes {
    /// From the argument line.
    ///
    /// # Errors
    /// Bad input: no time, no percentage.
    pub fn parse(within: Option<&str>, slowdown: Option<&str>) -> Result<Wishes, Failure> {
        let time = |text: &str| match text.parse::<Nanos>() {
            Ok(Nanos(0)) | Err(_) => {
                Err(job::bad(format!("--within {text}: expected a time, as in 30m or 90s")))
            }
            Ok(time) => Ok(time.as_secs()),
        };
        let part = |text: &str| {
            let number = text.strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
            number.filter(|n| *n >= 0.0 && n.is_finite()).map(|n| n / 100.0).ok_or_else(|| {
                job::bad(format!("--foreground-slowdown {text}: expected a percentage, as in 10%"))
            })
        };
        Ok(Wishes {
            within: within.map(time).transpose()?,
            slowdown: slowdown.map(part).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        let wishes = Wishes::parse(Some("30m"), Some("10%")).unwrap();
        assert_eq!((wishes.within, wishes.slowdown), (Some(1800.0), Some(0.1)));
        for bad in ["soon", "0s", "-3s"] {
            assert!(Wishes::parse(Some(bad), None).is_err(), "{bad}");
        }
        for bad in ["10", "-1%", "NaN%"] {
            assert!(Wishes::parse(None, Some(bad)).is_err(), "{bad}");
        }
    }
}
