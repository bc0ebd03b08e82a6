//! `tenbin calibrate …`
use crate::cli::{Calibrate, CalibrateArgs, CalibrateDisk};
use system::{Failure, console};
use testbed::calibrate::{Calibration, measure, today};

pub fn calibrate(args: CalibrateArgs) -> Result<(), Failure> {
    match args.what {
        Calibrate::Disk(args) => disk(args),
        Calibrate::Store(args) => ppmds_twin::calibrate(&args),
    }
}

/// Measures a disk, prints the table, and writes the catalogue entry.
fn disk(args: CalibrateDisk) -> Result<(), Failure> {
    let CalibrateDisk { target, name, seconds, file_size, read_ahead, out } = args;
    let asked = Calibration { target, seconds, file: file_size, ahead: read_ahead };
    let measured = measure(&asked)?;
    let name = name.as_ref().unwrap_or(&measured.device.name);
    let entry = measured.entry(name, &today()?, &asked);
    let table = measured.text();
    match out {
        None => console::text(&format!("{table}\n{entry}")),
        Some(file) => {
            console::text(&table)?;
            std::fs::write(&file, entry).map_err(|e| Failure::writing(&file, &e))
        }
    }
}
