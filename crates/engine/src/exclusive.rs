//! A cell for data that one thread changes through `&self`.
use std::cell::UnsafeCell;

/// Like a `RefCell` whose borrows end within one call, so that release builds need not count them.
///
/// It is not `Sync`. The closure of `with` is engine code that calls no model and no other `with`;
/// debug builds check this.
pub(crate) struct Exclusive<T> {
    value: UnsafeCell<T>,
    #[cfg(debug_assertions)]
    lent: std::cell::Cell<bool>,
}

impl<T> Exclusive<T> {
    pub(crate) fn new(value: T) -> Self {
        Exclusive {
            value: UnsafeCell::new(value),
            #[cfg(debug_assertions)]
            lent: std::cell::Cell::new(false),
        }
    }

    #[inline(always)]
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        #[cfg(debug_assertions)]
        assert!(!self.lent.replace(true), "lent twice");
        // SAFETY: no other borrow is alive: this is the only method that borrows through `&self`,
        // `f` does not come here again (see above), its borrow ends with it, and `UnsafeCell` keeps
        // other threads out.
        let result = f(unsafe { &mut *self.value.get() });
        #[cfg(debug_assertions)]
        self.lent.set(false);
        result
    }

    pub(crate) fn into_inner(self) -> T {
        self.value.into_inner()
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}
