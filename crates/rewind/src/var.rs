//! A value that is replaced as a whole, and a value that never changes.
use crate::{Digest, Hasher, Rewind, journal::Journal};
use std::{ops::Deref, sync::Arc};

/// A value that changes as a whole by [`set`](Var::set): enums with containers, `String`s. Reads
/// like the value.
///
/// ```
/// use rewind::{Rewind, Var};
/// let mut name = Var::new(String::from("dn-1"));
/// name.journal(Some(0));
/// let before = name.mark();
/// name.set("dn-2".into());
/// name.rewind(&before);
/// assert_eq!(*name, "dn-1");
/// ```
#[derive(Default)]
pub struct Var<T> {
    value: T,
    journal: Journal<T>,
}

impl<T> Var<T> {
    /// Holds a value.
    pub fn new(value: T) -> Self {
        Var { value, journal: Journal::default() }
    }
    /// Replaces the value. The journal takes the old one without a copy.
    pub fn set(&mut self, value: T) {
        let old = std::mem::replace(&mut self.value, value);
        self.journal.note_done(|| old)
    }
    /// Changes the value in place; with the journal on it is copied first.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R
    where
        T: Clone,
    {
        let value = &self.value;
        self.journal.note(|| value.clone());
        change(&mut self.value)
    }
}

impl<T> Deref for Var<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Digest> Digest for Var<T> {
    fn digest(&self, h: &mut Hasher) {
        self.value.digest(h)
    }
    fn weight(&self) -> u64 {
        self.value.weight()
    }
}

impl<T: Digest> Rewind for Var<T> {
    type Mark = u64;
    #[track_caller]
    fn mark(&self) -> u64 {
        self.journal.position()
    }
    #[track_caller]
    fn rewind(&mut self, to: &u64) {
        while let Some(old) = self.journal.undo(*to) {
            self.value = old
        }
    }
    #[track_caller]
    fn commit(&mut self, upto: &u64) {
        self.journal.forget_all(*upto)
    }
    fn journal(&mut self, from: Option<u64>) {
        self.journal.switch(from)
    }
    fn clock(&self) -> u64 {
        self.journal.clock()
    }
}

/// Read-only data of all LPs, not part of the state: settings, topology, tables of the scenario.
///
/// It takes eight bytes of an LP's state: put all settings of a submodel behind one.
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared(Arc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Digest for Shared<T> {
    fn digest(&self, _: &mut Hasher) {}
    fn weight(&self) -> u64 {
        0
    }
}

impl<T> Rewind for Shared<T> {
    type Mark = ();
    const PLAIN: bool = true;
    fn mark(&self) {}
    fn rewind(&mut self, _: &()) {}
    fn commit(&mut self, _: &()) {}
    fn journal(&mut self, _: Option<u64>) {}
}
