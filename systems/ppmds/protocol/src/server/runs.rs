//! Transactions that a server coordinates, and status records that it keeps for clients.
use super::{PendingSettlement, Rules, Server, answer};
use crate::message::{
    Ask, Commit, Message, Meta, Opened, OutcomeQuery, OutcomeReply, Peer, TxState,
};
use crate::message::{SavedAnswer, TxId, Write};
use crate::record::{Record, Status};
use crate::txn::{Next, Runner, Txn};
use crate::view::Plan;
use crate::{Net, Operation, Placement, Timer};

impl Server {
    pub(super) fn run(
        &mut self,
        ask: Ask,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Ask { client, number, oldest, step, operation } = ask;
        let attempt = Txn::first_attempt(step, self.store.starts());
        let id = TxId { client, number, attempt };
        let meta = Meta { id, home: self.store.me, began: net.now(), opened: 0, oldest };
        let directory = operation.key().ino;
        let known = self.store.list(directory).cloned().map(|list| (directory, Some(list)));
        let txn = Txn::new(meta, operation, known.into_iter().collect());
        self.advance(Box::new(txn), rules, net, |txn, by, net| txn.advance(by, net))
    }

    pub(super) fn with<P: Placement + ?Sized, N: Net>(
        &mut self,
        key: (u32, u32),
        rules: &Rules<'_, P>,
        net: &mut N,
        then: impl FnOnce(&mut Txn, &Runner<'_, P>, &mut N) -> Next,
    ) {
        // Removed and inserted again instead of cloned.
        if let Some(txn) = self.running.remove(&key) {
            self.advance(txn, rules, net, then)
        }
    }

    /// Advances a transaction; retries it if another has aborted it.
    fn advance<P: Placement + ?Sized, N: Net>(
        &mut self,
        mut txn: Box<Txn>,
        rules: &Rules<'_, P>,
        net: &mut N,
        then: impl FnOnce(&mut Txn, &Runner<'_, P>, &mut N) -> Next,
    ) {
        let me = Peer::Server(self.store.me);
        let by = Runner { me, placement: rules.placement, options: rules.options };
        let aborts = txn.aborts;
        let mut next = then(&mut txn, &by, net);
        if matches!(next, Next::Commit(_)) && !self.store.is_active(&txn.meta.id) {
            next = txn.retry(&by, net)
        }
        // The client knows the result: a late copy of its request started this transaction.
        if txn.meta.id.number < self.store.acknowledged_below(txn.meta.id.client) {
            next = txn.discard(net)
        }
        self.counted.aborts += u64::from(txn.aborts - aborts);
        match next {
            Next::Wait => {
                self.running.insert(txn.key(), txn);
            }
            Next::Discard => {}
            Next::Commit(plan) => self.conclude(&txn, plan, rules, net),
        }
    }

    /// Commits: all rows are open, and no other transaction has aborted this one.
    fn conclude(
        &mut self,
        txn: &Txn,
        plan: Plan,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        self.counted.transactions += 1;
        let saw = txn.evidence(&plan, rules.options);
        self.commit(&txn.meta, txn.parts(&plan), txn.removals(), rules, net);
        let step = u32::try_from(txn.meta.id.attempt >> 40).unwrap_or(u32::MAX);
        if rules.options.resend_base_ns.is_some() {
            let (key, outcome, saw) = (txn.operation.key(), plan.outcome.clone(), saw.clone());
            self.save_answer(txn.key(), SavedAnswer { key, step, outcome, saw }, rules, net)
        }
        match txn.operation {
            Operation::Spread(..) => self.counted.moved += plan.entries(),
            _ => answer(txn.key(), step, plan.outcome, saw, net),
        }
    }

    /// Writes the status record, which commits, and notifies the other servers.
    fn commit(
        &mut self,
        meta: &Meta,
        parts: Vec<(u32, Vec<Write>)>,
        removals: u64,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let TxId { client, number, .. } = meta.id;
        let me = self.store.me;
        let (mine, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(at, _)| *at == me);
        for (_, writes) in mine {
            self.store.settle(&meta.id, &TxState::Committed(writes, removals), net)
        }
        if others.is_empty() {
            return;
        }
        let servers = others.iter().map(|(server, _)| *server).collect();
        let status = Status { meta: *meta, parts: Some(others), removals };
        self.store.write(Record::Status(client, number, Some(Box::new(status))), net);
        self.unsettled.insert((client, number), PendingSettlement { servers, resends: 0 });
        self.notify((client, number), rules, net)
    }

    /// Notifies the servers that have not confirmed the end of a transaction.
    pub(super) fn notify(
        &mut self,
        key: (u32, u32),
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let (Some(PendingSettlement { servers, resends }), Some(status)) =
            (self.unsettled.get(&key), self.store.status(key.0, key.1))
        else {
            return;
        };
        let parts = status.parts.iter().flatten().filter(|(at, _)| servers.contains(at));
        for (server, writes) in parts {
            let state = TxState::Committed(writes.clone(), status.removals);
            let settle = Message::Settle(status.meta, Box::new(state), Some(self.store.me));
            net.send(Peer::Server(*server), settle)
        }
        if let Some(interval) = rules.options.resend_interval(*resends) {
            net.later(interval, Timer::Settle(key.0, key.1));
            self.unsettled.update(&key, |left| left.resends += 1);
        }
    }

    pub(super) fn settled(&mut self, id: TxId, server: u32, net: &mut impl Net) {
        let key = (id.client, id.number);
        if self.store.status(key.0, key.1).is_none_or(|status| status.meta.id != id) {
            return;
        }
        let left = self.unsettled.update(&key, |PendingSettlement { servers, .. }| {
            servers.retain(|at| *at != server);
            servers.is_empty()
        });
        if left == Some(true) {
            self.unsettled.discard(&key);
            self.store.write(Record::Status(key.0, key.1, None), net)
        }
    }

    pub(super) fn opened(
        &mut self,
        opened: &Opened,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let id = opened.id;
        let active = self.store.is_active(&id);
        self.with((id.client, id.number), rules, net, |txn, by, net| match active {
            false if txn.meta.id == id => txn.retry(by, net),
            _ => txn.opened(opened, by, net),
        })
    }

    /// Handles a client's commit request: the compare-and-swap of its status record.
    pub(super) fn commit_of_client(
        &mut self,
        commit: &Commit,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Commit { meta, round, parts, removals, answer } = commit;
        let TxId { client, number, .. } = meta.id;
        if number < self.store.acknowledged_below(client) {
            return;
        }
        self.store.acknowledge(client, meta.oldest, net);
        let answer_before = self.store.saved_answer(client, number);
        let before = answer_before.is_some_and(SavedAnswer::is_done);
        let yes = before || self.store.is_active(&meta.id);
        if yes && !before {
            self.counted.transactions += 1;
            self.commit(meta, parts.clone(), *removals, rules, net);
            self.save_answer((client, number), answer.clone(), rules, net)
        }
        net.send(Peer::Client(client), Message::Decided(meta.id, *round, yes))
    }

    pub(super) fn answer_query(
        &mut self,
        query: OutcomeQuery,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let OutcomeQuery { meta, from, part, kill, .. } = query;
        let state = self.store.query_state(&meta, part, kill, net);
        net.send(from, Message::OutcomeReply(Box::new(OutcomeReply { query, state })));
        // Restarts the local transaction at once: its rows are wanted, and its work is lost.
        if kill && !self.store.is_active(&meta.id) {
            self.with((meta.id.client, meta.id.number), rules, net, |txn, by, net| {
                match txn.meta.id == meta.id {
                    true => txn.retry(by, net),
                    false => Next::Wait,
                }
            })
        }
    }
}
