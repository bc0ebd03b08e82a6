//! Converts operations to the checker's types. The protocol's tests use this file too.
use ppmds_check::{After, Attributes, Call, Entry, Outcome, Saw};
use ppmds_protocol::{self as service, Inode, Key, Kind, Operation};

pub fn entry(key: &Key) -> Entry {
    (key.ino, key.name.to_string())
}

/// `None`: clients do not send it.
pub fn call(operation: &Operation) -> Option<Call> {
    Some(match operation {
        Operation::Create(key, attributes) => {
            Call::Create { entry: entry(key), mode: attributes.mode }
        }
        Operation::Mkdir(key, attributes) => {
            Call::Mkdir { entry: entry(key), mode: attributes.mode }
        }
        Operation::Lookup(key) => Call::Lookup { entry: entry(key) },
        Operation::Stat(key) | Operation::Read(key) => Call::Stat { entry: entry(key) },
        Operation::Setattr(key, change) => {
            Call::Setattr { entry: entry(key), mode: change.mode, size: change.new_size() }
        }
        Operation::Unlink(key) => Call::Unlink { entry: entry(key) },
        Operation::Rmdir(key) => Call::Rmdir { entry: entry(key) },
        Operation::Rename(two) => Call::Rename { from: entry(&two.from), to: entry(&two.to) },
        Operation::Link(two) => Call::Link { from: entry(&two.from), to: entry(&two.to) },
        Operation::Readdir(key, ..) => Call::Readdir { directory: key.ino },
        Operation::Servers(_) | Operation::Spread(..) => return None,
    })
}

/// `None`: clients do not see it.
pub fn outcome(outcome: &service::Outcome) -> Option<Outcome> {
    Some(match outcome {
        service::Outcome::Of(ino) => Outcome::Ino(*ino),
        service::Outcome::Inode(inode) => Outcome::Inode(attributes(inode)),
        service::Outcome::File(file) => Outcome::Inode(attributes(&file.inode)),
        service::Outcome::Page(page) => {
            let each = |listed: &service::Listed| (listed.name.to_string(), listed.ino);
            Outcome::Entries(page.listed().map(each).collect())
        }
        service::Outcome::Failed(errno) => Outcome::Error(errno.to_string()),
        _ => return None,
    })
}

fn attributes(inode: &Inode) -> Attributes {
    let Inode { ino, kind, mode, size, links, .. } = *inode;
    Attributes { ino, directory: kind == Kind::Directory, mode, size, links }
}

pub fn saw(saw: &service::RowEvidence) -> Saw {
    Saw {
        row: entry(&saw.key),
        server: saw.server,
        before: saw.before.map(|version| (version.client, version.number)),
        removals: saw.removals,
        after: match saw.after {
            service::RowEffect::Kept => After::Kept,
            service::RowEffect::Written => After::Written,
            service::RowEffect::Removed => After::Removed,
        },
    }
}
