//! Operations drawn by shares. Each client has its own names; the number of a name also determines
//! its directory. So clients share directories and servers, but no names. With
//! `workload.shared_names` they share names too, and many operations fail.
use super::names::{Namespace, own};
use crate::model::message::{Event, Record};
use cluster::Sheet;
use engine::*;
use ppmds_protocol::{Attributes, Change, Key, Operation, OperationKind, ROOT, TwoPaths};
use rewind::Queue;

pub const SHARES: [(&str, OperationKind); 10] = [
    ("workload.create", OperationKind::Create),
    ("workload.stat", OperationKind::Stat),
    ("workload.lookup", OperationKind::Lookup),
    ("workload.unlink", OperationKind::Unlink),
    ("workload.readdir", OperationKind::Readdir),
    ("workload.mkdir", OperationKind::Mkdir),
    ("workload.rmdir", OperationKind::Rmdir),
    ("workload.rename", OperationKind::Rename),
    ("workload.link", OperationKind::Link),
    ("workload.setattr", OperationKind::Setattr),
];

/// Cumulated shares.
pub fn shares(sheet: &Sheet) -> Vec<(f64, OperationKind)> {
    let total: f64 = SHARES.iter().map(|(key, _)| sheet.number(key)).sum();
    let mut sum = 0.0;
    let of = |(key, op): (&str, OperationKind)| {
        sum += sheet.number(key) / total;
        (sum, op)
    };
    SHARES.into_iter().map(of).collect()
}

#[derive(Rewind, Default)]
pub struct State {
    /// Names used so far, also by failed operations.
    created: u32,
    /// Numbers of its directories that it has not removed.
    made: Queue<u32>,
}

impl State {
    pub fn create(
        &mut self,
        names: &Namespace,
        cx: &impl Context<Event, Record>,
        me: u32,
    ) -> Operation {
        Operation::Create(self.fresh(names, cx, me), attributes(me, 0o644))
    }

    /// The next operation of client `me`, after `issued` others.
    pub fn next(
        &mut self,
        shares: &[(f64, OperationKind)],
        names: &Namespace,
        cx: &impl Context<Event, Record>,
        (me, issued): (u32, u64),
    ) -> Operation {
        let mut draw = cx.draw("operation", u64::from(me), issued);
        let unit = draw.unit();
        let op = shares
            .iter()
            .find(|(upto, _)| unit < *upto)
            .map_or(OperationKind::Create, |(_, op)| *op);
        if op == OperationKind::Readdir {
            return Operation::Readdir(Key::itself(names.drawn(draw)), 0, 0);
        }
        if names.shared > 0 {
            let [from, to] = ["name", "other"]
                .map(|purpose| names.shared(cx.draw(purpose, u64::from(me), issued)));
            return of_shared(op, from, to, me, draw.below(1 << 20));
        }
        if op == OperationKind::Mkdir || op == OperationKind::Rmdir && self.made.is_empty() {
            self.made.push_back(self.created);
            return Operation::Mkdir(self.fresh(names, cx, me), attributes(me, 0o755));
        }
        if op == OperationKind::Rmdir {
            let which = self.made.pop_front().expect("just seen");
            return Operation::Rmdir(entry(names, cx, me, which));
        }
        // A client without names starts with a create.
        if op == OperationKind::Create || self.created == 0 {
            return self.create(names, cx, me);
        }
        let which = units::narrow::<u32>(draw.below(u64::from(self.created)));
        let key = entry(names, cx, me, which);
        match op {
            OperationKind::Stat => Operation::Stat(key),
            OperationKind::Lookup => Operation::Lookup(key),
            OperationKind::Unlink => Operation::Unlink(key),
            OperationKind::Setattr => {
                let size = Some(draw.below(1 << 20));
                Operation::Setattr(key, Box::new(Change { size, ..Change::default() }))
            }
            _ => {
                let two = TwoPaths { from: key, to: self.fresh(names, cx, me) };
                match op {
                    OperationKind::Link => Operation::Link(Box::new(two)),
                    _ => Operation::Rename(Box::new(two)),
                }
            }
        }
    }

    fn fresh(&mut self, names: &Namespace, cx: &impl Context<Event, Record>, me: u32) -> Key {
        self.created += 1;
        entry(names, cx, me, self.created - 1)
    }
}

/// An operation on shared names, whose outcome depends on other clients.
fn of_shared(op: OperationKind, from: Key, to: Key, me: u32, size: u64) -> Operation {
    let two = || Box::new(TwoPaths { from: from.clone(), to });
    match op {
        OperationKind::Mkdir => Operation::Mkdir(from, attributes(me, 0o755)),
        OperationKind::Rmdir => Operation::Rmdir(from),
        OperationKind::Stat => Operation::Stat(from),
        OperationKind::Lookup => Operation::Lookup(from),
        OperationKind::Unlink => Operation::Unlink(from),
        OperationKind::Setattr => {
            Operation::Setattr(from, Box::new(Change { size: Some(size), ..Change::default() }))
        }
        OperationKind::Link => Operation::Link(two()),
        OperationKind::Rename => Operation::Rename(two()),
        _ => Operation::Create(from, attributes(me, 0o644)),
    }
}

/// The client's name of this number, in the directory drawn for it.
fn entry(names: &Namespace, cx: &impl Context<Event, Record>, me: u32, which: u32) -> Key {
    let directory = match names.is_root() {
        true => ROOT,
        false => names.drawn(cx.draw("directory", u64::from(me), u64::from(which))),
    };
    Key::entry(directory, &own(me, which))
}

pub fn attributes(me: u32, mode: u16) -> Attributes {
    Attributes { mode, owner: me, group: 0 }
}
