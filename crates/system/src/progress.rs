//! Progress on a terminal; none in a pipe.
use crate::run_estimate::LONG_S;
use crate::session::{self, Session, Standing};
use crate::{Failure, console, interface, interrupt, pool, ranks};
use engine::Nanos;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Redraws per second.
const HZ: u8 = 8;

/// A changing line on stderr, hidden unless stderr is a terminal; or the session's progress.
struct Line {
    bar: ProgressBar,
    session: Option<Arc<Session>>,
    what: &'static str,
    started: Instant,
}

impl Line {
    /// Shows a bar if `total` is known.
    fn new(total: Option<u64>, what: &'static str) -> Line {
        let template = match total {
            Some(_) => "{prefix} {wide_bar} {msg}",
            None => "{spinner} {prefix}{msg}",
        };
        let session = session::current();
        let target = match ranks::is_first() && session.is_none() {
            true => ProgressDrawTarget::stderr_with_hz(HZ),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(ProgressStyle::with_template(template).expect("a constant template"));
        bar.set_prefix(what);
        Line { bar, session, what, started: crate::clock::now() }
    }

    fn set_message(&self, words: impl FnOnce(Duration) -> String) {
        if let Some(session) = &self.session {
            let (what, total) = (self.what.to_string(), self.bar.length());
            let text = words(self.started.elapsed());
            session.at(Standing { what, done: self.bar.position(), total, text })
        } else if !self.bar.is_hidden() {
            self.bar.set_message(words(self.started.elapsed()));
            self.bar.tick()
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear()
    }
}

/// A run or a search of unknown length.
pub struct Progress(Line);

impl Progress {
    pub fn run() -> Progress {
        Progress(Line::new(None, ""))
    }

    pub fn at(&self, run: &interface::Progress) {
        let comma = if run.standing.is_empty() { "" } else { ", " };
        let speed = |wall| speed(run.now.as_secs(), run.events, wall);
        self.0.set_message(|wall| format!("{}{comma}{}", speed(wall), run.standing))
    }

    pub fn note(&self, words: &str) {
        self.0.set_message(|_| words.to_string())
    }

    pub fn end(self) {}
}

pub struct Transfer(Line);

impl Transfer {
    pub fn new(total: u64, what: &'static str) -> Transfer {
        Transfer(Line::new(Some(total), what))
    }

    /// `done` bytes are transferred; false after an interruption.
    pub fn at(&self, done: u64) -> bool {
        self.0.bar.set_position(done);
        self.0.set_message(|wall| {
            let rate = done as f64 * 8.0 / 1e6 / wall.as_secs_f64().max(1e-3);
            format!("{:.0} MB, {rate:.0} Mbit/s", done as f64 / 1e6)
        });
        !interrupt::is_requested()
    }

    /// [`at`](Self::at) with a total that is known only now.
    pub fn of(&self, done: u64, total: u64) -> bool {
        self.0.bar.set_length(total);
        self.at(done)
    }
}

pub struct JobProgress {
    line: Line,
    what: &'static str,
    total: u64,
    done: AtomicU64,
    events: AtomicU64,
    /// Simulated time of the run that reported last \[ns\].
    now: AtomicU64,
}

impl JobProgress {
    pub fn new(total: usize, what: &'static str) -> JobProgress {
        let total = total as u64;
        let line = Line::new(Some(total), what);
        let [done, events, now] = [0; 3].map(AtomicU64::new);
        JobProgress { line, what, total, done, events, now }
    }

    /// Progress of one run; `reported` holds the events that it reported before.
    pub fn at(&self, now: Nanos, events: u64, reported: &mut u64) {
        let news = events - std::mem::replace(reported, events);
        self.events.fetch_add(news, Ordering::Relaxed);
        self.now.store(now.0, Ordering::Relaxed);
        self.set_message()
    }

    pub fn one(&self) {
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        self.line.bar.inc(1);
        // When each thread has finished one job, the rest can be estimated.
        if done == pool::threads() as u64 && self.line.bar.is_hidden() {
            let wall = self.line.started.elapsed().as_secs_f64();
            let rest = wall * self.total.saturating_sub(done) as f64 / done as f64;
            if rest > LONG_S {
                let (runs, rest) = (self.total - done, page::words::duration(rest));
                console::note(&format!("{}: {runs} more runs, about {rest}", self.what))
            }
        }
        self.set_message()
    }

    fn set_message(&self) {
        let [done, events, now] =
            [&self.done, &self.events, &self.now].map(|n| n.load(Ordering::Relaxed));
        let total = self.total;
        self.line.set_message(|wall| {
            let speed = speed(now as f64 / 1e9, events, wall);
            format!("{done} of {total} runs, {speed}{}", left(done, total, wall))
        })
    }
}

pub struct ReadProgress(Line);

impl ReadProgress {
    pub fn start() -> ReadProgress {
        ReadProgress(Line::new(None, ""))
    }

    /// `read` bytes of `total`, if known.
    pub fn at(&self, file: &str, read: u64, total: Option<u64>) {
        self.0.set_message(|wall| bytes(file, read, total, wall))
    }

    pub fn callback(&self) -> impl FnMut(import::Progress<'_>) {
        |p: import::Progress<'_>| self.at(p.file, p.read, p.total)
    }
}

/// The failure of an interrupted run, with its last progress: some runs never end.
pub fn broken_off(last: Option<&interface::Progress>) -> Failure {
    let stood = last
        .filter(|run| !run.standing.is_empty())
        .map(|run| format!("; at {:.1} s simulated {}", run.now.as_secs(), run.standing));
    Failure::Interrupted(format!("nothing was written{}", stood.unwrap_or_default()))
}

/// "12.5 s simulated, 1200000 events/s"
fn speed(simulated_s: f64, events: u64, wall: Duration) -> String {
    let rate = events as f64 / wall.as_secs_f64().max(1e-3);
    format!("{simulated_s:.1} s simulated, {rate:.0} events/s")
}

/// "fsck.txt.gz: 120 of 700 MB, 85 MB/s, 7 s left"
fn bytes(file: &str, read: u64, total: Option<u64>, wall: Duration) -> String {
    let mb = |n: u64| n as f64 / 1e6;
    let of = total.map_or(String::new(), |total| format!(" of {:.0}", mb(total)));
    let rate = mb(read) / wall.as_secs_f64().max(1e-3);
    let left = total.map_or(String::new(), |total| left(read, total, wall));
    format!("{file}: {:.0}{of} MB, {rate:.0} MB/s{left}", mb(read))
}

/// ", 7 s left"; empty if unknown or done.
fn left(done: u64, total: u64, wall: Duration) -> String {
    if done == 0 || done >= total || wall < Duration::from_secs(1) {
        return String::new();
    }
    let seconds = wall.as_secs_f64() * (total - done) as f64 / done as f64;
    let seconds = units::floored_u64(seconds.ceil().max(1.0));
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!(", {seconds} s left"),
        (0, _) => format!(", {minutes} min {} s left", seconds % 60),
        _ => format!(", {hours} h {minutes} min left"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_said_only_when_something_tells_it() {
        let wall = Duration::from_secs(10);
        let table = [
            (0, 60, ""),
            (60, 60, ""),
            (59, 60, ", 1 s left"),
            (20, 60, ", 20 s left"),
            (1, 60, ", 9 min 50 s left"),
            (1, 1000, ", 2 h 46 min left"),
        ];
        for (done, total, words) in table {
            assert_eq!(left(done, total, wall), words, "{done} of {total}");
        }
        assert_eq!(left(1, 60, Duration::from_millis(900)), "", "too early to tell");
    }

    #[test]
    fn what_was_broken_off_says_where_it_stood() {
        let stood = |standing: &str| {
            let (now, standing) = (Nanos::millis(70_664_800), standing.to_string());
            broken_off(Some(&interface::Progress { now, events: 9, standing }))
        };
        let said = |failure| match failure {
            Failure::Interrupted(said) => said,
            other => panic!("{other:?}"),
        };
        assert_eq!(said(broken_off(None)), "nothing was written");
        assert_eq!(said(stood("")), "nothing was written");
        let one = "nothing was written; at 70664.8 s simulated 1 block not safe";
        assert_eq!(said(stood("1 block not safe")), one)
    }

    #[test]
    fn lines_say_how_far_and_how_fast() {
        let wall = Duration::from_secs(2);
        assert_eq!(speed(12.52, 3_000_000, wall), "12.5 s simulated, 1500000 events/s");
        let known = bytes("fsck.txt", 100_000_000, Some(700_000_000), wall);
        assert_eq!(known, "fsck.txt: 100 of 700 MB, 50 MB/s, 12 s left");
        assert_eq!(bytes("-", 100_000_000, None, wall), "-: 100 MB, 50 MB/s");
    }
}
