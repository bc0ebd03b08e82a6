//! Digests of values, for the trace hash and the rollback check.
use crate::Hasher;

/// A fingerprint by value: equal values have equal digests on every machine. The derives implement
/// it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no digest, so no event, record or state can contain it",
    label = "no digest",
    note = "`usize` and pointers differ between machines: use u32 or u64, ids and copies; your \
        own small type: `#[derive(Scalar)]`; larger: `#[derive(Message)]`"
)]
pub trait Digest {
    /// Adds the whole value to the hasher.
    fn digest(&self, h: &mut Hasher);

    /// Shows the named parts with their digests, for "field `x` was not restored".
    fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
        see("", Hasher::of(self))
    }

    /// Approximate number of words that a digest reads, found without reading them. Large states
    /// are compared less often.
    fn weight(&self) -> u64 {
        1
    }

    /// Adds several values without their number; bytes are added eight at a time.
    #[inline(always)]
    fn digest_all(all: &[Self], h: &mut Hasher)
    where
        Self: Sized,
    {
        for item in all {
            item.digest(h)
        }
    }
}

impl Hasher {
    /// The fingerprint of one value.
    pub fn of<T: Digest + ?Sized>(value: &T) -> u128 {
        let mut h = Hasher::new(1, 2);
        value.digest(&mut h);
        h.finish()
    }
}

/// Weight of `count` values like `example`.
pub(crate) fn weight_of<T: Digest>(count: usize, example: Option<&T>) -> u64 {
    1 + count as u64 * example.map_or(0, Digest::weight)
}

macro_rules! words { ($($t:ty),*) => { $(
    impl Digest for $t {
        #[inline(always)]
        #[allow(clippy::cast_sign_loss, reason = "the bits tell values apart, whatever they mean")]
        fn digest(&self, h: &mut Hasher) {
            h.word(*self as u64)
        }
    }
)* } }
words!(u16, u32, u64, i8, i16, i32, i64, bool, char);

impl Digest for u8 {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        h.word(*self as u64)
    }
    fn digest_all(all: &[u8], h: &mut Hasher) {
        h.bytes(all)
    }
}

impl Digest for u128 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half, then the upper")]
    fn digest(&self, h: &mut Hasher) {
        h.word(*self as u64);
        h.word((*self >> 64) as u64)
    }
}

impl Digest for f64 {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        h.word(self.to_bits())
    }
}

impl Digest for () {
    #[inline(always)]
    fn digest(&self, _: &mut Hasher) {}
}

macro_rules! tuples { ($($name:ident)*) => {
    impl<$($name: Digest),*> Digest for ($($name,)*) {
        #[inline(always)]
        #[allow(non_snake_case)]
        fn digest(&self, h: &mut Hasher) {
            let ($($name,)*) = self;
            $($name.digest(h);)*
        }
        #[allow(non_snake_case)]
        fn weight(&self) -> u64 {
            let ($($name,)*) = self;
            0 $(+ $name.weight())*
        }
    }
} }
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);

impl<T: Digest, const N: usize> Digest for [T; N] {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        T::digest_all(self, h)
    }
    fn weight(&self) -> u64 {
        weight_of(N, self.first())
    }
}

impl<T: Digest> Digest for Vec<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.len() as u64);
        T::digest_all(self, h)
    }
    fn weight(&self) -> u64 {
        weight_of(self.len(), self.first())
    }
}

impl Digest for String {
    fn digest(&self, h: &mut Hasher) {
        h.bytes(self.as_bytes())
    }
    fn weight(&self) -> u64 {
        1 + self.len() as u64 / 8
    }
}

impl<T: Digest> Digest for Option<T> {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        h.word(self.is_some() as u64);
        if let Some(value) = self {
            value.digest(h)
        }
    }
    fn weight(&self) -> u64 {
        weight_of(1, self.as_ref())
    }
}

impl<T: Digest + ?Sized> Digest for std::sync::Arc<T> {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        (**self).digest(h)
    }
    fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
        (**self).parts(see)
    }
    fn weight(&self) -> u64 {
        (**self).weight()
    }
}
impl<T: Digest + ?Sized> Digest for Box<T> {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        (**self).digest(h)
    }
    fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
        (**self).parts(see)
    }
    fn weight(&self) -> u64 {
        (**self).weight()
    }
}
