//! `--detach`: runs the same command in a session of its own.
use crate::host;
use crate::place::Place;
use std::io::Read;
use std::process::Stdio;
use std::time::Duration;
use system::{Failure, console, interrupt};

/// Returns when the testbed is up.
///
/// # Errors
/// The testbed cannot be created.
pub fn detach(place: Place) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::Failed(format!("cannot start in a session: {e}"));
    let program = std::env::current_exe().map_err(failed)?;
    let args = std::env::args_os().skip(1).filter(|arg| arg != "--detach");
    let mut command = host::command("setsid");
    command.arg(program).args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    loop {
        if let Some(ended) = child.try_wait().map_err(failed)? {
            let mut said = String::new();
            let _ = child.stderr.take().expect("it is piped").read_to_string(&mut said);
            let said = said.trim().trim_start_matches("error: ").to_string();
            return Err(match ended.code() {
                Some(2) => Failure::BadInput(said),
                _ => Failure::Failed(said),
            });
        }
        if place.server().is_some_and(|pid| u32::try_from(pid.as_raw()) == Ok(child.id()))
            && let Some(state) = place.state()
        {
            return console::text(&state);
        }
        if interrupt::is_requested() {
            place.down()?;
            interrupt::check()?
        }
        std::thread::sleep(Duration::from_millis(20))
    }
}
