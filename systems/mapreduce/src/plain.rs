//! Formats numbers and texts of logs for terminals.
use page::words;

/// With plain spaces instead of those of pages.
pub(crate) fn plain(text: String) -> String {
    words::spaces(&text)
}

/// Seconds → "9.50 s", "2 min 5 s".
pub(crate) fn duration(seconds: f64) -> String {
    plain(words::duration(seconds))
}

/// 0–1 → "12 %".
pub(crate) fn percent(share: f64) -> String {
    plain(words::percent(share))
}

pub(crate) fn bytes(value: f64) -> String {
    plain(words::bytes(value))
}

/// "12 000", with `digits` decimals.
pub(crate) fn num(value: f64, digits: usize) -> String {
    plain(words::num(value, digits))
}

/// "1 map", "6 maps".
pub(crate) fn count(n: impl TryInto<u64>, what: &str) -> String {
    plain(words::count(n.try_into().unwrap_or(u64::MAX), what))
}

/// At most 200 characters, without terminal control characters.
pub(crate) fn printable(text: &str) -> String {
    cut_to(text, 200)
}

/// As [`printable`], with at most 1000 characters.
pub(crate) fn printable_whole(text: &str) -> String {
    cut_to(text, 1000)
}

fn cut_to(text: &str, most: usize) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(c, '\u{2066}'..='\u{2069}')
    };
    let mut shown: String =
        text.chars().take(most).map(|c| if steers(c) { '·' } else { c }).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…')
    }
    shown
}

pub(crate) fn when(is: bool, says: impl FnOnce() -> String) -> String {
    if is { says() } else { String::new() }
}
