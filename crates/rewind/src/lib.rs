//! State that can be undone. `#[derive(Rewind)]` on a struct of scalars and journalled containers is all an author writes.
extern crate self as rewind;
mod array;
mod digest;
mod journal;
mod queue;
mod scalar;
mod table;
mod var;
pub use array::Array;
pub use derive::{Rewind, Scalar};
pub use digest::{Digest, Hasher};
pub use queue::Queue;
pub use scalar::Scalar;
pub use table::Table;
pub use var::{Shared, Var};

/// What an engine needs to take back any number of events. Cost: the changes, never the size.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be rewound, so it cannot stand in a model's state",
    label = "neither a scalar nor a journalled container",
    note = "`Vec`, `VecDeque` -> `rewind::Queue`; `HashMap`, `BTreeMap`, sets -> `rewind::Table`; an enum or a value replaced as a whole -> `rewind::Var`; settings that never change -> `rewind::Shared`",
    note = "your own small `Copy` type -> `#[derive(Scalar)]`; your own struct of such fields -> `#[derive(Rewind)]`"
)]
pub trait Rewind: Digest {
    type Mark;
    /// The present, as scalars by value and positions in journals. Needs `journal(Some(0))` before.
    fn mark(&self) -> Self::Mark;
    /// Back to the present of `to`; later marks become meaningless.
    fn rewind(&mut self, to: &Self::Mark);
    /// Forget how to go back to before `upto`.
    fn commit(&mut self, upto: &Self::Mark);
    /// Called by the engine instance once, and by a container on every value put into it: `Some(clock)` is on.
    fn journal(&mut self, from: Option<u64>);
    /// No position in here is larger. A row put under a key used before starts its journal from it, so that
    /// committing the old row's past cannot touch the new row.
    fn clock(&self) -> u64 {
        0
    }
    /// No journal anywhere inside.
    const PLAIN: bool = false;
}

impl<T: Rewind> Rewind for Box<T> {
    type Mark = T::Mark;
    fn mark(&self) -> T::Mark {
        (**self).mark()
    }
    fn rewind(&mut self, to: &T::Mark) {
        (**self).rewind(to)
    }
    fn commit(&mut self, upto: &T::Mark) {
        (**self).commit(upto)
    }
    fn journal(&mut self, from: Option<u64>) {
        (**self).journal(from)
    }
    fn clock(&self) -> u64 {
        (**self).clock()
    }
    const PLAIN: bool = T::PLAIN;
}
impl<T: Digest + ?Sized> Digest for Box<T> {
    fn digest(&self, h: &mut Hasher) {
        (**self).digest(h)
    }
    fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
        (**self).parts(see)
    }
}
