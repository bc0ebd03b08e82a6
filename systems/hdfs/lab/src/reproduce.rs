//! The claims of a source document against our own runs.
//!
//! A *cell* is one setting of the document; every cell is run over the same seeds, once, however
//! many claims and figures look at it. A *claim* says which cells it needs and judges them; its
//! verdict is computed from 95 % intervals by one rule, never written by hand. What the document
//! does not say is a *reading*: the claims are run at its other values, too, on few seeds.
pub mod cell;
pub mod claims;
mod document;
pub mod estimate;
pub mod figures;
pub mod reading;
#[cfg(target_os = "linux")]
mod real;
pub mod runs;
pub mod verdict;
pub use document::S0;
