//! Logical processes: clients, servers, and switches where those have NICs that all share.
mod bound;
mod client;
mod message;
mod network;
mod prefetch;
mod run;
mod server;
mod settings;
mod switch;
mod workload;
pub use bound::Bound;
pub use message::{Cost, Done, Lost, Record, Seen};
pub use run::Model;
pub use settings::{DIRECTORY, FILE, First, SHARES, Settings, Switching, Times};
pub use workload::{mdtest, names, trace};
