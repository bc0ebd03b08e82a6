//! The only writer to stdout (results, never progress), and messages on stderr.
use crate::{failure::Failure, ranks, session};
use cluster::keys::Vocabulary;
use cluster::{Origin, Setting};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::sync::Mutex;

/// Replaces non-breaking spaces, which hinder copying from a terminal. A closed pipe (`| head`) is
/// not an error.
pub fn text(text: &str) -> Result<(), Failure> {
    print(&page::words::spaces(text))
}

fn print(text: &str) -> Result<(), Failure> {
    if !ranks::is_first() {
        return Ok(());
    }
    if let Some(session) = session::current() {
        session.print(text.as_bytes());
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to stdout: {e}")))
        }
        _ => Ok(()),
    }
}

/// Writes a binary result to stdout.
pub fn bytes(bytes: &[u8]) -> std::io::Result<()> {
    if let Some(session) = session::current() {
        session.print(bytes);
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// Whether stdout accepts at least 4096 bytes without blocking; true if the OS does not report it.
#[cfg(unix)]
pub fn takes_bytes() -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let out = std::io::stdout();
    let mut out = [PollFd::new(out.as_fd(), PollFlags::POLLOUT)];
    !matches!(poll(&mut out, PollTimeout::ZERO), Ok(0))
}

#[cfg(not(unix))]
pub fn takes_bytes() -> bool {
    true
}

pub fn failure(failure: &Failure) {
    match failure {
        Failure::BadInput(text) | Failure::Failed(text) => note(&format!("error: {text}")),
        Failure::Interrupted(text) => note(&format!("interrupted: {text}")),
    }
}

/// Prints to stderr and ignores write errors. Of several MPI ranks only the first prints.
pub fn note(text: &str) {
    if !ranks::is_first() {
        return;
    }
    if let Some(session) = session::current() {
        return session.note(text);
    }
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// [`note`] with each text once: a command may read a scenario many times.
pub fn note_once(text: String) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().expect("no thread panics while holding it");
    if !said.contains(&text) {
        note(&text);
        said.insert(text);
    }
}

/// Warns about real settings that no model reads.
pub fn idle(settings: &[Setting], vocabulary: &Vocabulary) {
    let is_idle = |setting: &&Setting| {
        setting.origin == Origin::CommandLine && vocabulary.find(&setting.key).is_none()
    };
    for setting in settings.iter().filter(is_idle) {
        let Setting { key, value, .. } = setting;
        note_once(format!(
            "! {key}={value}: not modelled, so no effect here (`tenbin check` lists the modelled \
             keys)"
        ))
    }
}

/// Warns about settings under their old names.
pub fn old_names(settings: &[Setting]) {
    for Setting { key, origin, old_name, .. } in settings {
        let (Some(old), Origin::File { file, line } | Origin::Imported { file, line }) =
            (old_name, origin)
        else {
            continue;
        };
        note_once(format!("! {}:{line}: `{old}` is the old name of `{key}`", file.display()))
    }
}

/// Inserts a space before the unit: "10Gbit/s" becomes "10 Gbit/s". Other values stay.
pub fn spaced(value: &str) -> String {
    let number = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(0);
    let (number, unit) = value.split_at(number);
    let is_unit = unit.chars().all(|c| c.is_alphabetic() || c == '/');
    let is_name = cluster::catalogue::network(value).is_some();
    if number.is_empty() || !is_unit || is_name {
        return value.into();
    }
    format!("{number} {unit}")
}

/// On one line.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(value)
        .map_err(|e| Failure::Failed(format!("cannot write JSON: {e}")))?;
    print(&(line + "\n"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn quantities_get_a_space() {
        let table = [
            ("10Gbit/s", "10 Gbit/s"),
            ("0.1ms", "0.1 ms"),
            ("12", "12"),
            ("hdd-7200", "hdd-7200"),
            ("10GbE", "10GbE"),
            ("10 Gbit/s", "10 Gbit/s"),
        ];
        for (written, shown) in table {
            assert_eq!(super::spaced(written), shown);
        }
    }
}
