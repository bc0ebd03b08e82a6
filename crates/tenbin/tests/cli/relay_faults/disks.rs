//! Disks that fill up or fail, in front of the nodes' real ones.
use crate::preloaded;
use crate::tenbin::Place;
use std::path::{Path, PathBuf};

/// No space left on the device.
pub const ENOSPC: i32 = 28;
/// Input/output error.
pub const EIO: i32 = 5;

/// A program that runs `tenbin` with the faulty disk in front: `faulty_disk.c`. Nodes 1 and 3 write
/// through the page cache, so that their blocks meet it, too.
pub fn program(place: &Place) -> PathBuf {
    let some = "case \"$*\" in *node-[13]*) set -- \"$@\" --io buffered ;; esac";
    preloaded::program(place, "faulty-tenbin", "relay_faults/faulty_disk.c", some)
}

/// From now on this node's disk does that; without an error it works.
pub fn set(folder: &Path, fault: Option<i32>) {
    let file = folder.with_extension("fault");
    match fault {
        Some(error) => std::fs::write(file, error.to_string()).expect("a writable folder"),
        None => drop(std::fs::remove_file(file)),
    }
}
