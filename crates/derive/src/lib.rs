//! All derives: `Rewind`, `Scalar` (state), and `Message`, `Model`, `Wiring` (engine).
//!
//! They are re-exported, and documented by example, where they are used: the first two by `rewind`,
//! the rest by `engine`. A struct is seen as an enum of one variant, so that each derive is written
//! once.
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

/// State that can be undone: every field is a scalar, a journalled container, or derives `Rewind`
/// itself.
#[proc_macro_derive(Rewind)]
pub fn rewind(input: TokenStream) -> TokenStream {
    run(input, state::rewind)
}

/// A small `Copy` value whose mark is a copy; with digest and wire form.
#[proc_macro_derive(Scalar)]
pub fn scalar(input: TokenStream) -> TokenStream {
    run(input, state::scalar)
}

/// A value of any size that is replaced as a whole, in a state and in messages: `Clone`,
/// `PartialEq`, `Debug`, digest and wire form; its mark is a copy.
///
/// Do not derive `Clone`, `PartialEq` or `Debug` beside it.
#[proc_macro_derive(Value)]
pub fn value(input: TokenStream) -> TokenStream {
    run(input, message::replaced)
}

/// An event, a record or an interface: `Clone`, `PartialEq`, `Debug`, digest, wire form, and who
/// may send it.
///
/// Do not derive `Clone`, `PartialEq` or `Debug` beside it.
#[proc_macro_derive(Message, attributes(message, from))]
pub fn message(input: TokenStream) -> TokenStream {
    run(input, message::message)
}

/// Kinds of LP that share one Event and one Record, as an enum with one variant per kind.
#[proc_macro_derive(Model)]
pub fn model(input: TokenStream) -> TokenStream {
    run(input, model::model)
}

/// Submodels of different vocabularies side by side, as an enum: the wiring diagram.
#[proc_macro_derive(Wiring, attributes(hears))]
pub fn wiring(input: TokenStream) -> TokenStream {
    run(input, wiring::wiring)
}
