//! A program on a node: a tool that ends, or a daemon with its log.
use crate::bed::Host;
use crate::place::failed;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;
use system::{Failure, clock, interrupt};

/// Removes Tenbin's memory limit from the program. Raises its priority over other work of the
/// machine, as if the node had its own CPUs.
const START: &str = "ulimit -S -d $(ulimit -H -d); exec nice -n -10 \"$@\"";

/// Interval between reads of a log.
const LOOK: Duration = Duration::from_millis(100);

/// Lines of a log's end in an error message.
const LAST: usize = 6;

pub struct Program {
    what: String,
    child: Child,
    log: PathBuf,
    /// Bytes of the log read so far.
    seen: u64,
    /// Complete lines not yet examined.
    unseen: VecDeque<String>,
    /// Start of an incomplete line.
    part: String,
}

impl Program {
    /// Starts the program; its output is appended to `log`.
    ///
    /// # Errors
    /// The program cannot be started, or the log cannot be written.
    pub fn start(host: &Host, line: &[&str], log: &Path) -> Result<Program, Failure> {
        let open = || File::options().create(true).append(true).open(log);
        let said = open().map_err(|e| failed(log, e))?;
        let wrong = open().map_err(|e| failed(log, e))?;
        Program::with(host, line, log, (said.into(), wrong.into()))
    }

    /// Runs the program to its end: stdout to a file, stderr to its log.
    ///
    /// # Errors
    /// The program fails, with the end of its log, or takes longer than `at_most`; interrupted.
    pub fn run(
        host: &Host,
        line: &[&str],
        (out, log): (&Path, &Path),
        at_most: Duration,
    ) -> Result<(), Failure> {
        let said = File::create(out).map_err(|e| failed(out, e))?;
        let wrong = File::options().create(true).append(true).open(log);
        let wrong = wrong.map_err(|e| failed(log, e))?;
        let mut program = Program::with(host, line, log, (said.into(), wrong.into()))?;
        let start = clock::now();
        loop {
            interrupt::check()?;
            let ended = program.child.try_wait();
            match ended.map_err(|e| Failure::Failed(format!("{}: {e}", program.what)))? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(program.fails(&status.to_string())),
                None if start.elapsed() > at_most => {
                    let seconds = at_most.as_secs();
                    return Err(program.fails(&format!("does not end in {seconds} s")));
                }
                None => std::thread::sleep(LOOK / 4),
            }
        }
    }

    fn with(
        host: &Host,
        line: &[&str],
        log: &Path,
        (said, wrong): (Stdio, Stdio),
    ) -> Result<Program, Failure> {
        let what = format!("{} on {}", line.first().unwrap_or(&""), host.name);
        let started = host
            .command(&[&["sh", "-c", START, "sh"], line].concat())
            .stdin(Stdio::null())
            .stdout(said)
            .stderr(wrong)
            .spawn();
        let child = started.map_err(|e| Failure::Failed(format!("cannot start {what}: {e}")))?;
        let (unseen, part) = (VecDeque::new(), String::new());
        Ok(Program { what, child, log: log.into(), seen: 0, unseen, part })
    }

    /// Reads the log, from the last examined line on, until a line satisfies the condition.
    ///
    /// # Errors
    /// The program ends before, with the end of its log, or takes longer than `at_most`;
    /// interrupted.
    pub fn until(
        &mut self,
        waited_for: &str,
        at_most: Duration,
        mut is_it: impl FnMut(&str) -> bool,
    ) -> Result<(), Failure> {
        let start = clock::now();
        loop {
            interrupt::check()?;
            let has_ended = self.child.try_wait().is_ok_and(|ended| ended.is_some());
            self.read()?;
            while let Some(line) = self.unseen.pop_front() {
                if is_it(&line) {
                    return Ok(());
                }
            }
            if has_ended {
                return Err(self.fails(&format!("ended before {waited_for}")));
            }
            if start.elapsed() > at_most {
                let seconds = at_most.as_secs();
                return Err(self.fails(&format!("{waited_for}: not in {seconds} s")));
            }
            std::thread::sleep(LOOK)
        }
    }

    fn read(&mut self) -> Result<(), Failure> {
        let mut new = Vec::new();
        let read = File::open(&self.log).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.seen))?;
            file.read_to_end(&mut new)
        });
        self.seen += read.map_err(|e| failed(&self.log, e))? as u64;
        self.part += &String::from_utf8_lossy(&new);
        if let Some(end) = self.part.rfind('\n') {
            let rest = self.part.split_off(end + 1);
            let whole = std::mem::replace(&mut self.part, rest);
            self.unseen.extend(whole.lines().map(str::to_string))
        }
        Ok(())
    }

    fn fails(&self, why: &str) -> Failure {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let end = lines[lines.len().saturating_sub(LAST)..].join("\n  ");
        Failure::Failed(format!("{}: {why}; its log ends\n  {end}", self.what))
    }

    /// Kills the program without shutdown, like a power cut.
    pub fn kill(&mut self) {
        // The program is a child of the process that entered the node.
        for process in children_of(self.child.id()) {
            let _ = kill(process, Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill()
    }
}

fn children_of(parent: u32) -> Vec<Pid> {
    let of = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse::<i32>().ok()?;
        let text = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name in parentheses can contain any character.
        let (_, rest) = text.rsplit_once(')')?;
        let of: u32 = rest.split_whitespace().nth(1)?.parse().ok()?;
        (of == parent).then_some(Pid::from_raw(pid))
    };
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(of).collect()
}
