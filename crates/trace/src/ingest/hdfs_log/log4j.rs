//! The time at the start of a log4j line.

/// Milliseconds since some midnight long ago, and the rest of the line. Of Hadoop's two layouts:
/// `2026-11-20 17:00:59,962 …` (files) and `26/11/20 17:00:59 …` (console). `None` for lines that
/// go on from the line before, such as those of a stack trace.
pub(super) fn stamp(line: &[u8]) -> Option<(i64, &[u8])> {
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
    ok.then_some((date * 86_400_000 + of_day, rest))
}

/// Whether a line is the beginning of a stamp, its date at least, and nothing else.
pub(super) fn is_half(line: &[u8]) -> bool {
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
fn parts(text: &[u8], mark: u8) -> Option<(i64, i64, i64)> {
    let separated = text[2] == mark && text[5] == mark;
    let all = || Some((number(&text[..2])?, number(&text[3..5])?, number(&text[6..8])?));
    if separated { all() } else { None }
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0i64, |n, d| d.is_ascii_digit().then(|| n * 10 + i64::from(d - b'0')))
}

/// Days since 1 March of year 0 in the Gregorian calendar: a year begins with March, so that the
/// leap day is its last. Of a year that no log is from, as damage makes it, none.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1970..2200).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1)
}

/// The day of a stamp: 2026-11-20.
pub(super) fn day(stamp: i64) -> String {
    let target = stamp.div_euclid(86_400_000);
    let year = (1970..2200).rev().find(|y| days(*y, 1, 1).is_some_and(|d| d <= target));
    let year = year.unwrap_or(1970);
    let month = (1..=12).rev().find(|m| days(year, *m, 1).is_some_and(|d| d <= target));
    let month = month.unwrap_or(1);
    let first = days(year, month, 1).unwrap_or(target);
    format!("{year}-{month:02}-{:02}", target - first + 1)
}

/// A stamp as logs write it: 2026-11-20 17:00:59,962.
pub(super) fn text(stamp: i64) -> String {
    let ms = stamp.rem_euclid(86_400_000);
    let (s, milli) = (ms / 1000, ms % 1000);
    let (hour, minute, second) = (s / 3600, s / 60 % 60, s % 60);
    format!("{} {hour:02}:{minute:02}:{second:02},{milli:03}", day(stamp))
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
}
