//! A directory that grows: whether it is to lie on other servers from now on.
use super::{Ino, List, Name, Operation, Placement, Rules, Server, Store};
use crate::Net;

pub struct Grown<'a> {
    /// A directory has one entry more here.
    pub server: u32,
    pub directory: Ino,
    pub list: &'a List,
    pub entries: u32,
    store: &'a Store,
}

impl Grown<'_> {
    /// The entry in the middle of those here.
    pub fn median(&self) -> Option<Name> {
        self.store.nth(self.directory, self.entries / 2)
    }
}

impl Server {
    /// An entry was made: the placement may want the directory to lie otherwise. What it wants is a
    /// transaction of this server's, one a directory at a time; if the list is another one by then,
    /// nothing happens, and the next entry asks again.
    pub(super) fn grow(
        &mut self,
        directory: Ino,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let server = self.store.me();
        let Some(list) = self.store.list(directory) else { return };
        let (entries, store) = (self.store.count_of(directory), &self.store);
        let grown = Grown { server, directory, list, entries, store };
        let Some(to) = rules.placement.grown(&grown) else { return };
        let base = list.mark();
        if !self.spreads(directory) {
            let number = self.next_spread();
            self.spread_from(Operation::Spread(directory, to.into(), base), number, rules, net)
        }
    }
}
