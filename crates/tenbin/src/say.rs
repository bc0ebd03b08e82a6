//! The only writer to stdout: results, never progress.
use crate::failure::Failure;
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Prints text. A reader who has gone (`| head`) is no failure.
pub fn text(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to stdout: {e}")))
        }
        _ => Ok(()),
    }
}

/// Prints exactly one JSON object, on one line.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(value)
        .map_err(|e| Failure::Failed(format!("cannot write JSON: {e}")))?;
    text(&(line + "\n"))
}
