//! Pictures of one run that only HDFS has.
mod balance;
mod clients;
mod heat;
pub use balance::balance;
pub use clients::{clients, trade};
pub use heat::heat;
