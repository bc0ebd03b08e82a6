//! Replay without rounds and heartbeats: a source starts its next copy when a stream becomes free.
use super::{
    ReplayResult,
    agenda::Agenda,
    copies::{Block, CopyIndex, Place},
    limits::RemainingLimits,
    network::Network,
};
use hardware::Resources;
use units::Nanos;

struct Replay<'a> {
    blocks: &'a [Block],
    limits: &'a RemainingLimits,
    network: Network<'a>,
    /// Streams in use, per node.
    sending: Vec<u32>,
    /// Blocks each node holds that still need copies, in queue order.
    lines: Vec<Vec<usize>>,
    /// Sources of each block's copies chosen so far.
    chosen: Vec<Vec<Place>>,
    forced: Vec<bool>,
    starts: Agenda<CopyIndex>,
    now: Nanos,
    end: Nanos,
}

pub fn replay(blocks: &[Block], resources: &Resources, left: &RemainingLimits) -> ReplayResult {
    let nodes = resources.nodes() as usize;
    let mut lines = vec![Vec::new(); nodes];
    for (b, block) in blocks.iter().enumerate() {
        block.holders.iter().for_each(|place| lines[place.0.at()].push(b))
    }
    let mut replay = Replay {
        blocks,
        limits: left,
        network: Network::new(resources, left),
        sending: vec![0; nodes],
        lines,
        chosen: vec![Vec::new(); blocks.len()],
        forced: vec![false; blocks.len()],
        starts: Agenda::new(),
        now: blocks.iter().map(|block| block.short).min().unwrap_or_default(),
        end: Nanos::ZERO,
    };
    (0..blocks.len()).for_each(|b| replay.choose(b));
    replay.run();
    ReplayResult { end: replay.end, forced: replay.forced }
}

impl Replay<'_> {
    fn run(&mut self) {
        while let Some(now) = [self.network.next(), self.starts.next()].into_iter().flatten().min()
        {
            self.now = now;
            while let Some(which) = self.network.pop_ended(now) {
                self.sent(which)
            }
            while let Some((b, c)) = self.starts.take(now) {
                self.network.start(now, (b, c), self.chosen[b][c], &self.blocks[b])
            }
        }
    }

    fn choose(&mut self, b: usize) {
        let (block, c) = (&self.blocks[b], self.chosen[b].len());
        let Some(copy) = block.copies.get(c) else { return };
        let has_stream = |place: &Place| self.sending[place.0.at()] < self.limits.streams;
        let Some(source) = block.sources(c, b, self.limits).find(has_stream) else { return };
        self.forced[b] = !block.holders.iter().all(has_stream);
        self.chosen[b].push(source);
        self.sending[source.0.at()] += 1;
        self.starts.put(self.now + (copy.started - copy.decided), (b, c))
    }

    fn sent(&mut self, (b, c): CopyIndex) {
        let copy = &self.blocks[b].copies[c];
        let node = self.chosen[b][c].0.at();
        self.end = self.end.max(self.now + (copy.known - copy.ended));
        self.sending[node] -= 1;
        let mut line = std::mem::take(&mut self.lines[node]);
        for &b in &line {
            if self.sending[node] >= self.limits.streams {
                break;
            }
            self.choose(b)
        }
        line.retain(|&b| self.chosen[b].len() < self.blocks[b].copies.len());
        self.lines[node] = line
    }
}
