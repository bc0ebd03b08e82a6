//! What threads lend to the first one while it works alone.
use super::crew::Crew;
use std::sync::Mutex;

enum Loan<T> {
    None,
    Lent(T),
    Back(T),
}

/// A place for each thread.
pub(crate) struct Loans<T>(Vec<Mutex<Loan<T>>>);

impl<T> Loans<T> {
    /// For so many threads.
    pub(crate) fn new(threads: usize) -> Self {
        Loans((0..threads).map(|_| Mutex::new(Loan::None)).collect())
    }

    fn put(&self, place: usize, loan: Loan<T>) {
        *self.0[place].lock().expect("nobody panics with a loan") = loan
    }

    fn take(&self, place: usize, back: bool) -> Option<T> {
        let mut loan = self.0[place].lock().expect("nobody panics with a loan");
        match std::mem::replace(&mut *loan, Loan::None) {
            Loan::Lent(thing) if !back => Some(thing),
            Loan::Back(thing) if back => Some(thing),
            other => {
                *loan = other;
                None
            }
        }
    }

    /// Lends a thing, and waits until it comes back. `me` is the thread in its crew.
    pub(crate) fn lend(&self, crew: &Crew, me: usize, place: usize, thing: T) -> T {
        self.put(place, Loan::Lent(thing));
        crew.wake();
        crew.wait_for(me, || self.take(place, true))
    }

    /// Waits for what the thread of a place lends.
    pub(crate) fn borrow(&self, crew: &Crew, me: usize, place: usize) -> T {
        crew.wait_for(me, || self.take(place, false))
    }

    /// Gives it back.
    pub(crate) fn give_back(&self, crew: &Crew, place: usize, thing: T) {
        self.put(place, Loan::Back(thing));
        crew.wake()
    }
}
