//! Whole numbers of numbers with decimals, and of other widths. What does not fit is said, and not
//! cut off.

/// The nearest whole number: 0 of what is below 0 or no number, the largest of what is larger.
pub fn rounded_u64(number: f64) -> u64 {
    floored_u64(number.round())
}

/// Without its decimals: 0 of what is below 0 or no number, the largest of what is larger.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "for floats `as` does what is said above"
)]
pub fn floored_u64(number: f64) -> u64 {
    number as u64
}

/// A count, or a place in a list, as tables and ids keep it. More than 2³² rows are a bug of the
/// caller: lists that may be so long have ids of 64 bits.
#[track_caller]
pub fn u32_of(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32")
}

/// The same number in a narrower type. One that does not fit is a bug of the caller: what is
/// written here is bounded by what it counts.
#[track_caller]
#[inline]
pub fn narrow<To>(number: impl TryInto<To>) -> To {
    match number.try_into() {
        Ok(number) => number,
        Err(_) => panic!("a number that does not fit"),
    }
}

/// A place in a list that is in memory, so that it is none beyond what can be addressed.
#[track_caller]
pub fn usize_of(place: u64) -> usize {
    usize::try_from(place).expect("a place in memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range() {
        let numbers = [-1.0, f64::NAN, 0.4, 0.5, 2.5, 1e300, f64::INFINITY];
        assert_eq!(numbers.map(rounded_u64), [0, 0, 0, 1, 3, u64::MAX, u64::MAX]);
        assert_eq!(numbers.map(floored_u64), [0, 0, 0, 0, 2, u64::MAX, u64::MAX])
    }

    #[test]
    #[should_panic(expected = "fewer than 2^32")]
    #[cfg(target_pointer_width = "64")]
    fn what_does_not_fit_is_not_cut_off() {
        assert_eq!((u32_of(7), usize_of(7)), (7, 7));
        u32_of(1 << 32);
    }
}
