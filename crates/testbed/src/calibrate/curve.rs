//! Fits a curve of the catalogue's form to measurements.
use super::Cell;
use cluster::{DiskCurve, rate_with_seeks};
use units::{Bytes, BytesPerSec, Nanos};

/// Bytes that a disk moves for one stream before the next, and their decrease.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    pub batch: Bytes,
    /// Decrease with the number of streams.
    pub curve: DiskCurve,
    /// Root mean square of the relative errors.
    pub error: f64,
}

const QUARTERS: u8 = 8;

/// Batches from 16 KiB to 100 MB in steps of 3 %.
const SMALLEST: f64 = 16384.0;
const STEP: f64 = 1.03;
const STEPS: u32 = 300;

/// Fits cells with at least two streams; `None`: no such cell, or seeks take no time.
pub fn fit(cells: &[Cell], rate: BytesPerSec, seek: Nanos) -> Option<Fit> {
    let many: Vec<&Cell> = cells.iter().filter(|cell| cell.streams > 1).collect();
    if many.is_empty() || seek == Nanos::ZERO {
        return None;
    }
    let batches = std::iter::successors(Some(SMALLEST), |batch| Some(batch * STEP));
    let batches = batches.take(STEPS as usize).map(|batch| Bytes(units::floored_u64(batch)));
    let curves = (0..=QUARTERS).map(DiskCurve::quarters);
    let all = batches.flat_map(|batch| curves.clone().map(move |curve| (batch, curve)));
    let fits = all.map(|(batch, curve)| {
        let off = |cell: &&Cell| {
            let says = rate_with_seeks(rate, seek, curve.batch(batch, cell.streams));
            let off = says / cell.total() - 1.0;
            off * off
        };
        let error = (many.iter().map(off).sum::<f64>() / many.len() as f64).sqrt();
        Fit { batch, curve, error }
    });
    fits.min_by(|a, b| a.error.total_cmp(&b.error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::{Access, STREAMS};

    #[test]
    fn a_curve_is_found_again() {
        let (rate, seek) = (BytesPerSec::mb(150), Nanos::micros(12_360));
        for (batch, quarters) in [(400_000, 0), (3_000_000, 0), (3_000_000, 4), (900_000, 2)] {
            let curve = DiskCurve::quarters(quarters);
            let cell = |streams: u32| {
                let batch = curve.batch(Bytes(batch), streams);
                let read = rate_with_seeks(rate, seek, batch);
                Cell { access: Access::Read, streams, read, written: 0.0 }
            };
            let found = fit(&STREAMS.map(cell), rate, seek).expect("there are some");
            assert_eq!(found.curve, curve);
            assert!((found.batch.0 as f64 / batch as f64 - 1.0).abs() < 0.02, "{found:?}");
            assert!(found.error < 0.02, "{found:?}");
        }
    }

    #[test]
    fn one_stream_makes_no_curve() {
        let one = Cell { access: Access::Read, streams: 1, read: 1e8, written: 0.0 };
        assert_eq!(fit(&[one], BytesPerSec::mb(100), Nanos::millis(1)), None);
    }
}
