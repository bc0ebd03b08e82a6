//! Ratis's `MultipleLinearRandomRetry`: sleeps of a client before retries.
use units::Nanos;

/// Unit of a sleep without unit (`MultipleLinearRandomRetry.parsePositiveTime`) \[ns\].
const MILLISECOND: u64 = 1_000_000;

/// Mean sleep, and how often it is used; the last one also for all further retries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RetrySleeps(Vec<(Nanos, u32)>);

impl RetrySleeps {
    /// Parses "5s, 5, 10s, 5"; spaces are ignored, "500" is 500 ms.
    pub(crate) fn read(text: &str) -> Option<RetrySleeps> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let pair = |pair: &[&str]| {
            let [sleep, times] = pair else { return None };
            let sleep = units::ratis_time(sleep, MILLISECOND).ok()?;
            let times: u32 = times.replace('_', "").parse().ok()?;
            (sleep > Nanos::ZERO && times > 0).then_some((sleep, times))
        };
        words.chunks(2).map(pair).collect::<Option<Vec<_>>>().map(RetrySleeps)
    }

    /// Sleep before retry `tried`, from 0: half to one and a half of the mean; `part`: random, 0–1.
    pub(crate) fn before(&self, tried: u32, part: f64) -> Nanos {
        let mut left = tried;
        let mut mean = Nanos::ZERO;
        for &(sleep, times) in &self.0 {
            mean = sleep;
            if left < times {
                break;
            }
            left -= times
        }
        Nanos(units::rounded_u64(mean.0 as f64 * (0.5 + part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeps_get_longer_after_so_many_tries() {
        let sleeps = RetrySleeps::read("5s, 2, 10s, 1").unwrap();
        let mean = |tried| sleeps.before(tried, 0.5).as_secs();
        assert_eq!([0, 1, 2, 3, 9].map(mean), [5.0, 5.0, 10.0, 10.0, 10.0]);
        assert_eq!(sleeps.before(0, 0.0).as_secs(), 2.5);
        assert_eq!(RetrySleeps::read("500,2,1 min,3").unwrap().before(0, 0.5), Nanos::millis(500));
        for wrong in ["", "5s", "5s, 0", "0s, 1", "a, 1", "5s, 1, 3s"] {
            assert_eq!(RetrySleeps::read(wrong), None, "{wrong}");
        }
    }
}
