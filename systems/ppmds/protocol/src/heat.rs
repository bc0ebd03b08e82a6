//! A server that is busy: whether a directory is to lie on other servers from now on.
use super::{Ino, List, Operation, Placement, Rules, Server};
use crate::Net;

/// Operations after which a server looks.
const WINDOW: u32 = 1_000;
/// A server that has given away waits twice as long each time until it looks again, up to so many
/// times: where all are busy, giving away helps nobody.
const COOLEST: u32 = 6;

/// What a placement may look at: the directory of which a server answers most.
pub struct Hot<'a> {
    pub server: u32,
    pub directory: Ino,
    pub list: &'a List,
    /// Operations on it here, of all that this server had.
    pub operations: u32,
    pub of: u32,
    /// They came in so long \[ns\].
    pub took: u64,
}

impl Hot<'_> {
    /// Operations a second of this server.
    pub fn rate(&self) -> u64 {
        u64::from(self.of) * 1_000_000_000 / self.took.max(1)
    }
}

/// Operations since a server last looked.
#[derive(rewind::Rewind, Default)]
pub struct Heat {
    directories: rewind::Table<Ino, u32>,
    all: u32,
    since: u64,
    cool: u32,
}

impl Server {
    /// An operation on a directory has come. What the placement wants is a transaction of this
    /// server's, as where a directory grows.
    pub(super) fn heat(
        &mut self,
        directory: Ino,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let heat = &mut self.heat;
        heat.directories.update_or_insert(directory, || 0, |count| *count += 1);
        heat.all += 1;
        if heat.all < WINDOW << heat.cool {
            return;
        }
        let (of, took) = (heat.all, net.now().saturating_sub(heat.since));
        let most = heat.directories.iter().max_by_key(|(ino, n)| (**n, std::cmp::Reverse(**ino)));
        let Some((directory, operations)) = most.map(|(ino, count)| (*ino, *count)) else { return };
        heat.directories.clear();
        (heat.all, heat.since) = (0, net.now());
        let Some(list) = self.store.list(directory) else { return };
        let server = self.store.me();
        let hot = Hot { server, directory, list, operations, of, took };
        let Some(to) = rules.placement.heated(&hot) else {
            self.heat.cool = self.heat.cool.saturating_sub(1);
            return;
        };
        let base = list.mark();
        self.heat.cool = (self.heat.cool + 1).min(COOLEST);
        if !self.spreads(directory) {
            let number = self.next_spread();
            self.spread_from(Operation::Spread(directory, to.into(), base), number, rules, net)
        }
    }
}
