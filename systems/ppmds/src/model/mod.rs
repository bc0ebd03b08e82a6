//! Logical processes: clients, servers, and switches unless `network.switch = "port"`.
mod bound;
mod client;
mod message;
mod network;
mod prefetch;
mod run;
mod server;
mod settings;
mod switch;
mod times;
mod workload;
pub use bound::Bound;
pub use message::{Cost, Done, Lost, Record, Seen};
pub use run::Model;
pub use settings::{Settings, Switching};
pub use times::Times;
pub use workload::{DIRECTORY, FILE, First, SHARES, mdtest, names, trace};
