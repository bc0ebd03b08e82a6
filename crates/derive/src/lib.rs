//! The derives of `rewind` (`Rewind`, `Scalar`, `Value`) and of `engine` (`Message`, `Model`,
//! `Wiring`).
//!
//! Those crates re-export them and have examples. A struct is handled as an enum of one variant.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod digest;
mod forbid;
mod kinds;
mod message;
mod model;
mod shape;
mod state;
mod wire;
mod wiring;
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use syn::{DeriveInput, parse_macro_input};

fn run(input: TokenStream, derive: fn(&DeriveInput) -> syn::Result<Tokens>) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// State that can be rolled back: every field is a scalar, a journalled container, or derives
/// `Rewind`.
#[proc_macro_derive(Rewind)]
pub fn rewind(input: TokenStream) -> TokenStream {
    run(input, state::rewind)
}

/// A small `Copy` value whose mark is a copy; adds digest and wire form.
#[proc_macro_derive(Scalar)]
pub fn scalar(input: TokenStream) -> TokenStream {
    run(input, state::scalar)
}

/// A value of any size that is replaced as a whole, for states and messages. Adds `Clone`,
/// `PartialEq`, `Debug`, digest and wire form; its mark is a copy.
///
/// Do not derive `Clone`, `PartialEq` or `Debug` in addition.
#[proc_macro_derive(Value)]
pub fn value(input: TokenStream) -> TokenStream {
    run(input, message::replaced)
}

/// An event, a record or an interface. Adds `Clone`, `PartialEq`, `Debug`, digest, wire form, and
/// which kinds of LP may send it.
///
/// Do not derive `Clone`, `PartialEq` or `Debug` in addition.
#[proc_macro_derive(Message, attributes(message, from))]
pub fn message(input: TokenStream) -> TokenStream {
    run(input, message::message)
}

/// Kinds of LP that share one `Event` and one `Record`: an enum with one variant per kind.
#[proc_macro_derive(Model)]
pub fn model(input: TokenStream) -> TokenStream {
    run(input, model::model)
}

/// Joins submodels with vocabularies of their own: an enum with one variant per kind of LP.
#[proc_macro_derive(Wiring, attributes(hears))]
pub fn wiring(input: TokenStream) -> TokenStream {
    run(input, wiring::wiring)
}
