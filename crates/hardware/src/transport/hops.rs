//! Queue sharing: the rows of flows at the resources of one LP, and their rings.
use super::{
    FlowName,
    hop::{ForwardStep, Hop, Next, TouchedRows, TransferSize},
    ports::Ports,
    turns::{DueEvent, NONE, Turns},
};
use crate::{Capacity, ResourceId};
use engine::{Array, Nanos, Rewind, Table, prefetch};

/// State of each flow at each resource of an LP.
#[derive(Rewind)]
#[repr(C)]
pub(super) struct Hops {
    // Fields that every chunk reads come first.
    turns: Array<Turns>,
    rows: Array<Hop>,
    chunk: u32,
    epoch: u32,
    wholes: Array<TransferSize>,
    free: Array<u32>,
    index: Table<(FlowName, u8), u32>,
    /// By slowed resource: its capacity.
    slowed: Table<u32, Capacity>,
}

pub(super) enum JoinResult {
    /// An event for its turn is scheduled already.
    Waits,
    /// The resource is busy for this time, and no event is scheduled for the end.
    First(u32, Nanos, TouchedRows),
    Idle(u32),
}

pub(super) struct Turn {
    pub(super) takes: Nanos,
    pub(super) onward: ForwardStep,
    pub(super) touched: TouchedRows,
    /// An event is needed at its end.
    pub(super) is_due: bool,
    /// Start and busy time of a report that is due.
    pub(super) report: Option<(Nanos, Nanos)>,
}

impl Hops {
    pub(super) fn new(ports: &Ports, place: u32) -> Hops {
        let turns = |&id: &ResourceId| Turns::new(ports.class_of(id));
        Hops {
            turns: ports.owned(place).iter().map(turns).collect(),
            rows: Array::new(),
            chunk: u32::try_from(ports.settings.chunk.0).expect("a chunk below 4 GiB"),
            epoch: 0,
            wholes: Array::new(),
            free: Array::new(),
            index: Table::new(),
            slowed: Table::new(),
        }
    }

    pub(super) fn add(&mut self, hop: Hop, whole: TransferSize) -> u32 {
        let row = self.free.pop().unwrap_or(units::u32_of(self.rows.len()));
        if row as usize == self.rows.len() {
            self.rows.push(hop);
            self.wholes.push(whole)
        } else {
            self.rows.set(row as usize, hop);
            self.wholes.set(row as usize, whole)
        }
        let new = self.index.insert((hop.flow, hop.hop), row);
        assert!(new, "the tag of {:?} is used twice", hop.flow);
        row
    }

    pub(super) fn whole(&self, row: u32) -> TransferSize {
        self.wholes[row as usize]
    }

    #[inline]
    pub(super) fn epoch(&self) -> u32 {
        self.epoch
    }

    /// `None` if the flow was cut, or has passed this hop.
    #[inline]
    pub(super) fn find(&self, flow: FlowName, hop: u8) -> Option<u32> {
        self.index.get(&(flow, hop)).copied()
    }

    /// As [`find`](Hops::find), but tries the probable row first.
    #[inline]
    pub(super) fn find_at(&self, row: u32, flow: FlowName, hop: u8) -> Option<u32> {
        match self.rows.get(row as usize) {
            Some(known) if known.open && (known.flow, known.hop) == (flow, hop) => Some(row),
            _ => self.find(flow, hop),
        }
    }

    /// Sets the row that chunks of this hop have at the next LP.
    pub(super) fn label(&mut self, flow: FlowName, hop: u8, there: u32) {
        if let Some(row) = self.find(flow, hop) {
            self.rows.update(row as usize, |hop| {
                if let Next::Place(_, row) = &mut hop.next {
                    *row = there
                }
            })
        }
    }

    /// Flows with hops left to pass here, and the LPs of their sources.
    pub(super) fn flows(&self) -> Vec<(FlowName, u32)> {
        let flow = |((flow, _), &row): (&(FlowName, u8), &u32)| (*flow, self.whole(row).source);
        let mut flows: Vec<(FlowName, u32)> = self.index.iter().map(flow).collect();
        flows.dedup();
        flows
    }

    /// Prefetches what the end of a turn reads; in a second step, the first waiting row.
    #[inline(always)]
    pub(super) fn foresee_turn(&self, station: u32, touched: &TouchedRows, step: u32) {
        let TouchedRows { row, next_row, next_station } = *touched;
        match (step, self.turns.get(station as usize)) {
            (0, _) => {
                prefetch(&self.turns, station as usize);
                prefetch(&self.turns, next_station as usize);
                prefetch(&self.rows, row as usize);
                prefetch(&self.rows, next_row as usize)
            }
            (1, Some(turns)) if turns.head != NONE => prefetch(&self.rows, turns.head as usize),
            _ => {}
        }
    }

    /// Prefetches for a chunk from another LP. It arrives at one of the first two resources: a NIC
    /// or an uplink.
    #[inline(always)]
    pub(super) fn foresee_chunk(&self, row: u32, step: u32) {
        match (step, self.rows.get(row as usize)) {
            (0, _) => {
                prefetch(&self.turns, 0);
                prefetch(&self.turns, 1);
                prefetch(&self.rows, row as usize)
            }
            (1, Some(hop)) => match self.turns.get(hop.station as usize) {
                Some(turns) if turns.tail != NONE => prefetch(&self.rows, turns.tail as usize),
                _ => {}
            },
            _ => {}
        }
    }

    #[inline]
    pub(super) fn join(&mut self, row: u32, chunks: u32, now: Nanos) -> JoinResult {
        let (is_new, station, touched) = self.rows.update(row as usize, |hop| {
            let is_new = hop.waiting == 0;
            hop.wait(now, hop.waiting + chunks);
            (is_new, hop.station, hop.touched(row))
        });
        if !is_new {
            return JoinResult::Waits;
        }
        let (before, joined) = self.turns.update(station as usize, |turns| {
            let before = turns.line_up(row);
            let joined = match turns.due {
                DueEvent::Nothing if turns.until > now => {
                    turns.due = DueEvent::Turn;
                    JoinResult::First(station, turns.until - now, touched)
                }
                DueEvent::Nothing => JoinResult::Idle(station),
                DueEvent::Turn | DueEvent::Row => JoinResult::Waits,
            };
            (before, joined)
        });
        self.link(before, row);
        joined
    }

    /// Links a row behind another; no-op for [`NONE`].
    #[inline]
    fn link(&mut self, before: u32, row: u32) {
        if before != NONE {
            self.rows.update(before as usize, |hop| hop.link = row)
        }
    }

    /// Serves the next row of the ring; `None` if the ring is empty.
    #[inline]
    pub(super) fn serve(&mut self, station: u32, now: Nanos, ports: (&Ports, u32)) -> Option<Turn> {
        let mut turns = self.turns[station as usize];
        let row = turns.head;
        if row == NONE {
            turns.due = DueEvent::Nothing;
            self.turns.set(station as usize, turns);
            return None;
        }
        let mut hop = self.rows[row as usize];
        let report = turns.report(now);
        let (takes, onward) = self.take_turn((station, row), (&mut turns, &mut hop), now, ports);
        turns.leave(std::mem::replace(&mut hop.link, NONE));
        let before = if hop.waiting > 0 { turns.line_up(row) } else { NONE };
        turns.due = match onward {
            ForwardStep::Later => DueEvent::Row,
            _ if turns.line > 0 => DueEvent::Turn,
            _ => DueEvent::Nothing,
        };
        let is_due = turns.due != DueEvent::Nothing;
        self.rows.set(row as usize, hop);
        self.turns.set(station as usize, turns);
        self.link(before, row);
        Some(Turn { takes, onward, touched: hop.touched(row), is_due, report })
    }

    #[inline]
    fn take_turn(
        &self,
        (station, row): (u32, u32),
        (turns, hop): (&mut Turns, &mut Hop),
        now: Nanos,
        (ports, me): (&Ports, u32),
    ) -> (Nanos, ForwardStep) {
        hop.wait(now, hop.waiting - 1);
        hop.left -= 1;
        let bytes = if hop.left == 0 { self.whole(row).last_bytes } else { self.chunk };
        let takes = match turns.is_slowed {
            false => turns.serve(row, bytes, ports.class(turns.class)),
            true => turns.serve(row, bytes, self.slowed.get(&station).expect("it is slowed")),
        };
        turns.until = now + takes;
        (takes, hop.serve(takes, || self.whole(row).source, me))
    }

    /// Ends a turn. Returns its row and the row's number; for the last hop also the number of
    /// chunks to acknowledge. `None` if the chunk was sent already.
    #[inline]
    pub(super) fn served(&mut self, station: u32) -> Option<(Hop, u32, u32)> {
        let turns = &self.turns[station as usize];
        if turns.due != DueEvent::Row {
            return None;
        }
        let row = turns.last;
        let mut hop = self.rows[row as usize];
        let mut through = 0;
        if let Next::End(untold) = &mut hop.next {
            through = std::mem::take(untold) + 1;
            self.rows.set(row as usize, hop)
        }
        Some((hop, row, through))
    }

    pub(super) fn release(&mut self, row: u32) {
        let Hop { flow, hop, open, .. } = self.rows[row as usize];
        if open {
            self.index.discard(&(flow, hop));
            self.rows.update(row as usize, |hop| hop.open = false)
        }
        self.free.push(row)
    }

    /// Cuts a flow: drops its waiting chunks; one in service finishes. O(flows in the ring).
    pub(super) fn close(&mut self, flow: FlowName, hop: u8) {
        let Some(row) = self.find(flow, hop) else { return };
        let Hop { station, waiting, .. } = self.rows[row as usize];
        if waiting > 0 {
            self.leave_ring(station, row)
        }
        let turns = &self.turns[station as usize];
        if turns.due != DueEvent::Row || turns.last != row {
            return self.release(row);
        }
        self.index.discard(&(flow, hop));
        self.rows.update(row as usize, |hop| (hop.open, hop.waiting) = (false, 0))
    }

    fn leave_ring(&mut self, station: u32, row: u32) {
        let mut turns = self.turns[station as usize];
        let behind = self.rows[row as usize].link;
        if turns.head == row {
            turns.leave(behind)
        } else {
            let mut before = turns.head;
            while self.rows[before as usize].link != row {
                before = self.rows[before as usize].link
            }
            self.rows.update(before as usize, |hop| hop.link = behind);
            if turns.tail == row {
                turns.tail = before
            }
            turns.line -= 1
        }
        self.turns.set(station as usize, turns)
    }

    /// Sets another capacity from the next turn on.
    pub(super) fn slow(&mut self, station: u32, capacity: Capacity) {
        self.slowed.discard(&station);
        self.slowed.insert(station, capacity);
        self.turns.update(station as usize, Turns::slow)
    }

    /// By resource: start and busy time not reported yet.
    pub(super) fn unreported(&self) -> impl Iterator<Item = (u32, Nanos, Nanos)> {
        let worked = (0..).zip(self.turns.iter()).filter(|(_, turns)| turns.busy > Nanos::ZERO);
        worked.map(|(station, turns)| (station, turns.since, turns.busy))
    }

    /// Drops all flows; scheduled events become void.
    pub(super) fn restart(&mut self) {
        self.rows.clear();
        self.wholes.clear();
        self.free.clear();
        self.index.clear();
        self.epoch += 1;
        (0..self.turns.len()).for_each(|i| self.turns.update(i, Turns::restart));
    }
}
