//! Options of the protocol.
use super::contention::Contention;
use super::message::Mode;

/// How a transaction opens rows that it only reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// Locked for one transaction at a time, as in the first design.
    Exclusive,
    /// Not locked: validated at each opening and before the commit.
    Validated,
    /// Locked against writers; needs no validation.
    Shared,
}

impl Reads {
    pub const ALL: [(&'static str, Reads); 3] = [
        ("exclusive", Reads::Exclusive),
        ("validated", Reads::Validated),
        ("shared", Reads::Shared),
    ];

    /// The mode for a row that an operation wants in mode `wanted`.
    pub fn mode(self, wanted: Mode) -> Mode {
        match (wanted, self) {
            (Mode::Shared, Reads::Exclusive) => Mode::Exclusive,
            (Mode::Shared, Reads::Validated) => Mode::Unlocked,
            _ => wanted,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Options {
    /// Servers coordinate transactions; `false`: clients do.
    pub by_server: bool,
    pub reads: Reads,
    pub contention: &'static dyn Contention,
    /// Unit of waiting for another transaction \[ns\].
    pub wait: u64,
    /// Resend interval \[ns\] where messages may be lost or repeated, or servers may crash. Servers
    /// then remember answers. `None`: nothing is lost.
    pub resend_base_ns: Option<u64>,
    /// Answers contain the rows seen ([`RowEvidence`](super::RowEvidence)).
    pub evidence: bool,
    /// Pages contain entries; `false`: only their number, for models that need only sizes.
    pub contents: bool,
}

impl Options {
    /// Time \[ns\] until the next resend after `resends`. It doubles up to 64 times the base,
    /// since repetitions at a fixed interval keep a slow service slow.
    pub fn resend_interval(&self, resends: u32) -> Option<u64> {
        self.resend_base_ns.map(|base| base << resends.min(6))
    }
}

pub struct Rules<'a, P: ?Sized> {
    pub options: &'a Options,
    pub placement: &'a P,
}
