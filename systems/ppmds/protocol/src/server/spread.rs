//! Spreads that a server starts itself: a directory has grown, or the server is busy.
use super::{Local, Rules, Server};
use crate::message::Ask;
use crate::{Grown, Ino, List, Net, Operation, Placement};

impl Server {
    /// After a create: asks the placement for a new list.
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
        let Some(to) = rules.placement.on_growth(&grown) else { return };
        let base = list.mark();
        self.spread_once(directory, to, base, rules, net)
    }

    /// Counts an operation; at the end of a window asks the placement where the hottest directory
    /// should be.
    pub(super) fn heat(
        &mut self,
        directory: Ino,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Some(hot) = self.heat.count(directory, &self.store, net.now()) else { return };
        let (to, directory, base) = (rules.placement.on_hot(&hot), hot.directory, hot.list.mark());
        self.heat.adapt(to.is_some());
        if let Some(to) = to {
            self.spread_once(directory, to, base, rules, net)
        }
    }

    /// Starts a spread unless one of this directory runs. It fails if the list's mark is no longer
    /// `base`.
    fn spread_once(
        &mut self,
        directory: Ino,
        to: List,
        base: u64,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        if !self.spreads(directory) {
            let number = self.next_spread();
            self.spread_from(Operation::Spread(directory, to.into(), base), number, rules, net)
        }
    }

    /// Moves a directory to the servers of a list, unless a move of it runs.
    pub fn relocate(
        &mut self,
        directory: Ino,
        to: List,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Some(base) = self.store.list(directory).map(|list| list.mark()) else { return };
        let mut local = Local::new(net, self.store.me);
        self.spread_once(directory, to, base, rules, &mut local);
        self.handle_local(rules, &mut local)
    }

    /// Spreads a directory from whatever list it has; for tests.
    pub fn spread(
        &mut self,
        directory: u64,
        list: List,
        number: u32,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let mut local = Local::new(net, self.store.me);
        let operation = Operation::Spread(directory, list.into(), 0);
        self.spread_from(operation, number, rules, &mut local);
        self.handle_local(rules, &mut local)
    }

    fn spreads(&self, directory: u64) -> bool {
        let mine = u32::MAX - self.store.me;
        let mut running = self.running.range((mine, 0)..=(mine, u32::MAX));
        running.any(|(_, txn)| txn.operation.directory() == directory)
    }

    /// Numbers also grow across restarts: `starts` is in the upper bits.
    fn next_spread(&mut self) -> u32 {
        self.spread += 1;
        self.store.starts() << 20 | self.spread
    }

    /// Runs a spread as a transaction of client `u32::MAX - server`.
    fn spread_from(
        &mut self,
        operation: Operation,
        number: u32,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let client = u32::MAX - self.store.me;
        let running = self.running.range((client, 0)..(client, number)).next();
        let oldest = running.map_or(number, |((_, first), _)| *first);
        let ask = Ask { client, number, oldest, step: 0, operation };
        self.run(ask, rules, net)
    }
}
