//! Which schedules the stripes of a write have: bits of a session, and what goes beside a block.
use xor_protocol::schedule::Kind;
use xor_protocol::strategy::Strategy;

/// Of a stripe's number, beside a block.
const STRIPE_BITS: u32 = 24;
const STRIPES: u64 = 1 << STRIPE_BITS;

/// What goes over the wire beside a block.
pub(crate) fn imm(kind: Kind, stripe: u64) -> u32 {
    u32::from(kind.to_byte()) << STRIPE_BITS | (stripe % STRIPES) as u32
}

/// The same, read: the first stripe from `low` on that it may be.
pub(crate) fn of_imm(imm: u32, nodes: usize, low: u64) -> Option<(Kind, u64)> {
    let kind = Kind::from_byte((imm >> STRIPE_BITS) as u8, nodes)?;
    Some((kind, low + u64::from(imm).wrapping_sub(low) % STRIPES))
}

/// The bits of the schedules that a strategy uses.
pub(crate) fn bits(strategy: Strategy) -> u8 {
    match strategy {
        Strategy::Naive => 1,
        Strategy::Chain => 2,
        Strategy::Pivot => 4,
        Strategy::Auto => 5,
    }
}

/// The kinds of schedule that the bits stand for.
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
