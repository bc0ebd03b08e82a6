//! Operations by their shares. A client's names are its own: who renames or links one takes the
//! next number, in the directory that this number falls into; so clients meet at directories and
//! servers, not at names. With shared names they meet at these, and many operations fail.
use super::names::{drawn, own, shared};
use super::{Event, Record, State};
use crate::model::settings::Settings;
use engine::*;
use ppmds_protocol::{Attributes, Change, Doing, Key, Operation, Two};

impl State {
    pub(super) fn create(
        &mut self,
        settings: &Settings,
        cx: &impl Context<Event, Record>,
        me: u32,
    ) -> Operation {
        Operation::Create(self.fresh(settings, cx, me), attributes(me, 0o644))
    }

    /// An operation of a mix.
    pub(super) fn of_mix(
        &mut self,
        shares: &[(f64, Doing)],
        settings: &Settings,
        cx: &impl Context<Event, Record>,
        me: u32,
    ) -> Operation {
        let mut draw = cx.draw("operation", u64::from(me), self.issued);
        let unit = draw.unit();
        let op = shares.iter().find(|(upto, _)| unit < *upto).map_or(Doing::Create, |(_, op)| *op);
        if op == Doing::Readdir {
            return Operation::Readdir(Key::itself(drawn(settings, draw)), 0, 0);
        }
        if settings.shared_names > 0 {
            let [from, to] = ["name", "other"]
                .map(|purpose| shared(settings, cx.draw(purpose, u64::from(me), self.issued)));
            return of_shared(op, from, to, me, draw.below(1 << 20));
        }
        if op == Doing::Mkdir || op == Doing::Rmdir && self.made.is_empty() {
            self.made.push_back(self.created);
            return Operation::Mkdir(self.fresh(settings, cx, me), attributes(me, 0o755));
        }
        if op == Doing::Rmdir {
            let which = self.made.pop_front().expect("just seen");
            return Operation::Rmdir(entry(settings, cx, me, which));
        }
        // Who has nothing yet begins with a create.
        if op == Doing::Create || self.created == 0 {
            return self.create(settings, cx, me);
        }
        let which = units::narrow::<u32>(draw.below(u64::from(self.created)));
        let key = entry(settings, cx, me, which);
        match op {
            Doing::Stat => Operation::Stat(key),
            Doing::Lookup => Operation::Lookup(key),
            Doing::Unlink => Operation::Unlink(key),
            Doing::Setattr => {
                let size = Some(draw.below(1 << 20));
                Operation::Setattr(key, Change { size, ..Change::default() })
            }
            _ => {
                let two = Two { from: key, to: self.fresh(settings, cx, me) };
                match op {
                    Doing::Link => Operation::Link(Box::new(two)),
                    _ => Operation::Rename(Box::new(two)),
                }
            }
        }
    }

    /// The next name of this client.
    fn fresh(&mut self, settings: &Settings, cx: &impl Context<Event, Record>, me: u32) -> Key {
        self.created += 1;
        entry(settings, cx, me, self.created - 1)
    }
}

/// An operation on names that all clients use: its result depends on the others.
fn of_shared(op: Doing, from: Key, to: Key, me: u32, size: u64) -> Operation {
    let two = || Box::new(Two { from: from.clone(), to });
    match op {
        Doing::Mkdir => Operation::Mkdir(from, attributes(me, 0o755)),
        Doing::Rmdir => Operation::Rmdir(from),
        Doing::Stat => Operation::Stat(from),
        Doing::Lookup => Operation::Lookup(from),
        Doing::Unlink => Operation::Unlink(from),
        Doing::Setattr => {
            Operation::Setattr(from, Change { size: Some(size), ..Change::default() })
        }
        Doing::Link => Operation::Link(two()),
        Doing::Rename => Operation::Rename(two()),
        _ => Operation::Create(from, attributes(me, 0o644)),
    }
}

/// A client's name of this number, in the directory that it falls into.
fn entry(settings: &Settings, cx: &impl Context<Event, Record>, me: u32, which: u32) -> Key {
    let directory = match settings.directories.is_empty() {
        true => ppmds_protocol::ROOT,
        false => drawn(settings, cx.draw("directory", u64::from(me), u64::from(which))),
    };
    Key::entry(directory, &own(me, which))
}

/// Of a client's new inode.
pub fn attributes(me: u32, mode: u16) -> Attributes {
    Attributes { mode, owner: me, group: 0 }
}
