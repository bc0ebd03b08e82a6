//! Lines of Hadoop 3.4.3, as they stand in its logs, and of Hadoop 2, as its source prints them.
use super::read;

/// Line and event, in turn; without what stands before the message.
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

/// Wherever a line ends, and whatever stands in place of one of its bytes: it is read or it is not.
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
