//! Which LPs may send what to which: the traits behind `#[derive(Message)]` and
//! `#[derive(Wiring)]`.
use rewind::{Digest, Wire};

/// An event, a record, an interface message: plain data. Use `#[derive(Message)]`.
///
/// The derive also implements `Clone`, `PartialEq`, `Debug`, digest and wire form: derive none of
/// these in addition.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message",
    note = "put #[derive(Message)] on it (it brings Clone, Debug and PartialEq)"
)]
pub trait Message: Clone + PartialEq + std::fmt::Debug + Digest + Wire + Send {
    #[doc(hidden)]
    type Out;
    /// Number of interfaces that it handles (`#[from]` variants).
    #[doc(hidden)]
    const PORTS: usize = 0;
}

impl Message for () {
    type Out = ();
}

/// LPs of this vocabulary may send a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare that its LPs send `{T}`",
    label = "not in the vocabulary",
    note = "add #[message(sends({T}))] to `{Self}`"
)]
pub trait Says<T>: Message {
    #[doc(hidden)]
    fn say(message: T) -> Self::Out;
}

/// Never constructed. It is a second implementor of `Says` and `Hears` for every vocabulary. With
/// only one, rustc would infer it and print "mismatched types" instead of our message.
#[doc(hidden)]
pub enum Nothing {}

/// This vocabulary includes the interface `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not handle `{T}`",
    label = "no such port",
    note = "give `{Self}` a variant `#[from] Name({T})`"
)]
pub trait Hears<T>: Sized {
    #[doc(hidden)]
    fn hear(message: T) -> Self;
}

/// This system's outer event or record can carry a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry `{T}`: no LP kind in this system handles it",
    note = "in the enum with #[derive(Wiring)], put #[hears({T})] on the kind that handles it"
)]
pub trait Carries<T> {
    #[doc(hidden)]
    fn carry(message: T) -> Self;
}

impl Carries<()> for () {
    fn carry(_: ()) {}
}

/// Wraps a vocabulary's message into a system's outer event.
#[doc(hidden)]
pub trait Lift<O> {
    fn lift(self) -> O;
}
