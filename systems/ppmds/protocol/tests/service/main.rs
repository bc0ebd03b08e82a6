//! The whole service over a network that loses, repeats and turns round, with servers and clients
//! that crash at any step: histories are held against a plain file system, rows against one
//! another.
#[path = "../../../src/recorder/calls.rs"]
mod calls;
mod dice;
mod faults;
mod play;
mod rows;
mod world;
