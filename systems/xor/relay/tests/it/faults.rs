//! Faults: nodes die at any step, links are cut or go silent, data are corrupted.
//!
//! Checked: acknowledged data are read back unchanged with any two nodes gone. Unacknowledged data
//! are absent or complete. Nothing staged is left after recovery. `XOR_SEED=n cargo test -p
//! xor-relay --test it faults` runs one seed.
use crate::net::Faults;
use crate::world::{Hand, World, bytes, get, put};
use xor_relay::client::{Error, Strategy};

const RUNS: u64 = 1000;

fn seeds(runs: u64) -> Vec<u64> {
    match std::env::var("XOR_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..runs).collect(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Overwrite,
    PutAnother,
    Get,
    Repair,
    Scrub,
    Remove,
}

const WORK: [Work; 6] =
    [Work::Overwrite, Work::PutAnother, Work::Get, Work::Repair, Work::Scrub, Work::Remove];

/// A cluster with one object, and the planned work.
struct Run {
    world: World,
    seed: u64,
    work: Work,
    strategy: Strategy,
    old: Vec<u8>,
    new: Vec<u8>,
    block: u32,
}

impl Run {
    fn new(seed: u64) -> Run {
        let world = World::new(3 + seed as usize % 4, seed);
        let below = |n| world.net.below(n);
        let (_, strategy) = Strategy::ALL[below(4)];
        let (old, new) = (bytes(seed, below(30_000)), bytes(!seed, below(30_000)));
        let (work, block) = (WORK[below(6)], [64, 256, 1024][below(3)]);
        Run { world, seed, work, strategy, old, new, block }
    }

    fn losses(&self) -> usize {
        if self.world.nodes() == 3 { 1 } else { 2 }
    }

    /// One or two nodes, within the permitted losses.
    fn victims(&self) -> Vec<usize> {
        let n = self.world.nodes();
        let first = self.world.net.below(n);
        let second = (first + 1 + self.world.net.below(n - 1)) % n;
        let count = 1 + self.world.net.below(self.losses());
        [first, second][..count].to_vec()
    }

    /// Estimated steps of the work, from those of writing the old object.
    fn steps_of(&self, taken: u64) -> usize {
        let blocks = |bytes: usize| 40 + bytes / self.block as usize;
        let most = taken as usize * blocks(self.new.len()) / blocks(self.old.len());
        match self.work {
            Work::Overwrite | Work::PutAnother => most * 5 / 4,
            Work::Get | Work::Scrub => taken as usize / 2,
            Work::Repair => 40 + taken as usize / 4,
            Work::Remove => 60,
        }
    }

    /// Returns whether the work was acknowledged.
    fn work(&self) -> bool {
        let mut hand = self.world.client();
        let (new, strategy) = (&self.new, self.strategy);
        match self.work {
            Work::Overwrite => put(&mut hand, "x", new, self.block, strategy).is_ok(),
            Work::PutAnother => put(&mut hand, "y", new, self.block, strategy).is_ok(),
            Work::Get => match get(&mut hand, "x") {
                Ok(got) => got == self.old || panic!("seed {}: wrong bytes", self.seed),
                // The client does without nodes that died, so this must not fail.
                Err(e) => panic!("seed {}: {e}", self.seed),
            },
            Work::Repair => is_repaired(&mut hand),
            Work::Scrub => is_scrubbed(&mut hand),
            Work::Remove => hand.remove("x").is_ok(),
        }
    }

    /// Like [`Run::work`], over links on which a get may fail, too.
    fn work_over_bad_links(&self) -> bool {
        let mut hand = self.world.client();
        let (new, strategy) = (&self.new, self.strategy);
        match self.work {
            Work::Overwrite => put(&mut hand, "x", new, self.block, strategy).is_ok(),
            Work::PutAnother => put(&mut hand, "y", new, self.block, strategy).is_ok(),
            // Links break at any node, so too few may be left.
            Work::Get => get(&mut hand, "x").is_ok_and(|got| {
                assert!(got == self.old, "seed {}", self.seed);
                true
            }),
            Work::Repair => is_repaired(&mut hand),
            Work::Scrub => is_scrubbed(&mut hand),
            Work::Remove => hand.remove("x").is_ok(),
        }
    }

    /// Ends all link faults, then checks.
    fn check_after_faults(&self, is_acknowledged: bool) {
        self.world.net.set_faults(Faults::default());
        self.world.settle();
        self.check(is_acknowledged, "after faults");
        self.world.net.end_silence();
        self.world.settle();
        self.recover();
        self.check(is_acknowledged, "after recovery");
    }

    fn check(&self, is_acknowledged: bool, when: &str) {
        let what = format!("seed {} {:?} {when}", self.seed, self.work);
        let x = get(&mut self.world.client(), "x");
        match self.work {
            Work::Overwrite if is_acknowledged => {
                assert!(x.as_ref() == Ok(&self.new), "{what}: {:?}", x.err())
            }
            Work::Overwrite => {
                let is_one = x.as_ref() == Ok(&self.new) || x.as_ref() == Ok(&self.old);
                assert!(is_one, "{what}: {:?}", x.err())
            }
            Work::Remove if is_acknowledged => {
                assert!(matches!(x, Err(Error::BadInput(_))), "{what}: {:?}", x.err())
            }
            Work::Remove => match x {
                Ok(got) => assert!(got == self.old, "{what}"),
                Err(e) => assert!(matches!(e, Error::BadInput(_)), "{what}: {e}"),
            },
            _ => assert!(x.as_ref() == Ok(&self.old), "{what}: {:?}", x.err()),
        }
        if self.work == Work::PutAnother {
            match get(&mut self.world.client(), "y") {
                Ok(got) => assert!(got == self.new, "{what}: y is not what was written"),
                Err(e) => {
                    assert!(!is_acknowledged && matches!(e, Error::BadInput(_)), "{what}: {e}")
                }
            }
        }
    }

    /// Restarts all machines and resolves all versions: everything is complete, and nothing else is
    /// left.
    fn recover(&self) {
        for node in 0..self.world.nodes() {
            if !self.world.is_up(node) {
                self.world.revive(node)
            }
        }
        self.world.settle();
        if self.work == Work::Repair {
            // A scrub does not accept empty nodes.
            let healed = self.world.client().repair(&[0], &mut |_, _| true);
            let healed = healed.unwrap_or_else(|e| panic!("seed {}: {e}", self.seed));
            assert!(healed.failed.is_empty(), "seed {}: {healed:?}", self.seed)
        }
        let found = self.world.client().scrub(&mut |_, _| true);
        let found = found.unwrap_or_else(|e| panic!("seed {}: {e}", self.seed));
        let is_good = found.failed.is_empty() && found.inconsistent == 0;
        assert!(is_good, "seed {}: {found:?}", self.seed);
        self.world.assert_tidy(&format!("seed {} {:?}", self.seed, self.work));
    }
}

fn is_repaired(hand: &mut Hand) -> bool {
    hand.repair(&[0], &mut |_, _| true).is_ok_and(|healed| healed.failed.is_empty())
}

fn is_scrubbed(hand: &mut Hand) -> bool {
    hand.scrub(&mut |_, _| true).is_ok_and(|found| found.failed.is_empty())
}

#[test]
fn nodes_that_die_at_any_step_cost_nothing_that_was_acknowledged() {
    let mut acknowledged = [[0; 2]; 6];
    for seed in seeds(RUNS) {
        let run = Run::new(seed);
        put(&mut run.world.client(), "x", &run.old, run.block, run.strategy)
            .expect("all are there");
        if run.work == Work::Repair {
            run.world.kill(0);
            run.world.disks[0].wipe();
            run.world.start(0);
        }
        let most = run.steps_of(run.world.steps());
        let mut victims = run.victims();
        if run.work == Work::Repair {
            // Node 0 is lost already.
            victims.truncate(run.losses() - 1);
            if victims.is_empty() {
                victims.push(0)
            }
        }
        for &node in &victims {
            run.world.kill_in(run.world.net.below(most) as u64, node)
        }
        let is_acknowledged = run.work();
        run.world.forget_deaths();
        acknowledged[WORK.iter().position(|w| *w == run.work).expect("one of them")]
            [usize::from(is_acknowledged)] += 1;
        victims.iter().for_each(|&node| run.world.kill(node));
        run.check(is_acknowledged, "with nodes gone");
        run.recover();
        run.check(is_acknowledged, "after recovery");
        // Then any other nodes are lost.
        run.victims().into_iter().for_each(|node| run.world.kill(node));
        run.check(is_acknowledged, "with others gone");
    }
    if acknowledged.iter().flatten().sum::<u64>() >= RUNS {
        for (work, [failed, done]) in WORK.iter().zip(acknowledged) {
            // Reads and scrubs survive dead nodes; so do removals, with few exceptions.
            let least = match work {
                Work::Get | Work::Scrub => 0,
                Work::Remove => 1,
                _ => 20,
            };
            let both = done > 20 && failed >= least;
            assert!(both, "{work:?}: {failed} failed, {done} were done: no test of both");
        }
    }
}

#[test]
fn links_that_break_or_fall_silent_or_corrupt_cost_nothing_either() {
    for seed in seeds(300) {
        let run = Run::new(seed);
        put(&mut run.world.client(), "x", &run.old, run.block, run.strategy).expect("no faults");
        let odds = [(90, 0, 0), (0, 60, 0), (0, 0, 120), (30, 30, 60)][seed as usize % 4];
        let (cut, silence, corrupt) = odds;
        let is_acknowledged = {
            run.world.net.set_faults(Faults { cut, silence, corrupt, ..Faults::default() });
            run.work_over_bad_links()
        };
        run.check_after_faults(is_acknowledged)
    }
}

/// Failures of verbs: a receiver without a posted receive, a missing acknowledgement, a queue pair
/// in error with flushed work requests. One end notices at once, the other much later.
#[test]
fn queue_pairs_that_fail_cost_nothing_either() {
    let mut acknowledged = 0;
    for seed in seeds(400) {
        let run = Run::new(seed);
        put(&mut run.world.client(), "x", &run.old, run.block, run.strategy).expect("no faults");
        let odds =
            [(30_000, 0, 0), (0, 250, 0), (0, 0, 250), (20_000, 120, 120)][seed as usize % 4];
        let (unready, unacknowledged, flushed) = odds;
        let faults = Faults { unready, unacknowledged, flushed, ..Faults::default() };
        run.world.net.set_faults(faults);
        let is_acknowledged = run.work_over_bad_links();
        acknowledged += u64::from(is_acknowledged);
        run.check_after_faults(is_acknowledged)
    }
    let is_test_of_both = (50..350).contains(&acknowledged);
    assert!(is_test_of_both || seeds(400).len() == 1, "{acknowledged} of 400 were acknowledged");
}

/// The client dies at any step; all nodes are there.
#[test]
fn a_client_that_dies_leaves_the_object_absent_or_whole() {
    let mut seen = [0; 2];
    for seed in seeds(300) {
        let run = Run { work: Work::Overwrite, ..Run::new(seed) };
        put(&mut run.world.client(), "x", &run.old, run.block, run.strategy).expect("no faults");
        let most = run.steps_of(run.world.steps());
        let mut hand = run.world.client();
        run.world.kill_client_in(run.world.net.below(most) as u64);
        let done = put(&mut hand, "x", &run.new, run.block, run.strategy).is_ok();
        drop(hand);
        run.world.forget_deaths();
        run.world.settle();
        run.check(done, "without its writer");
        run.recover();
        run.check(done, "after recovery");
        let x = get(&mut run.world.client(), "x").expect("checked");
        seen[usize::from(x == run.new)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 20) || seen.iter().sum::<u64>() == 1, "{seen:?}");
}

/// Both writers end, in sequence or concurrently. One of the two contents is there, complete.
#[test]
fn two_clients_that_write_one_name_leave_one_object() {
    for seed in seeds(100) {
        let run = Run::new(seed);
        let mut second = run.world.client();
        let mut is_second_done = false;
        let mut feed = |at: u64, to: &mut [u8]| {
            to.copy_from_slice(&run.old[at as usize..][..to.len()]);
            Ok(())
        };
        // The second client writes all its data in the middle of the first one's.
        let mut watch = |_, _| {
            if !std::mem::replace(&mut is_second_done, true) {
                put(&mut second, "x", &run.new, run.block, run.strategy).expect("no faults");
            }
            true
        };
        let (length, block) = (run.old.len() as u64, run.block);
        let mut hand = run.world.client();
        let first = hand.put("x", length, block, run.strategy, &mut feed, &mut watch);
        first.unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let x = get(&mut run.world.client(), "x").expect("one of them");
        assert!(x == run.old || x == run.new, "seed {seed}");
        run.world.client().scrub(&mut |_, _| true).expect("no faults");
        let again = get(&mut run.world.client(), "x").expect("one of them");
        assert!(again == x, "seed {seed}: another one after a scrub");
    }
}
