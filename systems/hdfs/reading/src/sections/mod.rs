//! Charts of one run specific to HDFS.
mod balance;
mod clients;
mod heat;
pub use balance::balance;
pub use clients::{clients, trade};
pub use heat::heat;
