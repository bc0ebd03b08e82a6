//! What a run would take without its disks, its network, or with cores for all: its trace is
//! replayed as it is and without what is gone, as what-if engines do (Starfish: Herodotou and Babu
//! 2011).
//!
//! ```text
//!  attempts as they were ─► what each moves (work), where blocks lie (blocks) ─┐
//!  slots, heartbeats, the policy's order (slots) ─► what is left, shared (share) ─► end (replay)
//!
//!  foretold = the run's end · replayed without what is gone / replayed as it is
//! ```
//! A replay knows what moved when, and not what chance decided: which replica, which output next,
//! whether it was in memory. That is drawn, the same in both replays, and the mean of some rounds
//! is taken. Rules that withhold tasks, twins, and attempts that broke off are not replayed.
mod blocks;
mod dice;
mod done_task;
mod replay;
mod share;
mod shuffle;
mod slots;
#[cfg(test)]
mod tests;
mod work;
pub use done_task::DoneTask;
pub use share::Holder;

use crate::settings::Settings;
use dice::Dice;
use replay::Replay;
use units::Nanos;

/// Replays of which the mean is taken.
const ROUNDS: u64 = 3;

/// When a run that ended at `end` would have ended without each of these.
pub fn without(
    settings: &Settings,
    all: &[DoneTask],
    end: Nanos,
    each: &[&[Holder]],
) -> Vec<Nanos> {
    if all.is_empty() || each.is_empty() {
        return vec![end; each.len()];
    }
    let replayed = |gone: &[Holder]| -> f64 {
        let rounds = (0..ROUNDS).map(Dice);
        rounds.map(|dice| Replay::new(settings, all, gone, dice).run().as_secs()).sum()
    };
    let as_it_is = replayed(&[]);
    let foretold = |gone: &&[Holder]| Nanos::from_secs(end.as_secs() * replayed(gone) / as_it_is);
    each.iter().map(foretold).collect()
}
