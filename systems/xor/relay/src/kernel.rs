//! xor of several blocks into one, with the widest registers of the CPU.
//!
//! The compiler vectorises one plain loop three times: for AVX-512, AVX2 and the baseline. The
//! program chooses at run time. The loop reads all sources once and writes the target once: a sum
//! of three blocks costs three reads and one write, not two passes.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// The baseline of the compiler's target.
    Portable,
    Avx2,
    Avx512,
}

impl Width {
    /// Available on this CPU.
    pub fn all() -> Vec<Width> {
        let widths = [Width::Portable, Width::Avx2, Width::Avx512];
        widths.into_iter().filter(|w| w.is_here()).collect()
    }

    /// The widest.
    pub fn best() -> Width {
        use std::sync::OnceLock;
        static BEST: OnceLock<Width> = OnceLock::new();
        *BEST.get_or_init(|| Width::all().pop().unwrap_or(Width::Portable))
    }

    #[cfg(target_arch = "x86_64")]
    fn is_here(self) -> bool {
        match self {
            Width::Portable => true,
            Width::Avx2 => is_x86_feature_detected!("avx2"),
            Width::Avx512 => is_x86_feature_detected!("avx512f"),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_here(self) -> bool {
        self == Width::Portable
    }
}

/// Sets `target` to the xor of all sources, or to zeros without any.
///
/// # Panics
/// If a source has another length than the target.
pub fn xor(target: &mut [u8], sources: &[&[u8]]) {
    xor_by(Width::best(), target, sources)
}

/// Like [`xor`] with a given width. If the CPU lacks it, the portable loop runs.
///
/// # Panics
/// If a source has another length than the target.
pub fn xor_by(width: Width, target: &mut [u8], sources: &[&[u8]]) {
    for source in sources {
        assert_eq!(source.len(), target.len(), "blocks of one length");
    }
    match width {
        // SAFETY: `is_here` has asked this CPU for the feature that the function is compiled for,
        // which is all that it takes; inside is safe code.
        #[cfg(target_arch = "x86_64")]
        Width::Avx512 if width.is_here() => unsafe { avx512(target, sources) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Width::Avx2 if width.is_here() => unsafe { avx2(target, sources) },
        _ => by_arity(target, sources),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512(target: &mut [u8], sources: &[&[u8]]) {
    by_arity(target, sources)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(target: &mut [u8], sources: &[&[u8]]) {
    by_arity(target, sources)
}

/// Four sources in the first pass, up to three in each later one.
#[inline(always)]
fn by_arity(target: &mut [u8], sources: &[&[u8]]) {
    let (first, rest) = sources.split_at(sources.len().min(4));
    match *first {
        [] => target.fill(0),
        [a] => target.copy_from_slice(a),
        [a, b] => set(target, [a, b]),
        [a, b, c] => set(target, [a, b, c]),
        [a, b, c, d] => set(target, [a, b, c, d]),
        _ => unreachable!("four at most"),
    }
    for more in rest.chunks(3) {
        match *more {
            [a] => add(target, [a]),
            [a, b] => add(target, [a, b]),
            [a, b, c] => add(target, [a, b, c]),
            _ => unreachable!("three at most"),
        }
    }
}

#[inline(always)]
fn set<const N: usize>(target: &mut [u8], sources: [&[u8]; N]) {
    let length = target.len();
    // Equal lengths free the loop of bounds checks.
    let sources = sources.map(|s| &s[..length]);
    for at in 0..length {
        let mut sum = sources[0][at];
        for source in &sources[1..] {
            sum ^= source[at];
        }
        target[at] = sum;
    }
}

#[inline(always)]
fn add<const N: usize>(target: &mut [u8], sources: [&[u8]; N]) {
    let length = target.len();
    let sources = sources.map(|s| &s[..length]);
    for at in 0..length {
        for source in &sources {
            target[at] ^= source[at];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(seed: usize, at: usize) -> u8 {
        (seed * 131 + at * 29 + (at >> 8) * 7) as u8
    }

    #[test]
    fn all_widths_say_what_a_naive_loop_says() {
        for length in [0, 1, 7, 63, 64, 65, 255, 1024, 4099] {
            for count in 0..=9 {
                // Odd starts: no slice is aligned by chance.
                let store: Vec<Vec<u8>> =
                    (0..count).map(|s| (0..length + 3).map(|at| byte(s, at)).collect()).collect();
                let sources: Vec<&[u8]> =
                    store.iter().enumerate().map(|(s, v)| &v[s % 3..s % 3 + length]).collect();
                let right: Vec<u8> =
                    (0..length).map(|at| sources.iter().fold(0, |sum, s| sum ^ s[at])).collect();
                for width in Width::all() {
                    let mut target = vec![0xa5; length];
                    xor_by(width, &mut target, &sources);
                    assert_eq!(target, right, "{width:?}, {count} sources of {length}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "blocks of one length")]
    fn lengths_must_agree() {
        xor(&mut [0; 8], &[&[0; 8], &[0; 7]]);
    }
}
