use rewind::{Digest, Hasher, Scalar};
use std::marker::PhantomData;
pub use units::Nanos;

/// A way between LPs, as the topology gives it out: its latency bounds every send along it from below.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Link(pub(crate) Nanos);

/// How long a message to another LP is under way. There is no way to write one without a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Delay(pub(crate) Nanos);
impl Delay {
    pub fn link(l: Link) -> Delay {
        Delay(l.0)
    }
    /// As for a link, plus waiting, serving and sending.
    pub fn plus(self, t: Nanos) -> Delay {
        Delay(self.0 + t)
    }
}

/// The address of an LP that understands `M`.
pub struct Lp<M: ?Sized>(pub(crate) u32, PhantomData<fn(M)>);
impl<M> Lp<M> {
    pub(crate) fn new(id: u32) -> Self {
        Lp(id, PhantomData)
    }
    pub fn id(self) -> u32 {
        self.0
    }
    /// The same LP, seen through an interface that its vocabulary includes (a `#[from]` variant).
    pub fn port<T>(self) -> Lp<T>
    where
        M: crate::Hears<T>,
    {
        Lp::new(self.0)
    }
}
impl<M> Clone for Lp<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Lp<M> {}
impl<M> PartialEq for Lp<M> {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
}
impl<M> Eq for Lp<M> {}
impl<M> PartialOrd for Lp<M> {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl<M> Ord for Lp<M> {
    fn cmp(&self, o: &Self) -> std::cmp::Ordering {
        self.0.cmp(&o.0)
    }
}
impl<M> std::fmt::Debug for Lp<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "lp{}", self.0)
    }
}
impl<M> Digest for Lp<M> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.0 as u64)
    }
}
rewind::by_value!([M] for Lp<M>);

/// A run of LPs of one kind: three words, not a list.
pub struct Lps<M> {
    first: u32,
    len: u32,
    kind: PhantomData<fn(M)>,
}
impl<M> Clone for Lps<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Lps<M> {}
impl<M> Digest for Lps<M> {
    fn digest(&self, h: &mut Hasher) {
        h.word((self.first as u64) << 32 | self.len as u64)
    }
}
rewind::by_value!([M] for Lps<M>);
impl<M> Lps<M> {
    pub(crate) fn new(first: u32, len: u32) -> Self {
        Lps { first, len, kind: PhantomData }
    }
    pub fn len(self) -> u32 {
        self.len
    }
    pub fn at(self, index: u32) -> Lp<M> {
        assert!(index < self.len, "LP {index} of {}", self.len);
        Lp::new(self.first + index)
    }
    /// The place of an id in this run.
    pub fn index(self, id: u32) -> Option<u32> {
        id.checked_sub(self.first).filter(|i| *i < self.len)
    }
    pub fn iter(self) -> impl Iterator<Item = Lp<M>> {
        (self.first..self.first + self.len).map(Lp::new)
    }
}

/// A cancellable event to oneself. Its place in memory is no part of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer {
    pub(crate) tie: u64,
    pub(crate) slot: u32,
}
impl Digest for Timer {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.tie)
    }
}
rewind::by_value!(for Timer);

/// A stream of random numbers that is a pure function of its key.
#[derive(Clone, Copy)]
pub struct Draw(pub(crate) u64);
#[inline(always)]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
impl Draw {
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }
    #[inline(always)]
    pub fn below(&mut self, n: u64) -> u64 {
        ((self.bits() as u128 * n as u128) >> 64) as u64
    }
    /// In (0, 1).
    #[inline(always)]
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
    }
    /// (The product uses libm's `log`.)
    #[inline(always)]
    pub fn exponential(&mut self, mean: Nanos) -> Nanos {
        Nanos((mean.0 as f64 * -self.unit().ln()) as u64)
    }
}
