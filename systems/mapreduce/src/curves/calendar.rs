//! UTC dates and Unix times. Algorithm: Howard Hinnant, "chrono-compatible low-level date
//! algorithms".

/// Parses "2026-11-23", "12:00:01" to Unix time \[ms\]; `None` if invalid or not in 1970 to 2200.
pub(crate) fn unix_ms(date: &str, time: &str) -> Option<i64> {
    let numbers = |text: &str, by: char| -> Option<Vec<i64>> {
        text.split(by).map(|n| n.parse().ok()).collect()
    };
    let ([year, month, day], [hour, minute, second]) =
        (numbers(date, '-')?.try_into().ok()?, numbers(time, ':')?.try_into().ok()?);
    let fits = (1970..=2200).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    // Days since 1970-01-01.
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    fits.then(|| 1000 * (86_400 * days + 3600 * hour + 60 * minute + second))
}

/// Formats Unix time \[ms\] as "2026-11-23 12:00:01 UTC".
pub(crate) fn utc(ms: i64) -> String {
    let seconds = ms.div_euclid(1000);
    let (days, of_day) = (seconds.div_euclid(86_400) + 719_468, seconds.rem_euclid(86_400));
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_year = of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096;
    let year = of_year / 365;
    let day = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let of_month = day - (153 * month + 2) / 5 + 1;
    let (month, late) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!(
        "{}-{month:02}-{of_month:02} {:02}:{:02}:{:02} UTC",
        year + era * 400 + late,
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    )
}

/// Unix time \[ms\] at which the trace starts; 0 if unknown.
pub(crate) fn zero_ms(trace: &trace::Trace) -> i64 {
    let ns = trace.about("zero_unix_ns").and_then(|ns| ns.parse::<i128>().ok()).unwrap_or(0);
    i64::try_from(ns / 1_000_000).unwrap_or(0)
}

/// Parses a UTC offset, "+01:00", "-05:30" or "+1", to \[ms\] ahead of UTC.
pub(crate) fn parse_utc_offset(text: &str) -> Option<i64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "0"));
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| (0..60).contains(n));
    let (hours, minutes) = (number(hours).filter(|h| *h <= 18)?, number(minutes)?);
    Some(sign * 60_000 * (60 * hours + minutes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_unix_times() {
        assert_eq!(unix_ms("1970-01-01", "00:00:00"), Some(0));
        assert_eq!(unix_ms("2026-11-23", "12:41:37"), Some(1_795_437_697_000));
        assert_eq!(unix_ms("2024-02-29", "00:00:00"), Some(1_709_164_800_000));
        assert_eq!(unix_ms("9999-01-01", "00:00:00"), None);
        assert_eq!(unix_ms("2026-13-01", "00:00:00"), None);
    }

    #[test]
    fn unix_times_are_dates_again() {
        for ms in [0, 951_782_400_000, 1_709_164_800_000, 1_795_437_697_000, 4_107_542_399_000] {
            let text = utc(ms);
            let (date, time) = text.strip_suffix(" UTC").unwrap().split_once(' ').unwrap();
            assert_eq!(unix_ms(date, time), Some(ms), "{text}");
        }
    }

    #[test]
    fn offsets_are_signed_hours_and_minutes() {
        assert_eq!(parse_utc_offset("+01:00"), Some(3_600_000));
        assert_eq!(parse_utc_offset("-05:30"), Some(-19_800_000));
        assert_eq!(parse_utc_offset("2"), Some(7_200_000));
        assert_eq!(
            (parse_utc_offset("CET"), parse_utc_offset("+99"), parse_utc_offset("+1:75")),
            (None, None, None)
        );
    }
}
