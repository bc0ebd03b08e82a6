//! The rate of a resource for several streams.
use cluster::{DiskCurve, DiskSpec};
use rewind::Scalar;
use units::{Bytes, BytesPerSec, Nanos};

/// The rate of a resource, and the loss at each switch between streams.
///
/// A disk moves a batch of one stream, seeks, and moves a batch of the next: n ≥ 2 streams together
/// get `rate · b / (b + rate · seek)`, one stream gets `rate`. The [`DiskCurve`] gives the batch b
/// of n streams: constant, as long as read-ahead and elevator keep it (Iyer and Druschel,
/// "Anticipatory scheduling", SOSP 2001), or ever smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Capacity {
    pub rate: BytesPerSec,
    /// Lost at each switch; 0 for NICs, links and SSDs.
    pub seek: Nanos,
    /// Moved between two switches of two streams, before the curve; not 0.
    pub batch: Bytes,
    /// Reduces the batch for more streams.
    pub curve: DiskCurve,
}

impl Capacity {
    /// The same rate for any number of streams.
    pub const fn fixed(rate: BytesPerSec) -> Capacity {
        Capacity { rate, seek: Nanos(0), batch: Bytes(1), curve: DiskCurve::KEPT }
    }

    pub fn at_most(self, rate: BytesPerSec) -> Capacity {
        Capacity { rate: self.rate.min(rate), ..self }
    }

    /// A disk's head, or one of its two channels.
    ///
    /// # Panics
    /// For a batch of 0 bytes with a seek, which the scenario's check rejects.
    pub fn disk(spec: &DiskSpec) -> Capacity {
        if spec.seek.0 == 0 {
            return Capacity::fixed(spec.rate);
        }
        assert!(spec.batch.0 > 0, "a disk that seeks moves something in between");
        Capacity { rate: spec.rate, seek: spec.seek, batch: spec.batch, curve: spec.curve }
    }

    /// Bytes of one stream between two switches.
    #[inline]
    pub fn batch_of(&self, streams: u32) -> Bytes {
        self.curve.batch(self.batch, streams)
    }

    /// Total rate of `streams` \[bytes/s\].
    pub fn at(&self, streams: u32) -> f64 {
        match streams {
            0 | 1 => self.rate.0 as f64,
            _ => cluster::rate_with_seeks(self.rate, self.seek, self.batch_of(streams)),
        }
    }

    /// Rate without seeks in the time that `carried` takes with these streams \[bytes/s\]. Its
    /// fraction of `rate` is the utilisation.
    pub fn at_work(&self, carried: f64, streams: u32) -> f64 {
        let together = self.at(streams);
        if together > 0.0 { carried * (self.at(1) / together) } else { carried }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_streams_pay_one_seek_a_batch() {
        // 1 MB at 100 MB/s takes 10 ms; with 10 ms of seeking the disk gives one half.
        let (rate, seek, batch) = (BytesPerSec::mb(100), Nanos::millis(10), Bytes::mb(1));
        let disk = Capacity { seek, batch, ..Capacity::fixed(rate) };
        assert_eq!([0, 1, 2, 9].map(|n| disk.at(n)), [1e8, 1e8, 5e7, 5e7]);
        assert_eq!(Capacity::fixed(BytesPerSec::mb(7)).at(5), 7e6);
        assert_eq!([1, 2, 9].map(|n| disk.at_work(4e7, n)), [4e7, 8e7, 8e7]);
        assert_eq!(disk.at_work(disk.at(2), 2), 1e8, "all of its time");
        assert_eq!(Capacity::fixed(BytesPerSec::mb(7)).at_work(6.3e6, 5), 6.3e6);
        assert_eq!(Capacity::fixed(BytesPerSec(0)).at_work(0.0, 5), 0.0);
        // A quarter, a half and an eighth of the batch: 2.5, 5 and 1.25 ms between seeks of 10.
        let shared = Capacity { curve: DiskCurve::quarters(4), ..disk };
        assert_eq!(
            [1, 2, 4, 8].map(|n| shared.at(n).round()),
            [1e8, 33_333_333.0, 2e7, 11_111_111.0]
        );
    }
}
