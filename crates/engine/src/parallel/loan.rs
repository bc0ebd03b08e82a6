//! What threads lend to the first one while it works alone.
use super::barrier::Barrier;
use std::sync::Mutex;

enum Loan<T> {
    None,
    Lent(T),
    Back(T),
}

pub(crate) struct Loans<T>(Vec<Mutex<Loan<T>>>);

impl<T> Loans<T> {
    pub(crate) fn new(threads: usize) -> Self {
        Loans((0..threads).map(|_| Mutex::new(Loan::None)).collect())
    }

    fn put(&self, place: usize, loan: Loan<T>) {
        *self.0[place].lock().expect("no thread panics with a loan") = loan
    }

    fn take(&self, place: usize, back: bool) -> Option<T> {
        let mut loan = self.0[place].lock().expect("no thread panics with a loan");
        match std::mem::replace(&mut *loan, Loan::None) {
            Loan::Lent(thing) if !back => Some(thing),
            Loan::Back(thing) if back => Some(thing),
            other => {
                *loan = other;
                None
            }
        }
    }

    /// Lends a value and waits until it is returned. `me` is the thread in its barrier.
    pub(crate) fn lend(&self, barrier: &Barrier, me: usize, place: usize, thing: T) -> T {
        self.put(place, Loan::Lent(thing));
        barrier.wake();
        barrier.wait_for(me, || self.take(place, true))
    }

    pub(crate) fn borrow(&self, barrier: &Barrier, me: usize, place: usize) -> T {
        barrier.wait_for(me, || self.take(place, false))
    }

    pub(crate) fn give_back(&self, barrier: &Barrier, place: usize, thing: T) {
        self.put(place, Loan::Back(thing));
        barrier.wake()
    }
}

/// loom tries all orders of the barrier's steps in lending and returning.
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
            let all = Arc::new((Barrier::new(2, 0..2, 2), Loans::new(2)));
            let spawn = |go: fn(&Barrier, &Loans<u32>)| {
                let all = Arc::clone(&all);
                thread::spawn(move || go(&all.0, &all.1))
            };
            let lender = spawn(|barrier, loans| {
                let _seat = barrier.join(1);
                let back = loans.lend(barrier, 1, 1, 5);
                assert_eq!(loans.lend(barrier, 1, 1, 10 * back), 62)
            });
            let borrower = spawn(|barrier, loans| {
                let _seat = barrier.join(0);
                for more in [1, 2] {
                    let thing = loans.borrow(barrier, 0, 1);
                    loans.give_back(barrier, 1, thing + more)
                }
            });
            [lender, borrower].into_iter().for_each(|t| t.join().expect("it comes back"))
        })
    }
}
