//! Optional numbers without extra memory: samples are most of a large trace.

/// A number with a sentinel for unknown.
pub trait Number: Copy {
    /// The sentinel.
    const NONE: Self;
    /// Whether it is the sentinel.
    fn is_none(self) -> bool;
}

impl Number for f64 {
    const NONE: f64 = f64::NAN;
    fn is_none(self) -> bool {
        self.is_nan()
    }
}

impl Number for u32 {
    const NONE: u32 = u32::MAX;
    fn is_none(self) -> bool {
        self == u32::MAX
    }
}

/// A number or unknown; the sentinel counts as unknown.
#[derive(Clone, Copy)]
pub struct OptionalNumber<T>(T);

impl<T: Number> OptionalNumber<T> {
    /// The unknown number.
    pub const NONE: OptionalNumber<T> = OptionalNumber(T::NONE);

    /// `None` if unknown.
    pub fn get(self) -> Option<T> {
        (!self.0.is_none()).then_some(self.0)
    }
}

impl<T> OptionalNumber<T> {
    pub(crate) fn as_number(&self) -> &T {
        &self.0
    }
}

impl<T: Number> From<T> for OptionalNumber<T> {
    fn from(number: T) -> OptionalNumber<T> {
        OptionalNumber(number)
    }
}

impl<T: Number> From<Option<T>> for OptionalNumber<T> {
    fn from(number: Option<T>) -> OptionalNumber<T> {
        number.map_or(OptionalNumber::NONE, OptionalNumber)
    }
}

impl<T: Number + PartialEq> PartialEq for OptionalNumber<T> {
    fn eq(&self, other: &OptionalNumber<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: Number + std::fmt::Debug> std::fmt::Debug for OptionalNumber<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_takes_no_room() {
        assert_eq!(size_of::<OptionalNumber<f64>>(), 8);
        assert_eq!(
            (OptionalNumber::from(0.5).get(), OptionalNumber::from(None::<f64>).get()),
            (Some(0.5), None)
        );
        assert_eq!(OptionalNumber::<f64>::NONE, OptionalNumber::from(f64::NAN));
        assert_eq!(
            (OptionalNumber::from(7u32).get(), OptionalNumber::<u32>::NONE.get()),
            (Some(7), None)
        );
        assert_eq!(size_of::<crate::Sample>(), 32);
    }
}
