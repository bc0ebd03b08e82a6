//! A shell that holds namespaces and devices open while this process lives; afterwards the kernel
//! removes them, even after a crash.
//!
//! The shell opens, formats and mounts devices. The process that serves them must not: it would
//! deadlock with itself and could not be killed.
use crate::host;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Stdio};
use system::Failure;

/// Appended to each script: the shell waits until its standard input ends with the parent process,
/// then runs the script's `end` to restore settings.
const HOLD: &str = "\necho ready\nexec >&- 2>&-\ncat >/dev/null\nend";

pub struct Holder {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Holder {
    /// Runs a script with `$1` … `args` under the command `below`, which creates its namespaces,
    /// and holds them.
    ///
    /// # Errors
    /// A line of the script fails.
    pub fn start(below: &[&str], script: &str, args: &[&str]) -> Result<Holder, Failure> {
        let script = format!("{script}{HOLD}");
        let line = [below, &["sh", "-euc", script.as_str(), "sh"], args].concat();
        let mut command = host::command(line[0]);
        command.args(&line[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let started = command.stderr(Stdio::piped()).spawn();
        let mut child =
            started.map_err(|e| Failure::Failed(format!("cannot start {}: {e}", line[0])))?;
        let stdin = child.stdin.take();
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        while !said.ends_with("ready\n") {
            if out.read_line(&mut said).unwrap_or(0) == 0 {
                drop(stdin);
                let mut why = String::new();
                let _ = child.stderr.take().expect("it is piped").read_to_string(&mut why);
                let _ = child.wait();
                let why = why.trim().replace('\n', "; ");
                return Err(Failure::Failed(format!("the testbed cannot be created: {why}")));
            }
        }
        Ok(Holder { child, stdin })
    }

    /// The process in the script's namespaces.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// True after a failure: the shell does not exit by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().map_or(true, |ended| ended.is_some())
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
