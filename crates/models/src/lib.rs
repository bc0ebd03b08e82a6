//! models
pub mod hardware;
