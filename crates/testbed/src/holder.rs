//! A shell that holds namespaces and devices open for as long as this process lives, and not a
//! moment longer: the kernel then takes them away, whatever became of this process.
//!
//! Devices are opened, made and mounted by it and never by the process that serves them: that one
//! would wait for itself, and could then not even be killed.
use crate::host;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Stdio};
use system::Failure;

/// Behind each script: its standard input ends with the process that started it, and then the
/// script's own `end` puts back what it changed.
const HOLD: &str = "\necho ready\nexec >&- 2>&-\ncat >/dev/null\nend";

pub struct Holder {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Holder {
    /// Runs a script, `$1` … `args`, below a program that makes its namespaces; has it hold them.
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
                return Err(Failure::Failed(format!("the testbed cannot be made: {why}")));
            }
        }
        Ok(Holder { child, stdin })
    }

    /// The process in whose namespaces the script ran.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended, which it does not by itself.
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
