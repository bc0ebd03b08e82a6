//! Sentences about a result.
pub mod balancer;
pub mod events;
pub mod foreground;
pub mod notes;
pub mod verdict;
