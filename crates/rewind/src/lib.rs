//! State that can be rolled back.
//!
//! An author writes `#[derive(Rewind)]` on a struct of scalars and journalled containers. Handlers
//! change it with ordinary code, and an engine undoes any number of changes:
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
//! [`Queue`] is for waiting items, [`Table`] for rows by key, [`Array`] for plain rows by index.
//! [`Catalog`] is for many rows by key, [`Var`] for values replaced as a whole, [`Shared`] for
//! constants. Mark, rewind and commit cost O(changes), whatever the size of the state. With the
//! journal off a container is the std container plus eight bytes.
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
pub use catalog::{Catalog, Leading, RangeIter};
pub use derive::{Rewind, Scalar, Value};
pub use digest::Digest;
pub use hasher::Hasher;
pub use journal::{JournalOverflow, begin_changes, bound_journals};
pub use queue::Queue;
pub use scalar::Scalar;
pub use table::Table;
pub use var::{Shared, Var};
pub use wire::{Reader, Wire, WireError, from_wire, schema, to_wire};

/// Lets an engine undo any number of events, in O(changes).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be rewound, so a model's state cannot contain it",
    label = "neither a scalar nor a journalled container",
    note = "`Vec`, `VecDeque` -> `rewind::Queue` or `rewind::Array`; `HashMap`, `BTreeMap`, sets \
        -> `rewind::Table`; an enum or a value replaced as a whole -> `rewind::Var`; settings \
        that never change -> `rewind::Shared`",
    note = "your own small `Copy` type -> `#[derive(Scalar)]`; your own struct of such fields -> \
        `#[derive(Rewind)]`"
)]
pub trait Rewind: Digest {
    /// A state to return to: scalars by value, containers by a position in their journal.
    type Mark;
    /// No part has a journal, so commit is skipped.
    const PLAIN: bool = false;
    /// Marks the present state. Needs `journal(Some(_))` before.
    fn mark(&self) -> Self::Mark;
    /// Restores the state of `to`; later marks become invalid.
    fn rewind(&mut self, to: &Self::Mark);
    /// Drops the history before `upto`.
    fn commit(&mut self, upto: &Self::Mark);
    /// Starts journals at a position; `None` switches them off. An engine calls it once, and a
    /// container for every value that is put into it.
    fn journal(&mut self, from: Option<u64>);
    /// Upper bound of all positions in here. A row under a reused key starts its journal from it,
    /// so that committing the old row's history cannot affect the new row.
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
