//! Who may say what to whom: the traits behind `#[derive(Message)]` and `#[derive(Wiring)]`.
use rewind::{Digest, Wire};

/// An event, a record, an interface message: plain data. Use `#[derive(Message)]`.
///
/// It brings `Clone`, `PartialEq`, `Debug`, a digest and the wire form, so none of these is derived
/// beside it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message",
    note = "put #[derive(Message)] on it (it brings Clone, Debug and PartialEq)"
)]
pub trait Message: Clone + PartialEq + std::fmt::Debug + Digest + Wire + Send {
    #[doc(hidden)]
    type Out;
    /// How many interfaces it hears (`#[from]` variants).
    #[doc(hidden)]
    const PORTS: usize = 0;
}

impl Message for () {
    type Out = ();
}

/// This vocabulary's LPs may send a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say that its LPs send `{T}`",
    label = "not in the vocabulary",
    note = "add #[message(sends({T}))] to `{Self}`"
)]
pub trait Says<T>: Message {
    #[doc(hidden)]
    fn say(message: T) -> Self::Out;
}

/// Never made. A second implementor of `Says` and `Hears` for every vocabulary: with only one,
/// rustc would infer it and say "mismatched types" in place of our words.
#[doc(hidden)]
pub enum Nothing {}

/// This vocabulary includes the interface `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hear `{T}`",
    label = "no such port",
    note = "give `{Self}` a variant `#[from] Name({T})`"
)]
pub trait Hears<T>: Sized {
    #[doc(hidden)]
    fn hear(message: T) -> Self;
}

/// This system's outer event or record has a place for a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry `{T}`: no kind of LP in this system hears it",
    note = "in the enum with #[derive(Wiring)], put #[hears({T})] on the kind that answers it"
)]
pub trait Carries<T> {
    #[doc(hidden)]
    fn carry(message: T) -> Self;
}

impl Carries<()> for () {
    fn carry(_: ()) {}
}

/// What a vocabulary says, put into a system's outer event.
#[doc(hidden)]
pub trait Lift<O> {
    fn lift(self) -> O;
}
