//! What a plan should reach.
use crate::failure::Failure;
use crate::job;
use units::Nanos;

/// `--within`
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Wishes {
    /// Recovery, from the declaration on, takes no longer \[s\].
    pub within: Option<f64>,
}

impl Wishes {
    /// From the argument line.
    ///
    /// # Errors
    /// Bad input: no time.
    pub fn parse(within: Option<&str>) -> Result<Wishes, Failure> {
        let time = |text: &str| match text.parse::<Nanos>() {
            Ok(Nanos(0)) | Err(_) => {
                Err(job::bad(format!("--within {text}: expected a time, as in 30m or 90s")))
            }
            Ok(time) => Ok(time.as_secs()),
        };
        Ok(Wishes { within: within.map(time).transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        assert_eq!(Wishes::parse(Some("30m")).unwrap().within, Some(1800.0));
        assert_eq!(Wishes::parse(None).unwrap(), Wishes::default());
        for bad in ["soon", "0s", "-3s"] {
            assert!(Wishes::parse(Some(bad)).is_err(), "{bad}");
        }
    }
}
