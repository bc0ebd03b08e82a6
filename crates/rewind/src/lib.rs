//! State that can be undone.
//!
//! `#[derive(Rewind)]` on a struct of scalars and journalled containers is all an author writes;
//! handlers change it with ordinary forward code, and an engine takes back any number of changes:
//!
//! ```
//! use rewind::{Queue, Rewind, Table};
//!
//! #[derive(Rewind, Default)]
//! struct Server { busy: bool, waiting: Queue<u32>, served: Table<u32, u64> }
//!
//! let mut server = Server::default();
//! server.journal(Some(0));              // the engine does this once
//! let before = server.mark();
//! server.busy = true;
//! server.waiting.push_back(7);
//! server.served.update_or_insert(7, || 0, |count| *count += 1);
//! server.rewind(&before);
//! assert!(!server.busy && server.waiting.is_empty() && server.served.is_empty());
//! ```
//!
//! ```text
//!   mark ──────► mark ──────► mark ──────► now        a scalar's mark is its value
//!    0            3            4            9         a container's is a position in its journal
//!    ├── op op op ┼── op ──────┼ op op op op op ┤     of inverse operations
//!    commit: forget from here   rewind: undo from there
//! ```
//!
//! What to use: [`Queue`] for what waits, [`Table`] for rows by key, [`Array`] for plain rows by
//! index, [`Catalog`] for many by key, [`Var`] for what is replaced as a whole, [`Shared`] for what
//! never changes. Mark, rewind and commit cost O(changes), whatever the size of the state; with the
//! journal off a container is the std container plus eight bytes.
#![warn(missing_docs)]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
extern crate self as rewind;
mod array;
mod catalog;
mod digest;
mod hasher;
mod journal;
mod queue;
mod scalar;
mod table;
mod var;
mod wire;
mod wire_std;
pub use array::Array;
pub use catalog::{Between, Catalog, Leading};
pub use derive::{Rewind, Scalar, Value};
pub use digest::Digest;
pub use hasher::Hasher;
pub use journal::{Overgrown, begin_changes, bound_journals};
pub use queue::Queue;
pub use scalar::Scalar;
pub use table::Table;
pub use var::{Shared, Var};
pub use wire::{Reader, Wire, WireError, from_wire, schema, to_wire};

/// What an engine needs to take back any number of events. Cost: the changes, never the size.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be rewound, so it cannot stand in a model's state",
    label = "neither a scalar nor a journalled container",
    note = "`Vec`, `VecDeque` -> `rewind::Queue` or `rewind::Array`; `HashMap`, `BTreeMap`, sets \
        -> `rewind::Table`; an enum or a value replaced as a whole -> `rewind::Var`; settings \
        that never change -> `rewind::Shared`",
    note = "your own small `Copy` type -> `#[derive(Scalar)]`; your own struct of such fields -> \
        `#[derive(Rewind)]`"
)]
pub trait Rewind: Digest {
    /// A moment to go back to: scalars by value, containers by a position in their journal.
    type Mark;
    /// No journal anywhere inside: commit is skipped.
    const PLAIN: bool = false;
    /// The present. Needs `journal(Some(_))` before.
    fn mark(&self) -> Self::Mark;
    /// Back to the present of `to`; later marks become meaningless.
    fn rewind(&mut self, to: &Self::Mark);
    /// Forgets how to go back to before `upto`.
    fn commit(&mut self, upto: &Self::Mark);
    /// Switches the journals on, from a position, or off. Called by an engine instance once, and by
    /// a container on every value that is put into it.
    fn journal(&mut self, from: Option<u64>);
    /// No position in here is larger. A row put under a key used before starts its journal from it,
    /// so that committing the old row's past cannot touch the new row.
    fn clock(&self) -> u64 {
        0
    }
}

impl<T: Rewind> Rewind for Box<T> {
    type Mark = T::Mark;
    const PLAIN: bool = T::PLAIN;
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
}
