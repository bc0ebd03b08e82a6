//! Progress on a terminal; nothing in a pipe.
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Instant;

/// How often a terminal is redrawn, per second.
const HZ: u8 = 8;

/// One line on stderr that changes; hidden where stderr is no terminal, and with `--json` in a
/// script.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// For `total` jobs.
    pub fn jobs(total: usize, what: &'static str) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(total as u64), target());
        let template = "{msg} {wide_bar} {pos} of {len}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("a constant template"));
        bar.set_message(what);
        Progress { bar, started: Instant::now() }
    }

    /// For one run, whose end is known only by what is still at risk.
    pub fn run() -> Progress {
        let bar = ProgressBar::with_draw_target(None, target());
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}").expect("a constant template"),
        );
        Progress { bar, started: Instant::now() }
    }

    /// One more job is done.
    pub fn one(&self) {
        self.bar.inc(1)
    }

    /// Where a run stands.
    pub fn at(&self, p: &models::hdfs::Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let wall = self.started.elapsed();
        let rate = p.events as f64 / wall.as_secs_f64().max(1e-3);
        self.bar.set_message(format!("{:.1} s simulated, {rate:.0} events/s", p.now.as_secs()));
        self.bar.tick()
    }

    /// Removes the line.
    pub fn end(&self) {
        self.bar.finish_and_clear()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end()
    }
}

fn target() -> ProgressDrawTarget {
    ProgressDrawTarget::stderr_with_hz(HZ)
}
