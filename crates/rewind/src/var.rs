//! A value that is replaced as a whole, and a value that never changes.
use crate::{Digest, Hasher, Rewind, journal::Journal};
use std::{ops::Deref, sync::Arc};

/// For enums that hold containers, `String`s, and whatever else changes by `set`. Reads like the value itself.
#[derive(Default)]
pub struct Var<T> {
    value: T,
    journal: Journal<T>,
}

impl<T> Var<T> {
    pub fn new(value: T) -> Self {
        Var { value, journal: Journal::default() }
    }
    pub fn set(&mut self, value: T) {
        let old = std::mem::replace(&mut self.value, value);
        self.journal.note(|| old)
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

/// Settings, topology, tables of the scenario: read-only, shared by all LPs, no part of the state.
pub struct Shared<T>(Arc<T>);
impl<T> Shared<T> {
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
}
impl<T> Rewind for Shared<T> {
    type Mark = ();
    fn mark(&self) {}
    fn rewind(&mut self, _: &()) {}
    fn commit(&mut self, _: &()) {}
    fn journal(&mut self, _: Option<u64>) {}
    const PLAIN: bool = true;
}
