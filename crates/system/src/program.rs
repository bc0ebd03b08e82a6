//! The program's command line and file, also if Python starts it.
use crate::session;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

static GIVEN: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command line of a program that is not a file of its own; its first word starts it.
pub fn set_line(line: Vec<OsString>) {
    // A process has one command line.
    let _ = GIVEN.set(line);
}

/// The command line; its first word is the program.
pub fn line() -> Vec<OsString> {
    match session::current() {
        Some(session) => session.line().iter().map(OsString::from).collect(),
        None => GIVEN.get().cloned().unwrap_or_else(|| std::env::args_os().collect()),
    }
}

/// The file that starts this program.
///
/// # Errors
/// The OS does not report it.
pub fn file() -> io::Result<PathBuf> {
    match GIVEN.get().and_then(|line| line.first()) {
        Some(first) => Ok(first.into()),
        None => std::env::current_exe(),
    }
}
