//! Pure decisions.
pub mod metadata;
