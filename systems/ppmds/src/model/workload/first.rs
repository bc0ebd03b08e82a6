//! What is there when the service begins.
use ppmds_protocol::{Ino, Name};

/// An entry that is there when the service begins.
pub struct First {
    pub above: Ino,
    pub name: Name,
    pub ino: Ino,
    pub directory: bool,
}

/// Permissions of what is there when the service begins.
pub const DIRECTORY: u16 = 0o755;
pub const FILE: u16 = 0o644;
