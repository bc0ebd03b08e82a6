//! Capacity of the host: two virtual cores may be hyperthreads of one core, or share theirs with
//! other guests, which no process count shows.
use std::hint::black_box;
use std::time::Instant;

/// Steps of the loop: about 20 ms on an idle core.
const STEPS: u64 = 8_000_000;

/// Work of two independent threads, relative to one thread's, at this moment.
pub(crate) fn gain_of_two() -> f64 {
    let one = seconds(|| work(STEPS));
    let two = seconds(|| {
        std::thread::scope(|scope| {
            scope.spawn(|| work(STEPS));
            work(STEPS)
        })
    });
    2.0 * one / two
}

fn seconds(of: impl FnOnce()) -> f64 {
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begun = Instant::now();
    of();
    begun.elapsed().as_secs_f64()
}

/// Independent sums: the maximum load of a core.
fn work(steps: u64) {
    let mut sums = [1u64, 2, 3, 4, 5, 6, 7, 8];
    for step in 0..steps {
        let first = sums[0];
        for at in 0..7 {
            sums[at] = sums[at].wrapping_add(sums[at + 1] ^ step)
        }
        sums[7] = sums[7].wrapping_add(first ^ step);
        black_box(&mut sums);
    }
}
