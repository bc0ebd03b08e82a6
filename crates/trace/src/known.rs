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
pub struct Known<T>(T);

impl<T: Number> Known<T> {
    /// The unknown number.
    pub const NONE: Known<T> = Known(T::NONE);

    /// `None` if unknown.
    pub fn get(self) -> Option<T> {
        (!self.0.is_none()).then_some(self.0)
    }
}

impl<T> Known<T> {
    pub(crate) fn as_number(&self) -> &T {
        &self.0
    }
}

impl<T: Number> From<T> for Known<T> {
    fn from(number: T) -> Known<T> {
        Known(number)
    }
}

impl<T: Number> From<Option<T>> for Known<T> {
    fn from(number: Option<T>) -> Known<T> {
        number.map_or(Known::NONE, Known)
    }
}

impl<T: Number + PartialEq> PartialEq for Known<T> {
    fn eq(&self, other: &Known<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: Number + std::fmt::Debug> std::fmt::Debug for Known<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_takes_no_room() {
        assert_eq!(size_of::<Known<f64>>(), 8);
        assert_eq!((Known::from(0.5).get(), Known::from(None::<f64>).get()), (Some(0.5), None));
        assert_eq!(Known::<f64>::NONE, Known::from(f64::NAN));
        assert_eq!((Known::from(7u32).get(), Known::<u32>::NONE.get()), (Some(7), None));
        assert_eq!(size_of::<crate::Sample>(), 32);
    }
}
