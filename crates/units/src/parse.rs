//! Parses quantities of scenarios ("65MB/s", "0.1ms") and of Hadoop's files ("128m").
//!
//! Results are exact: a fraction of a byte or nanosecond is an error, not rounded.
use crate::{Bytes, BytesPerSec, Nanos};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseUnitError {
    pub found: String,
    pub expected: &'static str,
}

impl fmt::Display for ParseUnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected {}", self.found, self.expected)
    }
}

impl std::error::Error for ParseUnitError {}

/// A unit as a fraction: `bit` is 1/8 byte.
struct Unit {
    name: &'static str,
    times: u128,
    over: u128,
}

const fn unit(name: &'static str, times: u128, over: u128) -> Unit {
    Unit { name, times, over }
}

const SIZES: [Unit; 9] = [
    unit("B", 1, 1),
    unit("kB", 1_000, 1),
    unit("MB", 1_000_000, 1),
    unit("GB", 1_000_000_000, 1),
    unit("TB", 1_000_000_000_000, 1),
    unit("KiB", 1 << 10, 1),
    unit("MiB", 1 << 20, 1),
    unit("GiB", 1 << 30, 1),
    unit("TiB", 1 << 40, 1),
];

const BITS: [Unit; 4] = [
    unit("bit", 1, 8),
    unit("kbit", 1_000, 8),
    unit("Mbit", 1_000_000, 8),
    unit("Gbit", 1_000_000_000, 8),
];

const TIMES: [Unit; 9] = [
    unit("ns", 1, 1),
    unit("us", 1_000, 1),
    unit("µs", 1_000, 1),
    unit("ms", 1_000_000, 1),
    unit("s", 1_000_000_000, 1),
    unit("min", 60_000_000_000, 1),
    unit("m", 60_000_000_000, 1),
    unit("h", 3_600_000_000_000, 1),
    unit("d", 86_400_000_000_000, 1),
];

const SIZE_FORM: &str = "an amount of data with its unit: \"67MB\" (10⁶ bytes), \"128MiB\" (2²⁰) \
                         (B kB MB GB TB KiB MiB GiB TiB)";
const RATE_FORM: &str = "a rate with its unit and `/s`: \"65MB/s\" (10⁶ bytes), \"10Gbit/s\"";
const TIME_FORM: &str =
    "a time with its unit: \"0.1ms\", \"3s\", \"10min\" (ns us ms s min h d; m is min)";
const WHOLE_BYTES: &str = "a whole number of bytes";
const WHOLE_RATE: &str = "a whole number of bytes a second";
const WHOLE_NANOS: &str = "a whole number of nanoseconds";
const TOO_LARGE: &str = "a value below 2⁶⁴ bytes or nanoseconds (584 years)";
const NOT_NEGATIVE: &str = "a value that is not negative";
const HADOOP_SIZE: &str = "a Hadoop size: digits and at most one of k m g t p e (powers of 1024)";
const HADOOP_TIME: &str = "a Hadoop time: digits and at most one of ns us ms s m h d";

impl FromStr for Bytes {
    type Err = ParseUnitError;
    /// "67MB", "128MiB", "512B"; MB = 10⁶, MiB = 2²⁰.
    fn from_str(text: &str) -> Result<Bytes, ParseUnitError> {
        quantity(text, text, &[&SIZES], SIZE_FORM, WHOLE_BYTES).map(Bytes)
    }
}

impl FromStr for BytesPerSec {
    type Err = ParseUnitError;
    /// "65MB/s", "10Gbit/s"; without `/s` it is an error.
    fn from_str(text: &str) -> Result<BytesPerSec, ParseUnitError> {
        let amount = text.trim().strip_suffix("/s").ok_or_else(|| error(text, RATE_FORM))?;
        quantity(text, amount, &[&SIZES, &BITS], RATE_FORM, WHOLE_RATE).map(BytesPerSec)
    }
}

impl FromStr for Nanos {
    type Err = ParseUnitError;
    fn from_str(text: &str) -> Result<Nanos, ParseUnitError> {
        quantity(text, text, &[&TIMES], TIME_FORM, WHOLE_NANOS).map(Nanos)
    }
}

/// `k m g t p e`, in either case, are powers of 1024 (`StringUtils.TraditionalBinaryPrefix`).
pub fn hadoop_size(text: &str) -> Result<u64, ParseUnitError> {
    let trimmed = text.trim();
    refuse_negative(text, trimmed)?;
    let (digits, shift) = match trimmed.char_indices().last() {
        Some((at, letter)) if !letter.is_ascii_digit() => {
            let prefix =
                (1..).zip("kmgtpe".chars()).find(|(_, p)| *p == letter.to_ascii_lowercase());
            (&trimmed[..at], 10 * prefix.ok_or_else(|| error(text, HADOOP_SIZE))?.0)
        }
        _ => (trimmed, 0),
    };
    let value = whole(text, digits, HADOOP_SIZE)?.checked_shl(shift);
    value.and_then(|v| u64::try_from(v).ok()).ok_or_else(|| error(text, TOO_LARGE))
}

/// `ns us ms s m h d`; a bare number is in `default_unit_ns` (`Configuration.getTimeDuration`).
pub fn hadoop_time(text: &str, default_unit_ns: u64) -> Result<Nanos, ParseUnitError> {
    let lower = text.trim().to_ascii_lowercase();
    refuse_negative(text, &lower)?;
    let (digits, suffix) = split_number(&lower);
    let times = match suffix {
        "" => default_unit_ns as u128,
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return Err(error(text, HADOOP_TIME)),
    };
    let value = whole(text, digits, HADOOP_TIME)?.checked_mul(times);
    let value = value.and_then(|v| u64::try_from(v).ok());
    value.map(Nanos).ok_or_else(|| error(text, TOO_LARGE))
}

pub(crate) fn error(found: &str, expected: &'static str) -> ParseUnitError {
    ParseUnitError { found: found.trim().to_string(), expected }
}

fn refuse_negative(found: &str, trimmed: &str) -> Result<(), ParseUnitError> {
    if trimmed.starts_with('-') { Err(error(found, NOT_NEGATIVE)) } else { Ok(()) }
}

/// `amount`: `found` without `/s`.
fn quantity(
    found: &str,
    amount: &str,
    tables: &[&[Unit]],
    form: &'static str,
    whole: &'static str,
) -> Result<u64, ParseUnitError> {
    let amount = amount.trim();
    refuse_negative(found, amount)?;
    let (number, name) = split_number(amount);
    let mut units = tables.iter().flat_map(|table| table.iter());
    let unit = units.find(|u| u.name == name.trim_start()).ok_or_else(|| error(found, form))?;
    let (digits, decimals) = decimal(number).ok_or_else(|| error(found, form))?;
    let scaled = digits.checked_mul(unit.times).ok_or_else(|| error(found, TOO_LARGE))?;
    let over = unit.over * 10u128.pow(decimals);
    if !scaled.is_multiple_of(over) {
        return Err(error(found, whole));
    }
    u64::try_from(scaled / over).map_err(|_| error(found, TOO_LARGE))
}

fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

/// "0.1" → (1, 1): all digits as one integer, and the number of decimals.
fn decimal(number: &str) -> Option<(u128, u32)> {
    let (before, after) = number.split_once('.').unwrap_or((number, ""));
    let after = after.trim_end_matches('0');
    let fits = before.len() <= 20 && after.len() <= 12;
    if before.is_empty() || !fits || number.ends_with('.') {
        return None;
    }
    Some((format!("{before}{after}").parse().ok()?, u32::try_from(after.len()).ok()?))
}

fn whole(found: &str, digits: &str, form: &'static str) -> Result<u128, ParseUnitError> {
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !all_digits {
        return Err(error(found, form));
    }
    if digits.len() > 20 {
        return Err(error(found, TOO_LARGE));
    }
    digits.parse().map_err(|_| error(found, TOO_LARGE))
}
