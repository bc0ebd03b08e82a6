//! Number formats: three significant digits, thin spaces in thousands, a real minus sign, units
//! that do not wrap.
use units::floored_u64;

/// Non-breaking space, before units.
pub const NB: &str = "\u{a0}";
/// Non-breaking thin space, in thousands.
pub const THIN: &str = "\u{2060}\u{2009}\u{2060}";
/// Minus sign of the width of a plus.
pub const MINUS: &str = "\u{2212}";
/// Text for "not applicable".
pub const NONE: &str = "–";

/// Replaces non-breaking spaces with plain ones.
pub fn spaces(text: &str) -> String {
    text.replace(THIN, " ").replace(NB, " ")
}

/// "12 000", "−1.6", with `digits` decimals.
pub fn num(value: f64, digits: usize) -> String {
    let fixed = format!("{:.digits$}", value.abs());
    let (whole, fraction) = fixed.split_once('.').unwrap_or((&fixed, ""));
    let negative = value < 0.0 && fixed.bytes().any(|b| b.is_ascii_digit() && b != b'0');
    let mut text = String::from(if negative { MINUS } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push_str(THIN);
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// Decimals for three significant digits: 48.0, 4.80, 480.
pub fn decimals(value: f64) -> usize {
    match value.abs() {
        0.0 => 0,
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    }
}

/// "48.0 s", "4.80 s", "480 s", "10 min 30 s", "2 h 5 min".
pub fn duration(seconds: f64) -> String {
    duration_with(seconds, decimals(seconds))
}

/// [`duration`] with `digits` decimals below 10 minutes, for a series of values.
pub fn duration_with(seconds: f64, digits: usize) -> String {
    let size = seconds.abs();
    if size < 1e-9 {
        return "0".into();
    }
    if size < 599.5 {
        return format!("{}{NB}s", num(seconds, digits));
    }
    let sign = if seconds < 0.0 { MINUS } else { "" };
    let whole = floored_u64(libm::round(size));
    if whole < 3600 {
        return format!("{sign}{}", two(whole / 60, "min", whole % 60, "s"));
    }
    let minutes = floored_u64(libm::round(size / 60.0));
    format!("{sign}{}", two(minutes / 60, "h", minutes % 60, "min"))
}

fn two(large: u64, unit: &str, small: u64, smaller: &str) -> String {
    let head = format!("{}{NB}{unit}", num(large as f64, 0));
    if small == 0 { head } else { format!("{head}{NB}{small}{NB}{smaller}") }
}

/// "46.8–50.0 s", or one value if both ends read the same.
pub fn range(low: f64, high: f64) -> String {
    let digits = decimals(high);
    let (from, to) = (duration_with(low, digits), duration_with(high, digits));
    if from == to {
        return to;
    }
    match from.strip_suffix(&format!("{NB}s")) {
        Some(bare) if high < 599.5 => format!("{bare}–{to}"),
        _ => format!("{from}–{to}"),
    }
}

/// "−22.4 ± 0.6 s", "+12.0 ± 1.0 s"; without an interval if `ci95` is 0 (one seed).
pub fn difference(mean: f64, ci95: f64, digits: usize) -> String {
    match ci95 {
        0.0 => signed(mean, digits, true),
        _ if mean.abs() < 599.5 && ci95 < 599.5 => {
            format!("{}{NB}±{NB}{}{NB}s", signed(mean, digits, false), num(ci95, digits))
        }
        _ => format!("{}{NB}±{NB}{}", signed(mean, digits, true), duration_with(ci95, digits)),
    }
}

/// "−11.4 to −2.3 s", or one value if both ends read the same.
pub fn differences(low: f64, high: f64, digits: usize) -> String {
    let to = signed(high, digits, true);
    if signed(low, digits, true) == to {
        return to;
    }
    let seconds = low.abs() < 599.5 && high.abs() < 599.5;
    format!("{} to {to}", signed(low, digits, !seconds))
}

/// A duration with its sign; without the unit if it follows elsewhere.
fn signed(seconds: f64, digits: usize, unit: bool) -> String {
    let value = match (seconds.abs() < 599.5, unit) {
        (true, true) => format!("{}{NB}s", num(seconds, digits)),
        (true, false) => num(seconds, digits),
        (false, _) => duration_with(seconds, digits),
    };
    let rounds_to_zero = !value.bytes().any(|b| b.is_ascii_digit() && b != b'0');
    if seconds > 0.0 && !rounds_to_zero { format!("+{value}") } else { value }
}

/// "2.5 MB", "54.5 MB", "13.3 GB".
pub fn bytes(value: f64) -> String {
    const SIZES: [(f64, &str); 4] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let size = SIZES.into_iter().find(|(size, _)| value.abs() >= size * 0.9995);
    match size {
        _ if value == 0.0 => "0".into(),
        None => format!("{}{NB}B", num(value, 0)),
        Some((size, unit)) => {
            format!("{}{NB}{unit}", num(value / size, decimals(value / size).min(1)))
        }
    }
}

/// "1.25 GB/s": up to three significant digits, without trailing zeros.
pub fn rate(per_second: f64) -> String {
    const SIZES: [(f64, &str); 5] =
        [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (0.0, "B")];
    if per_second == 0.0 {
        return "0".into();
    }
    let large = |(size, _): &(f64, &str)| per_second.abs() >= size * 0.9995;
    let (size, unit) = SIZES.into_iter().find(large).expect("every number is 0 at least");
    let value = per_second / f64::max(size, 1.0);
    let fixed = num(value, decimals(value));
    let short = match fixed.contains('.') {
        true => fixed.trim_end_matches('0').trim_end_matches('.'),
        false => &fixed,
    };
    format!("{short}{NB}{unit}/s")
}

/// Inserts a space before the unit: "10 Gbit/s", "0.1 ms".
pub fn spaced(value: &str) -> String {
    let unit = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
    let (number, unit) = value.split_at(unit);
    match unit.starts_with(|c: char| c.is_alphabetic()) && !number.is_empty() {
        true => format!("{number}{NB}{unit}"),
        false => value.into(),
    }
}

/// "38 %" from a share 0–1.
pub fn percent(share: f64) -> String {
    format!("{}{NB}%", num(100.0 * share, 0))
}

/// "12 000 blocks", "1 block".
pub fn count(n: u64, one: &str) -> String {
    format!("{}{NB}{one}{}", num(n as f64, 0), if n == 1 { "" } else { "s" })
}

/// Singular of the first plural: "client", "directory", "map slot".
pub fn one_of(many: &str) -> String {
    let mut words: Vec<String> = many.split(' ').map(String::from).collect();
    if let Some(plural) = words.iter_mut().find(|word| word.ends_with('s')) {
        let one = match plural.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => plural.trim_end_matches('s').to_string(),
        };
        *plural = one
    }
    words.join(" ")
}

/// "a", "a and b", "a, b and c".
pub fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// "one" to "twelve", then digits.
pub fn small_number(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(n).map_or_else(|| num(n as f64, 0), |word| (*word).into())
}

/// Capitalises the first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
