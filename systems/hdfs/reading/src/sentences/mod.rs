//! What a result means, in words.
pub mod balancer;
pub mod foreground;
pub mod happened;
pub mod notes;
pub mod verdict;
