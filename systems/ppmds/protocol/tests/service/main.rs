//! The service on a network that loses, repeats and reorders messages, with crashes of servers and
//! clients at any step. Histories are compared with a plain file system, rows with each other.
#[path = "../../../src/recorder/calls.rs"]
mod calls;
mod dice;
mod faults;
#[path = "../../../service/src/fsck.rs"]
mod fsck;
mod play;
mod plays;
mod world;
