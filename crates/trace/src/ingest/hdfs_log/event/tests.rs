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
