//! Charts of one run specific to HDFS.
mod balance;
mod clients;
pub use balance::balance;
pub use clients::{clients, trade};
