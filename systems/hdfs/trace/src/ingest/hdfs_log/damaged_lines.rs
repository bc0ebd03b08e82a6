//! Detects damaged log lines: truncated lines and binary data.
use import::log4j;

/// A line that ends before its message does.
pub(super) const HALF: &str = "half a line";

const LEVELS: [&[u8]; 6] = [b"INFO", b"DEBUG", b"WARN", b"ERROR", b"FATAL", b"TRACE"];

/// The problem of a line without a time; `None`: a continuation of the line before.
pub(super) fn without_time(line: &[u8]) -> Option<&'static str> {
    let control = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\r' | 0x0c | 0x1b);
    if std::str::from_utf8(line).is_err() || line.iter().any(control) {
        return Some("bytes that are not text");
    }
    log4j::is_half(line).then_some(HALF)
}

/// True if the text after the time ends before a message: the level and at most one word without a
/// colon.
pub(super) fn before_message(rest: &[u8]) -> bool {
    let mut words = rest.split(|b| *b == b' ').filter(|word| !word.is_empty());
    let (level, logger, more) = (words.next(), words.next(), words.next());
    let begun = |level: &[u8]| LEVELS.iter().any(|known| known.starts_with(level));
    let named = |word: &[u8]| LEVELS.contains(&level.unwrap_or_default()) && !word.contains(&b':');
    more.is_none() && level.is_none_or(begun) && logger.is_none_or(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line truncated before its message is detected; a line with its message or of a stack trace
    /// is not.
    #[test]
    fn halves() {
        for line in [
            "2026-11-20 17:01:43,575 INFO org.apache.hadoop.hdfs.StateChange: x",
            "26/11/20 10:20:03 DEBUG BlockStateChange: BLOCK* ask",
        ] {
            let colon = line.find(": ").unwrap();
            for end in 8..=line.len() {
                let cut = &line.as_bytes()[..end];
                let broken = match log4j::stamp(cut) {
                    Some((_, rest)) => before_message(rest),
                    None => without_time(cut).is_some(),
                };
                assert_eq!(broken, end <= colon, "{:?}", &line[..end])
            }
        }
        for line in ["\tat java.lang.Thread.run(Thread.java:829)", "", "x", "2026 ways", "/****"] {
            assert_eq!(without_time(line.as_bytes()), None, "{line}")
        }
        assert!(!before_message(b" INFO nothing at all"), "another layout");
        assert_eq!(without_time(b"\0\x01"), Some("bytes that are not text"));
        assert_eq!(without_time(b"\xff\xfe"), Some("bytes that are not text"));
    }
}
