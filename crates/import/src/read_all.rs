//! Reads small files completely.
use crate::error::{ImportError, issue};
use crate::input_spec::{InputSpec, check};
use crate::source::{Input, OnProgress, open, unreadable};
use std::io::Read;

/// All bytes, decompressed. Fails if unreadable, cut, larger than `most`, or another tool's file.
pub fn bytes(
    input: &Input,
    wanted: &InputSpec,
    most: u64,
    tell: &mut OnProgress<'_>,
) -> Result<Vec<u8>, ImportError> {
    let file = input.name();
    let mut bytes = Vec::new();
    let opened = open(input, tell).map_err(|issue| issue.at(&file, None))?;
    let read = opened.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|e| unreadable(&e).at(&file, None))?;
    check(wanted, &bytes).map_err(|issue| issue.at(&file, None))?;
    if bytes.len() as u64 > most {
        return Err(issue(format!("more than {} MiB", most >> 20), wanted.content).at(&file, None));
    }
    Ok(bytes)
}

/// [`bytes`] as text; invalid UTF-8 is replaced.
pub fn text(
    input: &Input,
    wanted: &InputSpec,
    most: u64,
    tell: &mut OnProgress<'_>,
) -> Result<String, ImportError> {
    let bytes = bytes(input, wanted, most, tell)?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
    })
}
