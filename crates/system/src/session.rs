//! Output of a command that another program runs inside its own process, such as Python: it
//! receives text, notes and progress in place of stdout and stderr.
use crate::failure::Failure;
use std::cell::RefCell;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard};

/// Performs tasks in any order, on any machine.
pub trait Elsewhere: Send + Sync {
    /// The result of each task, in their order; `None` only after an interruption.
    fn perform(&self, tasks: Vec<String>) -> Result<Vec<Option<String>>, Failure>;
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Session>>> = const { RefCell::new(None) };
}

pub struct Session {
    line: Vec<String>,
    threads: Option<usize>,
    elsewhere: Option<Arc<dyn Elsewhere>>,
    is_brief: bool,
    parts: Mutex<Parts>,
}

#[derive(Default)]
struct Parts {
    text: Vec<u8>,
    notes: Vec<String>,
    progress: Standing,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    pub what: String,
    /// Number of finished runs, or of bytes read.
    pub done: u64,
    pub total: Option<u64>,
    /// "12.5 s simulated, 1500000 events/s"
    pub text: String,
}

impl Session {
    /// `line` begins with the program's name; `threads`: the most for parallel runs.
    pub fn new(line: Vec<String>, threads: Option<usize>) -> Session {
        let (elsewhere, is_brief) = (None, false);
        Session { line, threads, elsewhere, is_brief, parts: Mutex::default() }
    }

    /// Runs of this session are performed by `elsewhere`, except the first of each campaign.
    pub fn with(self, elsewhere: Option<Arc<dyn Elsewhere>>) -> Session {
        Session { elsewhere, ..self }
    }

    /// Results of campaigns have objective and metrics only.
    pub fn brief(self) -> Session {
        Session { is_brief: true, ..self }
    }

    pub(crate) fn is_brief(&self) -> bool {
        self.is_brief
    }

    pub(crate) fn elsewhere(&self) -> Option<Arc<dyn Elsewhere>> {
        self.elsewhere.clone()
    }

    pub fn threads(&self) -> Option<usize> {
        self.threads
    }

    pub fn line(&self) -> &[String] {
        &self.line
    }

    /// Calls `command`; what it prints in this thread goes to the session.
    pub fn run<R>(self: &Arc<Self>, command: impl FnOnce() -> R) -> R {
        let before = CURRENT.replace(Some(self.clone()));
        let result = command();
        CURRENT.set(before);
        result
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().expect("no thread panics while holding it")
    }

    pub fn print(&self, bytes: &[u8]) {
        self.parts().text.extend_from_slice(bytes)
    }

    pub fn note(&self, text: &str) {
        self.parts().notes.push(text.into())
    }

    pub fn at(&self, standing: Standing) {
        self.parts().progress = standing
    }

    pub fn standing(&self) -> Standing {
        self.parts().progress.clone()
    }

    /// Text and notes since the last call.
    pub fn take(&self) -> (Vec<u8>, Vec<String>) {
        let mut parts = self.parts();
        (mem::take(&mut parts.text), mem::take(&mut parts.notes))
    }
}

pub fn current() -> Option<Arc<Session>> {
    CURRENT.with_borrow(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console;

    #[test]
    fn output_goes_to_the_session_of_the_thread() {
        let session = Arc::new(Session::new(Vec::new(), None));
        let printed = session.run(|| {
            console::note("! slow");
            console::text("one\n").and_then(|()| console::json(&2))
        });
        assert_eq!(printed, Ok(()));
        assert_eq!(session.take(), (b"one\n2\n".to_vec(), vec!["! slow".to_string()]));
        assert_eq!(session.take(), Default::default());
        assert!(current().is_none())
    }
}
