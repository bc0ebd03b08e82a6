//! How the service works.
use super::contention::Contention;
use super::message::Mode;

/// How rows are opened that are only read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// As those that are written: one transaction at a time, as in the first design.
    Exclusive,
    /// Not held: looked at again at each opening and before the commit. Many readers.
    Validated,
    /// Held in a shared mode: nothing has to be looked at again.
    Shared,
}

impl Reads {
    /// All, as `transactions.reads` names them.
    pub const ALL: [(&'static str, Reads); 3] = [
        ("exclusive", Reads::Exclusive),
        ("validated", Reads::Validated),
        ("shared", Reads::Shared),
    ];

    /// How a row is opened that an operation wants so.
    pub fn mode(self, wanted: Mode) -> Mode {
        match (wanted, self) {
            (Mode::Shared, Reads::Exclusive) => Mode::Exclusive,
            (Mode::Shared, Reads::Validated) => Mode::Look,
            _ => wanted,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Options {
    /// Servers run transactions; else clients do.
    pub by_server: bool,
    /// How rows are opened that are only read.
    pub reads: Reads,
    pub contention: &'static dyn Contention,
    /// A wait for another \[ns\].
    pub wait: u64,
    /// Messages may be lost or come twice, or servers may crash: answers are remembered, and
    /// whoever does not answer is asked again after so many nanoseconds.
    pub patience: Option<u64>,
    /// Answers say what was seen.
    pub evidence: bool,
    /// Pages have their entries; else only their number, for whoever wants to know what they take.
    pub contents: bool,
}

impl Options {
    /// How long an answer is waited for that was asked for so many times before: twice as long each
    /// time, so that a service that is slow is not kept slow by repetitions.
    pub fn patience(&self, times: u32) -> Option<u64> {
        self.patience.map(|patience| patience << times.min(6))
    }
}

/// The rules, and where directories lie.
pub struct Rules<'a, P: ?Sized> {
    pub options: &'a Options,
    pub placement: &'a P,
}
