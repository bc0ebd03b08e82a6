//! Queue sharing: a flow at one of its resources.
use super::{FlowName, turns::NONE};
use engine::{Nanos, Scalar};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) enum Next {
    /// A row of this LP, and its resource.
    Row(u32, u32),
    /// Another LP of the transport, and its row for the flow; `NONE` until that is known.
    Place(u32, u32),
    /// No further hop; number of chunks not acknowledged yet.
    End(u32),
}

/// A flow at one of its resources: what every chunk reads. One cache line.
#[derive(Clone, Copy, Debug, Scalar)]
#[repr(align(64))]
pub(super) struct Hop {
    pub(super) flow: FlowName,
    pub(super) next: Next,
    /// Index of the resource in the LP.
    pub(super) station: u32,
    /// Chunks not served here yet.
    pub(super) left: u32,
    /// Waiting chunks, without the one in service.
    pub(super) waiting: u32,
    /// The next row in the ring.
    pub(super) link: u32,
    /// Index in the path; `hops` is the path's length.
    pub(super) hop: u8,
    hops: u8,
    /// Not cut.
    pub(super) open: bool,
    /// Waiting time until `since`, summed over chunks.
    queued: Nanos,
    since: Nanos,
    served: Nanos,
}

/// Data of a flow that few chunks read.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct TransferSize {
    /// LP of the first hop.
    pub(super) source: u32,
    pub(super) chunks: u32,
    /// Size of the last chunk; the others are full.
    pub(super) last_bytes: u32,
}

/// Memory read at the end of a turn, for a prefetch: where the chunk was served, and where it
/// continues; twice the same if it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct TouchedRows {
    pub(super) row: u32,
    pub(super) next_row: u32,
    pub(super) next_station: u32,
}

/// The next stop of a chunk after its turn.
pub(super) enum ForwardStep {
    /// Decided at the end of the turn: it stays in this LP, or was the last one.
    Later,
    /// To another LP, and its row there.
    To { flow: FlowName, hop: u8, place: u32, row: u32 },
    /// It has no next hop; no acknowledgement is due.
    Untold,
    /// It has no next hop; an acknowledgement of `chunks` is due.
    Announced { flow: FlowName, source: u32, chunks: u32 },
}

impl Hop {
    pub(super) fn new(
        flow: FlowName,
        station: u32,
        next: Next,
        (hop, hops): (u8, u8),
        chunks: u32,
    ) -> Hop {
        let (queued, since, served) = (Nanos(0), Nanos(0), Nanos(0));
        let (left, waiting, link, open) = (chunks, 0, NONE, true);
        Hop { flow, next, station, left, waiting, link, hop, hops, open, queued, since, served }
    }

    /// Sets the number of waiting chunks.
    #[inline]
    pub(super) fn wait(&mut self, now: Nanos, waiting: u32) {
        self.queued += Nanos((now - self.since).0 * u64::from(self.waiting));
        (self.since, self.waiting) = (now, waiting)
    }

    #[inline]
    pub(super) fn serve(
        &mut self,
        takes: Nanos,
        source: impl FnOnce() -> u32,
        me: u32,
    ) -> ForwardStep {
        self.served += takes;
        if self.left == 0 {
            return ForwardStep::Later;
        }
        let (flow, hop, told_of) = (self.flow, self.hop + 1, window(self.hops).1);
        match &mut self.next {
            Next::Row(..) => ForwardStep::Later,
            &mut Next::Place(place, row) => ForwardStep::To { flow, hop, place, row },
            Next::End(untold) if *untold + 1 < told_of => {
                *untold += 1;
                ForwardStep::Untold
            }
            Next::End(untold) => match source() {
                source if source == me => ForwardStep::Later,
                source => {
                    ForwardStep::Announced { flow, source, chunks: std::mem::take(untold) + 1 }
                }
            },
        }
    }

    #[inline]
    pub(super) fn touched(&self, row: u32) -> TouchedRows {
        match self.next {
            Next::Row(next_row, next_station) => TouchedRows { row, next_row, next_station },
            _ => TouchedRows { row, next_row: row, next_station: self.station },
        }
    }

    /// Waiting time and service time, summed over its chunks.
    pub(super) fn spent(&self) -> (Nanos, Nanos) {
        (self.queued, self.served)
    }
}

/// Number of chunks, and size of the last one. A flow of 0 bytes has one chunk of 0 bytes.
///
/// # Panics
/// With more than 2³² chunks.
pub(super) fn chunks(bytes: u64, chunk: u64) -> (u32, u32) {
    let chunks = bytes.div_ceil(chunk).max(1);
    let last = bytes - (chunks - 1) * chunk;
    (
        u32::try_from(chunks).expect("a flow of at most 2^32 chunks"),
        u32::try_from(last).expect("less than a chunk"),
    )
}

/// Maximum chunks in transit, and chunks per acknowledgement (a quarter). Four chunks per hop keep
/// every resource on the path busy while others take their turns.
pub(super) fn window(hops: u8) -> (u32, u32) {
    (4 * u32::from(hops), u32::from(hops))
}

pub(super) fn bytes_through(chunks: u32, chunk: u64) -> units::Bytes {
    units::Bytes(u64::from(chunks) * chunk)
}

const _: () = assert!(size_of::<Hop>() == 64);
