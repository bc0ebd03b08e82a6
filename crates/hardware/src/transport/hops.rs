//! Queue sharing: the rows of flows at the resources of one LP, and their rings.
use super::{
    FlowName, flow,
    ports::Ports,
    turns::{NONE, Turns},
};
use crate::ResourceId;
use engine::{Array, Nanos, Rewind, Scalar, Table};

/// Where a chunk goes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) enum Next {
    /// To another row of this LP.
    Row(u32),
    /// To another LP of the transport: its number, and its row for the flow, once that is known.
    Place(u32, u32),
    /// Nowhere.
    End,
}

/// A flow at one of its resources.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Hop {
    pub(super) flow: FlowName,
    pub(super) next: Next,
    /// The place where the flow begins.
    pub(super) source: u32,
    /// The resource, as the LP counts its own.
    pub(super) station: u32,
    /// Chunks that have not been served here, and the size of the last of them; the others are
    /// whole.
    pub(super) left: u32,
    pub(super) chunks: u32,
    pub(super) last_bytes: u32,
    /// Chunks in line here, without the one being served.
    pub(super) waiting: u32,
    /// Behind it in the ring.
    link: u32,
    /// Through the last hop, and not told to the source.
    pub(super) untold: u32,
    /// Of the path, which says where in it this is.
    pub(super) hop: u8,
    pub(super) hops: u8,
    /// Not broken off.
    pub(super) open: bool,
    /// Chunks' time in line until `since`, all together.
    queued: Nanos,
    since: Nanos,
    served: Nanos,
}

impl Hop {
    /// Nothing has come yet.
    pub(super) fn new(flow: FlowName, source: u32, chunks: u32, last_bytes: u32) -> Hop {
        Hop {
            flow,
            next: Next::End,
            source,
            station: NONE,
            left: chunks,
            chunks,
            last_bytes,
            waiting: 0,
            link: NONE,
            untold: 0,
            hop: 0,
            hops: 0,
            open: true,
            queued: Nanos(0),
            since: Nanos(0),
            served: Nanos(0),
        }
    }

    fn wait(&mut self, now: Nanos, waiting: u32) {
        self.queued += Nanos((now - self.since).0 * u64::from(self.waiting));
        (self.since, self.waiting) = (now, waiting)
    }

    /// Time in line and time being served, of all its chunks.
    pub(super) fn spent(&self) -> (Nanos, Nanos) {
        (self.queued, self.served)
    }
}

/// Where each flow stands at each resource of an LP.
#[derive(Rewind)]
pub(super) struct Hops {
    pub(super) turns: Array<Turns>,
    rows: Array<Hop>,
    /// Rows of nobody.
    free: Array<u32>,
    /// Rows by flow and hop.
    index: Table<(FlowName, u8), u32>,
    chunk: u32,
}

/// A chunk's turn has come.
pub(super) struct Turn {
    pub(super) takes: Nanos,
    pub(super) epoch: u32,
    /// What the resource has worked since then, if it is to be said now.
    pub(super) report: Option<(Nanos, Nanos)>,
}

impl Hops {
    /// Nobody at all.
    pub(super) fn new(ports: &Ports, place: u32) -> Hops {
        let turns = |&id: &ResourceId| Turns::new(id, ports.resources().capacity(id));
        Hops {
            turns: ports.owned(place).iter().map(turns).collect(),
            rows: Array::new(),
            free: Array::new(),
            index: Table::new(),
            chunk: u32::try_from(ports.settings.chunk.0).expect("a chunk below 4 GiB"),
        }
    }

    /// A row for a flow's hop.
    pub(super) fn add(&mut self, hop: Hop) -> u32 {
        let row = self.free.pop().unwrap_or(units::u32_of(self.rows.len()));
        if row as usize == self.rows.len() {
            self.rows.push(hop)
        } else {
            self.set(row, hop)
        }
        let new = self.index.insert((hop.flow, hop.hop), row);
        assert!(new, "the tag of {:?} is used twice", hop.flow);
        row
    }

    #[inline]
    pub(super) fn get(&self, row: u32) -> Hop {
        self.rows[row as usize]
    }

    #[inline]
    fn set(&mut self, row: u32, hop: Hop) {
        self.rows.set(row as usize, hop)
    }

    /// The row of a flow's hop; `None` where it is broken off, or through.
    #[inline]
    pub(super) fn find(&self, flow: FlowName, hop: u8) -> Option<u32> {
        self.index.get(&(flow, hop)).copied()
    }

    /// As [`find`](Hops::find), looking at a row first that is probably the one.
    #[inline]
    pub(super) fn find_at(&self, row: u32, flow: FlowName, hop: u8) -> Option<u32> {
        match self.rows.get(row as usize) {
            Some(known) if known.open && (known.flow, known.hop) == (flow, hop) => Some(row),
            _ => self.find(flow, hop),
        }
    }

    /// Chunks that leave a hop for another place find this row there.
    pub(super) fn label(&mut self, flow: FlowName, hop: u8, there: u32) {
        if let Some(row) = self.find(flow, hop) {
            self.rows.update(row as usize, |hop| {
                if let Next::Place(_, row) = &mut hop.next {
                    *row = there
                }
            })
        }
    }

    /// Flows that have not passed all of their hops here, and where they begin.
    pub(super) fn flows(&self) -> Vec<(FlowName, u32)> {
        let mut flows: Vec<(FlowName, u32)> =
            self.index.iter().map(|((flow, _), &row)| (*flow, self.get(row).source)).collect();
        flows.dedup();
        flows
    }

    /// So many chunks stand in line; whether nobody is being served, so that
    /// [`serve`](Hops::serve) is next.
    #[inline]
    pub(super) fn join(&mut self, row: u32, chunks: u32, now: Nanos) -> Option<u32> {
        let mut hop = self.get(row);
        let (new, station) = (hop.waiting == 0, hop.station);
        hop.wait(now, hop.waiting + chunks);
        self.set(row, hop);
        if new {
            self.line_up(station, row)
        }
        (self.turns[station as usize].serving == NONE).then_some(station)
    }

    /// To the end of the ring.
    #[inline]
    fn line_up(&mut self, station: u32, row: u32) {
        let mut turns = self.turns[station as usize];
        turns.line += 1;
        let before = std::mem::replace(&mut turns.tail, row);
        if before == NONE {
            turns.head = row
        } else {
            self.rows.update(before as usize, |hop| hop.link = row)
        }
        self.turns.set(station as usize, turns)
    }

    /// The next in the ring has its turn; `None` where the ring is empty.
    #[inline]
    pub(super) fn serve(&mut self, station: u32, now: Nanos) -> Option<Turn> {
        let mut turns = self.turns[station as usize];
        let row = turns.head;
        if row == NONE {
            turns.serving = NONE;
            self.turns.set(station as usize, turns);
            return None;
        }
        let mut hop = self.get(row);
        hop.wait(now, hop.waiting - 1);
        let bytes = if hop.left == 1 { hop.last_bytes } else { self.chunk };
        let since = turns.since;
        let report = turns.report(now).map(|busy| (since, busy));
        let takes = turns.serve(row, bytes);
        hop.served += takes;
        turns.head = std::mem::replace(&mut hop.link, NONE);
        if turns.head == NONE {
            turns.tail = NONE
        }
        turns.line -= 1;
        self.set(row, hop);
        self.turns.set(station as usize, turns);
        if hop.waiting > 0 {
            self.line_up(station, row)
        }
        Some(Turn { takes, epoch: turns.epoch, report })
    }

    /// The chunk in turn has been served: its row, as it is now, and the row's number. The row is
    /// free again if it was the last, or the flow is broken off.
    #[inline]
    pub(super) fn served(&mut self, station: u32, acknowledge: u32) -> (Hop, u32, u32) {
        let row = self.turns[station as usize].serving;
        let mut hop = self.get(row);
        hop.left -= 1;
        let mut tell = 0;
        if hop.next == Next::End {
            hop.untold += 1;
            if hop.untold >= acknowledge || hop.left == 0 {
                tell = std::mem::take(&mut hop.untold)
            }
        }
        self.set(row, hop);
        (hop, row, tell)
    }

    /// A row is nobody's any more.
    pub(super) fn release(&mut self, row: u32) {
        let hop = self.get(row);
        if hop.open {
            self.index.discard(&(hop.flow, hop.hop));
            self.rows.update(row as usize, |hop| hop.open = false)
        }
        self.free.push(row)
    }

    /// A flow is broken off: its chunks in line are gone; one that is being served is let finish.
    /// O(flows in the ring).
    pub(super) fn close(&mut self, flow: FlowName, hop: u8) {
        let Some(row) = self.find(flow, hop) else { return };
        let station = self.get(row).station;
        if self.get(row).waiting > 0 {
            self.leave_ring(station, row)
        }
        if self.turns[station as usize].serving != row {
            return self.release(row);
        }
        self.index.discard(&(flow, hop));
        self.rows.update(row as usize, |hop| (hop.open, hop.waiting) = (false, 0))
    }

    fn leave_ring(&mut self, station: u32, row: u32) {
        let mut turns = self.turns[station as usize];
        let behind = self.get(row).link;
        if turns.head == row {
            turns.head = behind;
            if behind == NONE {
                turns.tail = NONE
            }
        } else {
            let mut before = turns.head;
            while self.get(before).link != row {
                before = self.get(before).link
            }
            self.rows.update(before as usize, |hop| hop.link = behind);
            if turns.tail == row {
                turns.tail = before
            }
        }
        turns.line -= 1;
        self.turns.set(station as usize, turns)
    }

    /// Nothing is here any more.
    pub(super) fn restart(&mut self) {
        self.rows.clear();
        self.free.clear();
        self.index.clear();
        (0..self.turns.len()).for_each(|i| self.turns.update(i, Turns::restart));
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

const _: () = assert!(size_of::<Hop>() <= 80 && size_of::<flow::FlowName>() == 8);
