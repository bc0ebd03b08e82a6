//! xor of several blocks into one, by the widest registers that the CPU has.
//!
//! The loop is plain Rust that the compiler vectorises; compiled three times, for AVX-512, AVX2 and
//! what every CPU has, and chosen at run time. It reads all sources once and writes the target
//! once: a sum of three blocks costs three reads and a write, not two passes.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// What the compiler's target has.
    Portable,
    /// 256 bits.
    Avx2,
    /// 512 bits.
    Avx512,
}

impl Width {
    /// Those that this CPU can do.
    pub fn all() -> Vec<Width> {
        let widths = [Width::Portable, Width::Avx2, Width::Avx512];
        widths.into_iter().filter(|w| w.is_here()).collect()
    }

    /// The one that is used: the widest.
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

/// Makes `target` the xor of all sources; zeros if there is none.
///
/// # Panics
/// If a source has another length than the target.
pub fn xor(target: &mut [u8], sources: &[&[u8]]) {
    xor_by(Width::best(), target, sources)
}

/// The same by a width that is not the best. One that this CPU lacks is replaced by the portable
/// one.
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

/// The first four at once, then up to three more with each further pass.
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
    // Of one length, so that the loop below needs no checks.
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
                // Odd starts, so that nothing is aligned by luck.
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
