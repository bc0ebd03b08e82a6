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

/// All orders in which lending and giving back can follow: of the crew's steps, between which a
/// place is locked and let go.
#[cfg(all(test, loom))]
mod all_orders {
    use super::*;
    use loom::{sync::Arc, thread};

    /// Twice, since a place is used again.
    #[test]
    fn what_is_lent_comes_back_as_it_is_then() {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(4);
        builder.max_branches = 10_000;
        builder.check(|| {
            let all = Arc::new((Crew::new(2, 0..2, 2), Loans::new(2)));
            let spawn = |go: fn(&Crew, &Loans<u32>)| {
                let all = Arc::clone(&all);
                thread::spawn(move || go(&all.0, &all.1))
            };
            let lender = spawn(|crew, loans| {
                let _seat = crew.join(1);
                let back = loans.lend(crew, 1, 1, 5);
                assert_eq!(loans.lend(crew, 1, 1, 10 * back), 62)
            });
            let borrower = spawn(|crew, loans| {
                let _seat = crew.join(0);
                for more in [1, 2] {
                    let thing = loans.borrow(crew, 0, 1);
                    loans.give_back(crew, 1, thing + more)
                }
            });
            [lender, borrower].into_iter().for_each(|t| t.join().expect("it comes back"))
        })
    }
}
