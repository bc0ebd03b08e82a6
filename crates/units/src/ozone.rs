//! Sizes and times in the format of `ozone-site.xml` (Ozone, Ratis).
use crate::Nanos;
use crate::parse::{ParseUnitError, error};

/// (long name, short name, letter, power of two), in the matching order of Ozone
/// (`StorageUnit.values()`).
const SIZES: [(&str, &str, &str, i32); 7] = [
    ("exabytes", "eb", "e", 60),
    ("petabytes", "pb", "p", 50),
    ("terabytes", "tb", "t", 40),
    ("gigabytes", "gb", "g", 30),
    ("megabytes", "mb", "m", 20),
    ("kilobytes", "kb", "k", 10),
    ("bytes", "b", "b", 0),
];

const SIZE: &str = "a size as Ozone reads it, a number and one of B KB MB GB TB PB EB (powers of \
                    1024; the letter alone, too): \"5GB\", \"1.5GB\", \"256m\"; Ozone does not \
                    start with a number alone";
const TOO_LARGE: &str = "a size below 8 EB";
const NOT_NEGATIVE: &str = "a value that is not negative";

/// (symbols, nanoseconds), in the matching order of Ratis (`TimeDuration.Abbreviation`).
const TIMES: [(&[&str], u64); 7] = [
    (&["ns", "nanos", "nanoseconds", "nanosecond"], 1),
    (&["μs", "us", "micros", "microseconds", "microsecond"], 1_000),
    (&["ms", "msec", "millis", "milliseconds", "millisecond"], 1_000_000),
    (&["s", "sec", "seconds", "second"], 1_000_000_000),
    (&["min", "m", "minutes", "minute"], 60_000_000_000),
    (&["hr", "h", "hours", "hour"], 3_600_000_000_000),
    (&["day", "d", "days"], 86_400_000_000_000),
];

const TIME: &str = "a time as Ratis reads it: digits and one of ns us ms s min h d";

/// Bytes of an Ozone size: "5GB", "1.5 gb", "4m" (`StorageSize.parse`). Fractions of a byte are
/// truncated, as in `StorageSize.toBytes`.
///
/// # Errors
/// No number, no unit, below 0, 2⁶³ bytes or more.
pub fn ozone_size(text: &str) -> Result<u64, ParseUnitError> {
    let lower = text.trim().to_ascii_lowercase();
    let suffix = |&(long, short, letter, power): &(&str, &str, &str, i32)| {
        let number = [long, short, letter].into_iter().find_map(|name| lower.strip_suffix(name));
        number.map(|number| (number, power))
    };
    let (number, power) = SIZES.iter().find_map(suffix).ok_or_else(|| error(text, SIZE))?;
    let digits = |c: char| c.is_ascii_digit() || ".+-e".contains(c);
    let number = Some(number.trim()).filter(|number| number.chars().all(digits));
    let value: Option<f64> = number.and_then(|number| number.parse().ok());
    let bytes = value.ok_or_else(|| error(text, SIZE))? * (1u64 << power) as f64;
    match bytes {
        _ if bytes < 0.0 => Err(error(text, NOT_NEGATIVE)),
        _ if bytes < (1u64 << 63) as f64 => Ok(crate::floored_u64(bytes)),
        _ => Err(error(text, TOO_LARGE)),
    }
}

/// Parses "5s", "100 msec", "1_000ms"; a bare number is in `default_unit_ns`
/// (`TimeDuration.valueOf`).
///
/// # Errors
/// Not an integer, an unknown unit, below 0, over 584 years.
pub fn ratis_time(text: &str, default_unit_ns: u64) -> Result<Nanos, ParseUnitError> {
    let lower = text.trim().replace('_', "").to_lowercase();
    let number = |name: &&str| lower.strip_suffix(*name)?.trim().parse::<i64>().ok();
    let unit = |(names, unit): &(&[&str], u64)| Some((names.iter().find_map(number)?, *unit));
    let found = TIMES.iter().find_map(unit);
    let bare = || lower.parse::<i64>().ok().map(|n| (n, default_unit_ns));
    let (n, unit) = found.or_else(bare).ok_or_else(|| error(text, TIME))?;
    let n = u64::try_from(n).map_err(|_| error(text, NOT_NEGATIVE))?;
    n.checked_mul(unit).map(Nanos).ok_or_else(|| error(text, TIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_ozone_reads_them() {
        let table = [
            ("5GB", 5 << 30),
            ("1.5GB", 3 << 29),
            ("256MB", 256 << 20),
            ("5g", 5 << 30),
            ("4m", 4 << 20),
            ("1KB", 1024),
            ("1k", 1024),
            ("7B", 7),
            ("7b", 7),
            ("2TB", 2 << 40),
            ("3pb", 3 << 50),
            ("1E", 1 << 60),
            ("0.5EB", 1 << 59),
            (" 5 GB ", 5 << 30),
            ("12 megabytes", 12 << 20),
            ("100bytes", 100),
            ("1e3KB", 1_024_000),
            (".5KB", 512),
            ("0.3KB", 307),
            ("0B", 0),
        ];
        for (text, bytes) in table {
            assert_eq!(ozone_size(text), Ok(bytes), "{text}");
        }
        let wrong =
            ["", "5", "268435456", "GB", "5GiB", "5 G B", "five GB", "-1GB", "NaNGB", "infb"];
        for text in wrong.into_iter().chain(["9EB", "5x", "5,5GB", "1.2.3MB"]) {
            assert!(ozone_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_as_ratis_reads_them() {
        let table = [
            ("5s", 5_000_000_000),
            ("100ms", 100_000_000),
            ("100 msec", 100_000_000),
            ("2min", 120_000_000_000),
            ("2m", 120_000_000_000),
            ("1hr", 3_600_000_000_000),
            ("1_500", 1_500_000_000),
            ("3 seconds", 3_000_000_000),
            ("1day", 86_400_000_000_000),
            ("7us", 7_000),
        ];
        for (text, nanos) in table {
            assert_eq!(ratis_time(text, 1_000_000), Ok(Nanos(nanos)), "{text}");
        }
        for text in ["", "s", "1.5s", "5 parsecs", "-1s", "a"] {
            assert!(ratis_time(text, 1).is_err(), "{text}");
        }
    }

    /// Random numbers and units against integer arithmetic.
    #[test]
    fn drawn_sizes() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..20_000 {
            let (long, short, letter, power) = SIZES[below(7) as usize];
            let name = [long, short, letter][below(3) as usize];
            let name: String = name
                .chars()
                .map(|c| if below(2) == 0 { c.to_ascii_uppercase() } else { c })
                .collect();
            let (whole, quarters) = (below(8), below(4));
            let text =
                format!("{whole}.{:02}{}{name}", quarters * 25, [" ", ""][below(2) as usize]);
            let exact = u128::from(4 * whole + quarters) << power >> 2;
            assert_eq!(ozone_size(&text).map(u128::from), Ok(exact), "{text}");
        }
    }
}
