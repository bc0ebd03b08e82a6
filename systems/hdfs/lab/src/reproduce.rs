//! Compares the claims of Higai et al. 2014 with Tenbin's runs.
//!
//! A *cell* is one setting of the paper. Every cell runs once with the same seeds, for all claims
//! and figures. Values that the paper leaves open are varied: claims are judged at other values,
//! too, with few seeds.
mod assumptions;
mod cell;
mod document;
mod figures;
mod table;
pub use document::{S0, claims};
