//! The node's log: lines for an operator, at most ten a second.
use crate::clock;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Lines in a second; further ones are counted.
const MOST: u32 = 10;

#[derive(Clone)]
pub struct Notices {
    to: mpsc::Sender<String>,
    window: Arc<Mutex<Window>>,
}

struct Window {
    last: String,
    began: Instant,
    lines: u32,
}

impl Notices {
    pub fn channel() -> (Notices, mpsc::Receiver<String>) {
        let (to, from) = mpsc::channel();
        let window = Window { last: String::new(), began: clock::now(), lines: 0 };
        (Notices { to, window: Arc::new(Mutex::new(window)) }, from)
    }

    /// Leaves out a line about the same as the last one.
    pub fn warn_of(&self, what: &str, line: &str) {
        let is_same = self.window.lock().is_ok_and(|mut window| {
            let is_same = window.last == what;
            window.last = String::from(what);
            is_same
        });
        if !is_same {
            self.warn(line)
        }
    }

    pub fn warn(&self, line: &str) {
        let Ok(mut window) = self.window.lock() else { return };
        if window.began.elapsed() >= Duration::from_secs(1) {
            let left_out = window.lines.saturating_sub(MOST);
            if left_out > 0 {
                let _ = self.to.send(format!("left out {left_out} lines"));
            }
            *window = Window { last: String::new(), began: clock::now(), lines: 0 }
        }
        window.lines += 1;
        if window.lines <= MOST {
            let _ = self.to.send(line.to_string());
        }
    }
}
