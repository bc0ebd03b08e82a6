//! The time at the start of a log4j line.
use chrono::{DateTime, NaiveDate, Utc};

/// (milliseconds since 1970, rest of the line) for Hadoop's two layouts: `2026-11-20 17:00:59,962
/// …` (files) and `26/11/20 17:00:59 …` (console). `None` for continuation lines, such as those of
/// a stack trace.
pub fn stamp(line: &[u8]) -> Option<(i64, &[u8])> {
    let (date, rest) = match line.get(2)? {
        b'/' => (short_date(line.get(..8)?)?, line.get(8..)?),
        _ => (long_date(line.get(..10)?)?, line.get(10..)?),
    };
    let time = rest.get(1..9).filter(|_| matches!(rest[0], b' ' | b'T'))?;
    let (hour, minute, second) = parts(time, b':')?;
    let ok = hour < 24 && minute < 60 && second < 61;
    let rest = &rest[9..];
    let (milli, rest) = match rest.first() {
        Some(b',' | b'.') => (number(rest.get(1..4)?)?, &rest[4..]),
        _ => (0, rest),
    };
    let of_day = ((hour * 60 + minute) * 60 + second) * 1000 + milli;
    ok.then_some((date * 86_400_000 + i64::from(of_day), rest))
}

/// Whether a line is a cut stamp with at least its date, and nothing else.
pub fn is_half(line: &[u8]) -> bool {
    let shapes: [&[u8]; 2] = [b"0000-00-00 00:00:00,000", b"00/00/00 00:00:00"];
    let fits = |(have, want): (&u8, &u8)| match want {
        b'0' => have.is_ascii_digit(),
        b' ' => matches!(have, b' ' | b'T'),
        other => have == other,
    };
    let begins = |shape: &&[u8]| line.len() <= shape.len() && line.iter().zip(*shape).all(fits);
    line.len() >= 8 && shapes.iter().any(begins)
}

fn long_date(text: &[u8]) -> Option<i64> {
    let year = number(&text[..4])?;
    let separated = text[4] == b'-' && text[7] == b'-';
    if separated { days(year, number(&text[5..7])?, number(&text[8..])?) } else { None }
}

fn short_date(text: &[u8]) -> Option<i64> {
    let (year, month, day) = parts(text, b'/')?;
    days(2000 + year, month, day)
}

/// `aa:bb:cc`.
fn parts(text: &[u8], mark: u8) -> Option<(u32, u32, u32)> {
    let separated = text[2] == mark && text[5] == mark;
    let all = || Some((number(&text[..2])?, number(&text[3..5])?, number(&text[6..8])?));
    if separated { all() } else { None }
}

/// At most four digits.
fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |n, d| d.is_ascii_digit().then(|| n * 10 + u32::from(d - b'0')))
}

/// Days since 1970 in the Gregorian calendar; `None` for invalid days and for years outside
/// 1970–2199, which damage produces.
fn days(year: u32, month: u32, day: u32) -> Option<i64> {
    let year = i32::try_from(year).ok().filter(|year| (1970..2200).contains(year))?;
    NaiveDate::from_ymd_opt(year, month, day).map(|date| i64::from(date.to_epoch_days()))
}

fn utc(stamp: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(stamp).expect("a stamp of this module's is in a year of logs")
}

/// "2026-11-20".
pub fn day(stamp: i64) -> String {
    utc(stamp).format("%Y-%m-%d").to_string()
}

/// "2026-11-20 17:00:59,962".
pub fn text(stamp: i64) -> String {
    utc(stamp).format("%Y-%m-%d %H:%M:%S,%3f").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: &str) -> Option<i64> {
        stamp(line.as_bytes()).map(|(at, _)| at)
    }

    #[test]
    fn both_layouts_and_days_that_follow_each_other() {
        let long = at("2026-11-20 17:00:59,962 INFO x").unwrap();
        assert_eq!(at("26/11/20 17:00:59 INFO x").unwrap() + 962, long);
        assert_eq!(at("2026-11-20T17:00:59.962 x").unwrap(), long);
        assert_eq!(text(long), "2026-11-20 17:00:59,962");
        assert_eq!(stamp(b"2026-11-20 17:00:59,962 INFO x").unwrap().1, b" INFO x");
        let next = |a, b| {
            at(&format!("{b} 00:00:00 x")).unwrap() - at(&format!("{a} 23:59:59 x")).unwrap()
        };
        for (a, b) in [("24/02/28", "24/02/29"), ("24/02/29", "24/03/01"), ("26/12/31", "27/01/01")]
        {
            assert_eq!(next(a, b), 1000, "{a} {b}")
        }
        assert_eq!(day(long), "2026-11-20");
        for line in
            ["", "\tat java.lang.Thread", "2026-13-20 17:00:59,962", "java.io.IOException: x"]
        {
            assert_eq!(at(line), None, "{line}")
        }
    }

    #[test]
    fn days_that_no_calendar_has() {
        for day in ["26/02/29", "26/02/31", "26/04/31", "26/00/10", "26/01/00"] {
            assert_eq!(at(&format!("{day} 17:00:59 x")), None, "{day}");
            let long = day.replace('/', "-");
            assert_eq!(at(&format!("20{long} 17:00:59,962 x")), None, "{long}")
        }
        for year in ["1969", "2100", "2200"] {
            assert_eq!(at(&format!("{year}-02-29 00:00:00,000 x")), None, "{year}")
        }
        assert_eq!(at("1970-01-02 00:00:00,001 x"), Some(86_400_001))
    }
}
