//! Lines from logs of Hadoop 3.4.3, and from the source of Hadoop 2.
use super::read;

/// Alternating line and event; text before the message is removed.
const LINES: &str = include_str!("lines.txt");

#[test]
fn lines_are_read_as_drawn() {
    let mut lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    while let Some(line) = lines.next() {
        let expected = lines.next().expect("an event below each line").trim();
        let event = match read(line) {
            Ok(Some(event)) => format!("{event:?}"),
            Ok(None) => "nothing".into(),
            Err(kind) => format!("not understood: {kind}"),
        };
        assert_eq!(event, expected, "{line}")
    }
}

/// A line truncated at any byte, or with any byte replaced, is read or rejected without a panic.
#[test]
fn damaged_lines_are_no_danger() {
    let lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines.map(str::as_bytes) {
        for at in 0..line.len() {
            let _ = read(&String::from_utf8_lossy(&line[..at]));
            for byte in [0, b' ', b'9', b'_', b':', 0xc3, 0xff, line[at] ^ 1, line[at] ^ 0x40] {
                let mut damaged = line.to_vec();
                damaged[at] = byte;
                let _ = read(&String::from_utf8_lossy(&damaged));
            }
        }
    }
}
