//! Queue sharing: a flow at one of its resources.
use super::{FlowName, turns::NONE};
use engine::{Nanos, Scalar};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) enum Next {
    /// To another row of this LP, at another resource.
    Row(u32, u32),
    /// To another LP of the transport: its number, and its row for the flow, once that is known.
    Place(u32, u32),
    /// Nowhere: it is through; and how many are that the source was not told of.
    End(u32),
}

/// A flow at one of its resources, as far as every chunk looks at it: one cache line.
#[derive(Clone, Copy, Debug, Scalar)]
#[repr(align(64))]
pub(super) struct Hop {
    pub(super) flow: FlowName,
    pub(super) next: Next,
    /// The resource, as the LP counts its own.
    pub(super) station: u32,
    /// Chunks whose turn has not come here.
    pub(super) left: u32,
    /// Chunks in line here, without the one being served.
    pub(super) waiting: u32,
    /// Behind it in the ring.
    pub(super) link: u32,
    /// Of the path, which says where in it this is.
    pub(super) hop: u8,
    hops: u8,
    /// Not broken off.
    pub(super) open: bool,
    /// Chunks' time in line until `since`, all together.
    queued: Nanos,
    since: Nanos,
    served: Nanos,
}

/// The flow itself: what few chunks of it look at.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Whole {
    /// The place where it begins.
    pub(super) source: u32,
    pub(super) chunks: u32,
    /// The size of the last one; the others are whole.
    pub(super) last_bytes: u32,
}

/// What is touched when a chunk is through, so that it can be asked for ahead: where it was served,
/// and where it goes then; twice the same where it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Touched {
    pub(super) row: u32,
    pub(super) next_row: u32,
    pub(super) next_station: u32,
}

/// What becomes of a chunk behind the resource at which its turn has come.
pub(super) enum Onward {
    /// It is seen when it is through: it stays in this LP, or was the last one.
    Later,
    /// To a place and a row of it.
    To { flow: FlowName, hop: u8, place: u32, row: u32 },
    /// It has no next hop, and its source is to be told of no more than the ones before.
    Untold,
    /// The same, and its source is to be told of so many.
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

    /// From now on so many chunks are in line.
    #[inline]
    pub(super) fn wait(&mut self, now: Nanos, waiting: u32) {
        self.queued += Nanos((now - self.since).0 * u64::from(self.waiting));
        (self.since, self.waiting) = (now, waiting)
    }

    /// A chunk's turn has come, and it takes so long.
    #[inline]
    pub(super) fn serve(&mut self, takes: Nanos, source: impl FnOnce() -> u32, me: u32) -> Onward {
        self.served += takes;
        if self.left == 0 {
            return Onward::Later;
        }
        let (flow, hop, told_of) = (self.flow, self.hop + 1, window(self.hops).1);
        match &mut self.next {
            Next::Row(..) => Onward::Later,
            &mut Next::Place(place, row) => Onward::To { flow, hop, place, row },
            Next::End(untold) if *untold + 1 < told_of => {
                *untold += 1;
                Onward::Untold
            }
            Next::End(untold) => match source() {
                source if source == me => Onward::Later,
                source => Onward::Announced { flow, source, chunks: std::mem::take(untold) + 1 },
            },
        }
    }

    /// What is touched when a chunk of this row is through.
    #[inline]
    pub(super) fn touched(&self, row: u32) -> Touched {
        match self.next {
            Next::Row(next_row, next_station) => Touched { row, next_row, next_station },
            _ => Touched { row, next_row: row, next_station: self.station },
        }
    }

    /// Time in line and time being served, of all its chunks.
    pub(super) fn spent(&self) -> (Nanos, Nanos) {
        (self.queued, self.served)
    }
}

/// How many chunks a flow has, and how large the last one is; a flow of nothing is one chunk of
/// nothing.
///
/// # Panics
/// More than 2³² chunks.
pub(super) fn chunks(bytes: u64, chunk: u64) -> (u32, u32) {
    let chunks = bytes.div_ceil(chunk).max(1);
    let last = bytes - (chunks - 1) * chunk;
    (
        u32::try_from(chunks).expect("a flow of at most 2^32 chunks"),
        u32::try_from(last).expect("less than a chunk"),
    )
}

/// What the source may have under way: four chunks for each hop, enough to keep every resource on
/// the path busy while others take their turns; told of in quarters.
pub(super) fn window(hops: u8) -> (u32, u32) {
    (4 * u32::from(hops), u32::from(hops))
}

/// What is known to be through, in bytes.
pub(super) fn bytes_through(chunks: u32, chunk: u64) -> units::Bytes {
    units::Bytes(u64::from(chunks) * chunk)
}

const _: () = assert!(size_of::<Hop>() == 64);
