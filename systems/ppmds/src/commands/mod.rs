//! Commands that no other system has.
mod check_history;
pub use check_history::CheckHistory;
