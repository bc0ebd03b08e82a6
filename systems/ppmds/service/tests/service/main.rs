//! The node's code in a simulated network with crashes, on a real disk, and as real nodes.
mod backups;
#[path = "../../../src/recorder/calls.rs"]
mod calls;
#[path = "../../../protocol/tests/service/dice.rs"]
mod dice;
mod disk;
mod full;
mod growth;
mod host;
mod links;
mod memory;
mod mounts;
mod nodes;
#[path = "../../../protocol/tests/service/play.rs"]
mod play;
mod plays;
mod proxy;
mod standbys;
mod tls;
mod world;
use ppmds_service::fsck;
