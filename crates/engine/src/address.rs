//! Typed addresses: `Lp` of one LP, `Lps` of consecutive ones.
use crate::Hears;
use rewind::{Digest, Hasher, Reader, Wire, WireError};
use std::{cmp::Ordering, fmt, marker::PhantomData};

/// The address of an LP that handles messages of type `M`.
pub struct Lp<M: ?Sized>(u32, PhantomData<fn(M)>);

impl<M> Lp<M> {
    pub(crate) fn new(id: u32) -> Self {
        Lp(id, PhantomData)
    }
    /// Number of the LP, from 0 in the order of placement.
    pub fn id(self) -> u32 {
        self.0
    }
    /// The same LP, addressed by an interface of its vocabulary (a `#[from]` variant).
    pub fn port<T>(self) -> Lp<T>
    where
        M: Hears<T>,
    {
        Lp::new(self.0)
    }
}

// Written by hand: a derive would require the same traits of `M`.
impl<M> Clone for Lp<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Lp<M> {}
impl<M> PartialEq for Lp<M> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<M> Eq for Lp<M> {}
impl<M> PartialOrd for Lp<M> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<M> Ord for Lp<M> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}
impl<M> fmt::Debug for Lp<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lp{}", self.0)
    }
}
impl<M> Digest for Lp<M> {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        h.word(self.0 as u64)
    }
}
impl<M> Wire for Lp<M> {
    const SCHEMA: u64 = rewind::schema("Lp", &[]);
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Lp::new(u32::decode(from)?))
    }
}
rewind::by_value!([M] for Lp<M>);

/// Consecutive LPs of one kind: first id and length.
pub struct Lps<M> {
    first: u32,
    len: u32,
    kind: PhantomData<fn(M)>,
}

impl<M> Lps<M> {
    pub(crate) fn new(first: u32, len: u32) -> Self {
        Lps { first, len, kind: PhantomData }
    }
    /// Number of LPs.
    pub fn len(self) -> u32 {
        self.len
    }
    /// Whether it has no LP.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
    /// The address of the LP at position `index`.
    ///
    /// # Panics
    /// If `index` is not below `len()`.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: u32) -> Lp<M> {
        assert!(index < self.len, "LP {index} of {}", self.len);
        Lp::new(self.first + index)
    }
    /// Position of an id; `None` if it is not in this range.
    pub fn index(self, id: u32) -> Option<u32> {
        id.checked_sub(self.first).filter(|i| *i < self.len)
    }
    /// All addresses, in the order of ids.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Lp<M>> + ExactSizeIterator {
        (self.first..self.first + self.len).map(Lp::new)
    }
}

impl<M> Clone for Lps<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Lps<M> {}
impl<M> fmt::Debug for Lps<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lp{}..{}", self.first, self.first + self.len)
    }
}
impl<M> Digest for Lps<M> {
    fn digest(&self, h: &mut Hasher) {
        h.word((self.first as u64) << 32 | self.len as u64)
    }
}
rewind::by_value!([M] for Lps<M>);
