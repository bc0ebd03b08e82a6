//! The claims of a source document against our own runs.
//!
//! A *cell* is one setting of the document; every cell is run over the same seeds, once, however
//! many claims and figures look at it. What the document does not say is tried: the claims are
//! judged at its other values, too, on few seeds.
mod assumptions;
mod cell;
mod document;
mod figures;
mod table;
pub use document::{S0, claims};
