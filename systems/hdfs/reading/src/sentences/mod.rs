//! Sentences about a result.
pub mod balancer;
pub mod foreground;
pub mod happened;
pub mod notes;
pub mod verdict;
