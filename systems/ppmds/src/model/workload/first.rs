//! What exists when the service starts.
use ppmds_protocol::{Ino, Name};

pub struct First {
    pub above: Ino,
    pub name: Name,
    pub ino: Ino,
    pub directory: bool,
}

pub const DIRECTORY: u16 = 0o755;
pub const FILE: u16 = 0o644;
