//! `tenbin testbed disk`: modelled disks as block devices for other experiments.
use crate::place::Place;
use crate::server::{DiskKind, Server};
use std::fmt::Write;
use std::path::Path;
use system::{Failure, console};

#[derive(Clone, Debug)]
pub struct DiskArgs {
    pub name: String,
    /// `/dev/loopN` …; empty: a free one.
    pub devices: Vec<String>,
    pub kind: DiskKind,
}

/// Serves the disks until Ctrl-C.
///
/// # Errors
/// The disks cannot be created; interrupted.
pub fn disk(args: &DiskArgs) -> Result<(), Failure> {
    for device in &args.devices {
        if !device.starts_with("/dev/loop") || !Path::new(device).exists() {
            let expected = "an existing loop device, or none: a free one is used";
            return Err(Failure::BadInput(format!("{device}: expected {expected}")));
        }
    }
    let count = args.devices.len().max(1);
    if args.kind.log.is_some() && count > 1 {
        return Err(Failure::BadInput("--log: expected one disk".into()));
    }
    let mut server = Server::start(Place::of(&args.name)?, count, args.kind.clone())?;
    let DiskKind { model, size, .. } = &args.kind;
    let mut state = String::new();
    for nth in 0..count {
        let device = server.attach(nth, args.devices.get(nth).map(String::as_str))?;
        server.hold(&device)?;
        let _ = writeln!(state, "{device}  {}, {size}", model.name);
    }
    server.ready(&state)?;
    console::text(&state)?;
    console::note(&format!("Ctrl-C or `tenbin testbed down {}` removes it", args.name));
    Err(server.wait())
}
