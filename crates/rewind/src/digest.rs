//! A 128-bit fingerprint by value: the trace hash and the rollback check are made of it.
#[inline(always)]
fn mum(a: u64, b: u64) -> u64 {
    let m = a as u128 * b as u128;
    m as u64 ^ (m >> 64) as u64
}

/// Two lanes, so that consecutive words do not wait for one another.
#[derive(Clone, Copy)]
pub struct Hasher(u64, u64, u64, bool);

impl Hasher {
    #[inline(always)]
    pub fn new(a: u64, b: u64) -> Self {
        Hasher(
            mum(a ^ 0xA076_1D64_78BD_642F, 0x8EBC_6AF0_9C88_C6E3),
            b ^ 0xE703_7ED1_A0B4_28DB,
            0,
            false,
        )
    }
    #[inline(always)]
    pub fn word(&mut self, x: u64) {
        if self.3 {
            *self = Hasher(
                self.1,
                mum(
                    self.0 ^ self.2 ^ 0x9E37_79B9_7F4A_7C15,
                    x ^ 0xD6E8_FEB8_6659_FD93 ^ self.0.rotate_left(23),
                ),
                0,
                false,
            )
        } else {
            self.2 = x;
            self.3 = true
        }
    }
    #[inline(always)]
    pub fn finish(mut self) -> u128 {
        if self.3 {
            self.word(0x5bd1e995)
        }
        let (a, b) = (
            mum(self.0 ^ 0x1D8E_4E27_C47D_124F, self.1 | 1),
            mum(self.1 ^ 0xEB44_ACCA_B455_D165, self.0 ^ 0x5899_65CC_7537_4CC3),
        );
        (mum(a, 0xD6E8_FEB8_6659_FD93) as u128) << 64 | (a ^ b) as u128
    }
    pub fn of<T: Digest + ?Sized>(value: &T) -> u128 {
        let mut h = Hasher::new(1, 2);
        value.digest(&mut h);
        h.finish()
    }
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` has no digest, so it cannot stand in an event, a record or a state",
    label = "no digest",
    note = "`usize` and pointers differ between machines: use u32 or u64, ids and copies; your own small type: `#[derive(Scalar)]`; larger: `#[derive(Message)]`"
)]
pub trait Digest {
    fn digest(&self, h: &mut Hasher);
    /// The named parts, for "field `x` was not restored".
    fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
        see("", Hasher::of(self))
    }
}

macro_rules! words { ($($t:ty),*) => { $(impl Digest for $t { #[inline(always)] fn digest(&self, h: &mut Hasher) { h.word(*self as u64) } })* } }
words!(u8, u16, u32, u64, i8, i16, i32, i64, bool, char);
impl Digest for u128 {
    fn digest(&self, h: &mut Hasher) {
        h.word(*self as u64);
        h.word((*self >> 64) as u64)
    }
}
impl Digest for f64 {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.to_bits())
    }
}
impl Digest for () {
    fn digest(&self, _: &mut Hasher) {}
}
impl<A: Digest, B: Digest> Digest for (A, B) {
    fn digest(&self, h: &mut Hasher) {
        self.0.digest(h);
        self.1.digest(h)
    }
}
impl<A: Digest, B: Digest, C: Digest> Digest for (A, B, C) {
    fn digest(&self, h: &mut Hasher) {
        self.0.digest(h);
        self.1.digest(h);
        self.2.digest(h)
    }
}
impl<T: Digest, const N: usize> Digest for [T; N] {
    #[inline(always)]
    fn digest(&self, h: &mut Hasher) {
        for x in self {
            x.digest(h)
        }
    }
}
impl<T: Digest> Digest for Vec<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.len() as u64);
        for x in self {
            x.digest(h)
        }
    }
}
impl Digest for String {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.len() as u64);
        for b in self.bytes() {
            h.word(b as u64)
        }
    }
}
impl<T: Digest> Digest for Option<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.is_some() as u64);
        if let Some(x) = self {
            x.digest(h)
        }
    }
}
