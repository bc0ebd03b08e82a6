//! What a resource gives to several streams at once.
use cluster::{DiskCurve, DiskSpec};
use rewind::Scalar;
use units::{Bytes, BytesPerSec, Nanos};

/// The rate of a resource, and what is lost when it switches between streams.
///
/// A disk moves a batch of one stream, seeks, moves a batch of the next: n ≥ 2 streams together get
/// `rate · b / (b + rate · seek)`, one stream gets `rate`. The batch b is what the [`DiskCurve`]
/// leaves of it for n streams: all of it, as long as read-ahead and elevator keep it (Iyer and
/// Druschel, "Anticipatory scheduling", SOSP 2001), or less and less.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Capacity {
    pub rate: BytesPerSec,
    /// Lost at each switch; 0 for NICs, links and SSDs.
    pub seek: Nanos,
    /// Moved between two switches of two streams, before the curve; not 0.
    pub batch: Bytes,
    /// What more streams leave of the batch.
    pub curve: DiskCurve,
}

impl Capacity {
    /// The same rate for any number of streams.
    pub const fn fixed(rate: BytesPerSec) -> Capacity {
        Capacity { rate, seek: Nanos(0), batch: Bytes(1), curve: DiskCurve::KEPT }
    }

    /// The same, but never more than `rate`.
    pub fn at_most(self, rate: BytesPerSec) -> Capacity {
        Capacity { rate: self.rate.min(rate), ..self }
    }

    /// A disk's head, or one of its two channels.
    ///
    /// # Panics
    /// A batch of 0 bytes with a seek: the scenario's check refuses it.
    pub fn disk(spec: &DiskSpec) -> Capacity {
        if spec.seek.0 == 0 {
            return Capacity::fixed(spec.rate);
        }
        assert!(spec.batch.0 > 0, "a disk that seeks moves something in between");
        Capacity { rate: spec.rate, seek: spec.seek, batch: spec.batch, curve: spec.curve }
    }

    /// What is moved of one of so many streams before the next one's turn.
    #[inline]
    pub fn batch_of(&self, streams: u32) -> Bytes {
        self.curve.batch(self.batch, streams)
    }

    /// What `streams` get together [bytes/s].
    pub fn at(&self, streams: u32) -> f64 {
        match streams {
            0 | 1 => self.rate.0 as f64,
            _ => cluster::rate_with_seeks(self.rate, self.seek, self.batch_of(streams)),
        }
    }

    /// What it would carry in the time that `carried` of so many streams keeps it at work, if it
    /// did not seek [bytes/s]: as part of `rate` how busy it is.
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
