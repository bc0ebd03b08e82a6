//! Types of keys, and parsing of their values.
use crate::catalogue;
use crate::nearest;
use std::fmt;
use units::{Bytes, BytesPerSec, Nanos, ParseUnitError, hadoop_size, hadoop_time, ozone_size};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Text,
    Name,
    Path,
    Choice(&'static [&'static str]),
    Count {
        min: u64,
        max: u64,
    },
    Flag,
    /// A rate above 0, or a network of the catalogue.
    Rate,
    /// A disk of the catalogue, or its rate.
    Disk,
    /// Bytes above 0.
    Amount,
    /// Bytes in a closed range.
    AmountWithin {
        min: Bytes,
        max: Bytes,
    },
    Time {
        /// 0 is valid.
        zero: bool,
    },
    Until,
    /// An integer, quoted or not.
    HadoopCount {
        min: u64,
        max: u64,
    },
    /// true or false, quoted or not.
    HadoopFlag,
    /// A number above 0, quoted or not.
    Number,
    /// A size in Hadoop's format: 128m = 2²⁷.
    HadoopSize {
        /// 0 is valid.
        zero: bool,
    },
    /// A size above 0 in Ozone's format: 1.5GB = 3 · 2²⁹.
    OzoneSize,
    /// A number from 0 to 1, quoted or not.
    Share,
    /// A time in Hadoop's format; 0 and below mean the default of 5 minutes
    /// (`PendingReconstructionBlocks`).
    HadoopTimeout {
        /// Unit of a bare number \[ns\].
        unit: u64,
    },
    /// A time in Hadoop's format.
    HadoopTime {
        /// Unit of a bare number \[ns\].
        unit: u64,
        /// 0 is valid.
        zero: bool,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypedValue {
    /// A text, name, choice, path, or the name of a disk or network.
    Text(String),
    Count(u64),
    Flag(bool),
    Number(f64),
    Rate(BytesPerSec),
    Bytes(Bytes),
    Time(Nanos),
}

impl TypedValue {
    /// Also resolves a disk or network of the catalogue.
    pub fn rate(&self) -> Option<BytesPerSec> {
        match self {
            TypedValue::Rate(rate) => Some(*rate),
            TypedValue::Text(name) => {
                let disk = catalogue::disk(name).map(|disk| disk.rate);
                disk.or_else(|| catalogue::network(name).map(|network| network.rate))
            }
            _ => None,
        }
    }
}

impl fmt::Display for TypedValue {
    /// Normalised: the scenario's hash uses it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypedValue::Text(v) => write!(f, "{v}"),
            TypedValue::Count(v) => write!(f, "{v}"),
            TypedValue::Flag(v) => write!(f, "{v}"),
            TypedValue::Number(v) => write!(f, "{v}"),
            TypedValue::Rate(v) => write!(f, "{v}"),
            TypedValue::Bytes(v) => write!(f, "{v}"),
            TypedValue::Time(v) => write!(f, "{v}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueError {
    pub expected: String,
    pub hint: Option<String>,
}

impl Kind {
    pub const fn count(min: u64, max: u64) -> Kind {
        Kind::Count { min, max }
    }

    /// False: written without quotes in a scenario. Hadoop's kinds allow both.
    pub fn quoted(self) -> bool {
        !matches!(self, Kind::Count { .. } | Kind::Flag)
    }

    /// True if quotes are optional or invalid.
    pub fn bare(self) -> bool {
        use Kind::*;
        matches!(self, Count { .. } | Flag | HadoopCount { .. } | HadoopFlag | Share)
            || matches!(self, Number | HadoopSize { .. } | HadoopTime { .. })
            || matches!(self, HadoopTimeout { .. })
    }

    /// `text`: without quotes.
    pub fn read(self, text: &str) -> Result<TypedValue, ValueError> {
        let text = text.trim();
        match self {
            Kind::Text => Ok(TypedValue::Text(text.to_string())),
            Kind::Name | Kind::Path if text.is_empty() => self.wrong(None),
            Kind::Name | Kind::Path => Ok(TypedValue::Text(text.to_string())),
            Kind::Choice(names) => self.choice(text, names),
            Kind::Count { min, max } | Kind::HadoopCount { min, max } => match text.parse() {
                Ok(n) if n >= min && n <= max => Ok(TypedValue::Count(n)),
                _ => self.wrong(None),
            },
            // `Configuration.getBoolean` ignores case.
            Kind::HadoopFlag => match text.to_ascii_lowercase().as_str() {
                "true" => Ok(TypedValue::Flag(true)),
                "false" => Ok(TypedValue::Flag(false)),
                _ => self.wrong(None),
            },
            Kind::Flag => match text {
                "true" => Ok(TypedValue::Flag(true)),
                "false" => Ok(TypedValue::Flag(false)),
                _ => self.wrong(None),
            },
            Kind::Rate | Kind::Disk => self.rate(text),
            Kind::Amount => match text.parse() {
                Ok(Bytes(0)) => self.wrong(None),
                Ok(bytes) => Ok(TypedValue::Bytes(bytes)),
                Err(error) => self.unit(error, None),
            },
            Kind::AmountWithin { min, max } => match text.parse() {
                Ok(bytes) if (min..=max).contains(&bytes) => Ok(TypedValue::Bytes(bytes)),
                Ok(_) => self.wrong(None),
                Err(error) => self.unit(error, None),
            },
            Kind::Time { .. } => self.time(text.parse(), format!("{text}s")),
            Kind::Until if text == "redundant" => Ok(TypedValue::Text(text.to_string())),
            Kind::Until => match nearest(text, ["redundant"]) {
                Some(near) => self.wrong(Some(quote(near))),
                None => self.time(text.parse(), format!("{text}s")),
            },
            Kind::Number => match text.parse::<f64>() {
                Ok(n) if n.is_finite() && n > 0.0 => Ok(TypedValue::Number(n)),
                _ => self.wrong(None),
            },
            Kind::Share => match share(text) {
                Some(n) if (0.0..=1.0).contains(&n) => Ok(TypedValue::Number(n)),
                _ => self.wrong(None),
            },
            Kind::HadoopSize { zero } => match hadoop_size(text) {
                Ok(0) if !zero => self.wrong(None),
                Ok(n) => Ok(TypedValue::Bytes(Bytes(n))),
                Err(error) => self.unit(error, None),
            },
            Kind::OzoneSize => match ozone_size(text) {
                Ok(0) => self.wrong(None),
                Ok(n) => Ok(TypedValue::Bytes(Bytes(n))),
                Err(error) => {
                    let bare = text.parse::<u64>().ok().filter(|n| *n > 0);
                    self.unit(error, bare.map(|n| format!("\"{n}B\"")))
                }
            },
            Kind::HadoopTimeout { .. } if text.parse::<i64>().is_ok_and(|n| n <= 0) => {
                Ok(TypedValue::Time(Nanos::secs(300)))
            }
            Kind::HadoopTime { unit, .. } | Kind::HadoopTimeout { unit } => {
                self.time(hadoop_time(text, unit), String::new())
            }
        }
    }

    fn choice(self, text: &str, names: &'static [&'static str]) -> Result<TypedValue, ValueError> {
        match names.contains(&text) {
            true => Ok(TypedValue::Text(text.to_string())),
            false => self.wrong(nearest(text, names.iter().copied()).map(quote)),
        }
    }

    fn rate(self, text: &str) -> Result<TypedValue, ValueError> {
        let names: Vec<&str> = match self {
            Kind::Disk => catalogue::disks().iter().map(|d| d.name).collect(),
            _ => catalogue::networks().iter().map(|n| n.name).collect(),
        };
        if names.contains(&text) {
            return Ok(TypedValue::Text(text.to_string()));
        }
        let meant = [format!("{text}/s"), text.replace("bps", "bit/s"), text.replace("/sec", "/s")];
        let meant = meant.iter().find(|t| t.parse::<BytesPerSec>().is_ok());
        let bit_or_byte = text.strip_suffix("b/s").filter(|t| t.ends_with(['k', 'M', 'G']));
        if let Some(t) = bit_or_byte {
            return self.wrong(Some(format!("\"{t}B/s\" (bytes) or \"{t}bit/s\"")));
        }
        let near = || nearest(text, names.iter().copied());
        match text.parse() {
            Ok(BytesPerSec(0)) => self.wrong(None),
            Ok(rate) => Ok(TypedValue::Rate(rate)),
            Err(e) if e.expected.starts_with("a rate") => {
                self.wrong(meant.map(String::as_str).or_else(near).map(quote))
            }
            Err(error) => self.unit(error, None),
        }
    }

    fn time(
        self,
        read: Result<Nanos, ParseUnitError>,
        meant: String,
    ) -> Result<TypedValue, ValueError> {
        let zero = match self {
            Kind::Time { zero } | Kind::HadoopTime { zero, .. } => zero,
            _ => true,
        };
        match read {
            Ok(Nanos(0)) if !zero => self.wrong(None),
            Ok(time) => Ok(TypedValue::Time(time)),
            Err(e) if e.expected.starts_with("a time") => {
                self.wrong(meant.parse::<Nanos>().is_ok().then(|| quote(&meant)))
            }
            Err(error) => self.unit(error, None),
        }
    }

    fn wrong<T>(self, hint: Option<String>) -> Result<T, ValueError> {
        Err(ValueError { expected: self.to_string(), hint })
    }

    fn unit<T>(self, error: ParseUnitError, hint: Option<String>) -> Result<T, ValueError> {
        Err(ValueError { expected: error.expected.to_string(), hint })
    }
}

fn quote(text: &str) -> String {
    format!("\"{text}\"")
}

impl fmt::Display for Kind {
    /// Accepted values in words, with an example.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zero_or_more = |zero: bool| if zero { "" } else { " above 0" };
        match self {
            Kind::Text => write!(f, "a text in quotes"),
            Kind::Name => write!(f, "a name in quotes"),
            Kind::Path => write!(f, "a file's name in quotes"),
            Kind::Choice(names) => {
                let names: Vec<String> = names.iter().map(|n| quote(n)).collect();
                write!(f, "{}", names.join(" or "))
            }
            Kind::Count { min, max } | Kind::HadoopCount { min, max } => {
                write!(f, "a whole number from {min} to {max}")
            }
            Kind::Flag | Kind::HadoopFlag => write!(f, "true or false"),
            Kind::Rate => {
                write!(f, "a rate above 0 with its unit and `/s`: \"10Gbit/s\", \"125MB/s\"")
            }
            Kind::Disk => {
                write!(
                    f,
                    "a name of `tenbin list hardware`, or a rate above 0: \"hdd-7200\", \"65MB/s\""
                )
            }
            Kind::Amount => write!(f, "an amount of data above 0: \"67MB\", \"128MiB\""),
            Kind::AmountWithin { min, max } => write!(f, "an amount of data from {min} to {max}"),
            Kind::Time { zero } => {
                write!(f, "a time{} with its unit: \"0.1ms\", \"3s\"", zero_or_more(*zero))
            }
            Kind::Until => write!(f, "\"redundant\", or a time with its unit: \"10min\""),
            Kind::Share => write!(f, "a number from 0 to 1: 0.7"),
            Kind::Number => write!(f, "a number above 0: 2.0"),
            Kind::HadoopSize { zero } => {
                write!(f, "a Hadoop size{}: \"128m\" (2²⁷), 134217728", zero_or_more(*zero))
            }
            Kind::OzoneSize => write!(f, "an Ozone size above 0: \"5GB\", \"1.5GB\", \"256MB\""),
            Kind::HadoopTimeout { unit } => {
                write!(
                    f,
                    "{}; 0 and below is 5 minutes",
                    Kind::HadoopTime { unit: *unit, zero: true }
                )
            }
            Kind::HadoopTime { unit, zero } => {
                let unit = if *unit == 1_000_000 { "milliseconds" } else { "seconds" };
                write!(f, "a Hadoop time{}: \"3s\", or a number of {unit}", zero_or_more(*zero))
            }
        }
    }
}
fn share(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => Some(percent.trim().parse::<f64>().ok()? / 100.0),
        None => text.parse().ok(),
    }
}
