//! The node's code on a network that loses, repeats and reorders messages, with crashes of nodes
//! and clients at any step. Nodes keep their rows on a disk in memory, encoded as on a real one.
#[path = "../../../src/recorder/calls.rs"]
mod calls;
#[path = "../../../protocol/tests/service/dice.rs"]
mod dice;
mod host;
#[path = "../../../protocol/tests/service/play.rs"]
mod play;
mod plays;
#[path = "../../../protocol/tests/service/rows.rs"]
mod rows;
mod world;
