//! Schedules of the stripes of a write: bits of a session, and the 32 bits with each block.
use xor_protocol::schedule::Kind;
use xor_protocol::strategy::Strategy;

/// Bits of a stripe's number in the 32 bits with a block.
const STRIPE_BITS: u32 = 24;
const STRIPES: u64 = 1 << STRIPE_BITS;

/// The 32 bits with a block: kind and stripe.
pub(crate) fn imm(kind: Kind, stripe: u64) -> u32 {
    u32::from(kind.to_byte()) << STRIPE_BITS | (stripe % STRIPES) as u32
}

/// Decodes [`imm`]. The stripe is the first match from `low`.
pub(crate) fn of_imm(imm: u32, nodes: usize, low: u64) -> Option<(Kind, u64)> {
    let kind = Kind::from_byte((imm >> STRIPE_BITS) as u8, nodes)?;
    Some((kind, low + u64::from(imm).wrapping_sub(low) % STRIPES))
}

pub(crate) fn bits(strategy: Strategy) -> u8 {
    match strategy {
        Strategy::Naive => 1,
        Strategy::Chain => 2,
        Strategy::Pivot => 4,
        Strategy::Auto => 5,
    }
}

pub(crate) fn kinds(bits: u8, nodes: usize) -> Vec<Kind> {
    let mut kinds = Vec::new();
    if bits & 1 != 0 {
        kinds.push(Kind::Naive)
    }
    if bits & 2 != 0 {
        kinds.push(Kind::Chain)
    }
    if bits & 4 != 0 {
        kinds.extend((0..nodes).map(Kind::Pivot))
    }
    kinds
}
