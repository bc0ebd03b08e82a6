//! Values small enough that their mark is a copy.
use crate::{Digest, Rewind};

/// A small `Copy` value; derive it for ids, units and plain enums.
// No blanket `Rewind for T: Scalar`: `Box` is a fundamental type, so it would clash with `Rewind
// for Box<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar",
    note = "a scalar is `Copy` and made of scalars: put #[derive(Clone, Copy, Scalar)] on it"
)]
pub trait Scalar: Copy + Digest + Rewind<Mark = Self> {}

/// Implements `Rewind` by value for types that cannot derive [`Scalar`] (generic ones):
/// `by_value!([M] for Address<M>);`.
#[macro_export]
macro_rules! by_value { ($([$($g:tt)*])? for $t:ty) => {
    impl $(<$($g)*>)? $crate::Rewind for $t {
        type Mark = Self;
        const PLAIN: bool = true;
        #[inline(always)]
        fn mark(&self) -> Self {
            const { assert!(
                size_of::<Self>() <= 256,
                "a scalar of a model's state is over 256 bytes and every mark would copy it: use \
                 rewind::Table"
            ) }
            *self
        }
        #[inline(always)] fn rewind(&mut self, to: &Self) { *self = *to }
        #[inline(always)] fn commit(&mut self, _: &Self) {}
        #[inline(always)] fn journal(&mut self, _: ::core::option::Option<u64>) {}
    }
    impl $(<$($g)*>)? $crate::Scalar for $t {}
} }

macro_rules! scalars { ($($t:ty),*) => { $(by_value!(for $t);)* } }
scalars!(u8, u16, u32, u64, u128, i8, i16, i32, i64, f64, bool, char);
by_value!(for ());
by_value!([T: Scalar, const N: usize] for [T; N]);
by_value!([T: Scalar] for Option<T>);
by_value!([A: Scalar, B: Scalar] for (A, B));
by_value!([A: Scalar, B: Scalar, C: Scalar] for (A, B, C));
by_value!([A: Scalar, B: Scalar, C: Scalar, D: Scalar] for (A, B, C, D));
