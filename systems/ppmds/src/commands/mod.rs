//! Commands that no other system has.
mod check_history;
mod mdtest;
pub use check_history::CheckHistory;
pub use mdtest::MDTEST;
