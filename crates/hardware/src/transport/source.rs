//! Queue sharing: flows that begin at this LP, and their chunks in transit.
use super::{
    FlowName, Ports,
    ends::Ends,
    flow::Start,
    hop,
    messages::{Event, Record, Route},
};
use crate::Path;
use cluster::NodeId;
use engine::{Context, Rewind, Scalar, Table};
use units::Bytes;

/// A flow with chunks that are not acknowledged.
#[derive(Clone, Copy, Scalar)]
struct OutgoingTransfer {
    ends: Ends,
    path: Path,
    bytes: Bytes,
    /// Chunks not sent yet.
    unsent: u32,
    /// Chunks not acknowledged yet.
    missing: u32,
    chunks: u32,
}

#[derive(Rewind, Default)]
pub(super) struct Sources {
    all: Table<FlowName, OutgoingTransfer>,
}

impl Sources {
    /// Returns the number of chunks to queue at the first hop now.
    pub(super) fn start(&mut self, start: &Start, ports: &Ports) -> u32 {
        let (chunks, _) = hop::chunks(start.bytes.0, ports.settings.chunk.0);
        let first =
            chunks.min(hop::window(u8::try_from(start.path.len()).expect("a path of few hops")).0);
        let (ends, path, bytes) = (Ends::of(start), start.path, start.bytes);
        let unsent = chunks - first;
        let sending = OutgoingTransfer { ends, path, bytes, unsent, missing: chunks, chunks };
        let new = self.all.insert(start.flow, sending);
        assert!(new, "the tag of {:?} is used twice", start.flow);
        first
    }

    /// Acknowledges chunks. Returns how many more to queue at the first hop. The last one ends the
    /// flow.
    pub(super) fn through(
        &mut self,
        flow: FlowName,
        chunks: u32,
        cx: &impl Context<Event, Record>,
    ) -> u32 {
        let credit = self.all.update(&flow, |sending| {
            let more = chunks.min(sending.unsent);
            sending.unsent -= more;
            sending.missing -= chunks;
            (more, sending.missing)
        });
        let Some((more, missing)) = credit else { return 0 };
        if missing == 0
            && let Some(OutgoingTransfer { ends, .. }) = self.all.remove(&flow)
        {
            cx.record(Record::Ended { flow, whole: true });
            ends.notify_done(cx)
        }
        more
    }

    /// Cuts a flow. Returns its route, to announce the cut along it; `None` if it has ended.
    pub(super) fn cut(
        &mut self,
        flow: FlowName,
        lost: Option<NodeId>,
        ports: &Ports,
        cx: &impl Context<Event, Record>,
    ) -> Option<Route> {
        let sending = self.all.remove(&flow)?;
        let through = hop::bytes_through(sending.chunks - sending.missing, ports.settings.chunk.0);
        cx.record(Record::Ended { flow, whole: false });
        sending.ends.notify_broken(through, lost, cx);
        Some(Route { flow, path: sending.path, bytes: sending.bytes, hop: 0 })
    }

    pub(super) fn flows(&self) -> Vec<FlowName> {
        self.all.keys().copied().collect()
    }
}
