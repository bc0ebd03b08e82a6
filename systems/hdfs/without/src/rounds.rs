//! Replay with the pacing of HDFS: NameNode rounds choose copies (`RedundancyMonitor`), heartbeats
//! hand them to the sources (`DatanodeManager.handleHeartbeat`).
use super::{
    ReplayResult,
    agenda::{Agenda, after},
    copies::{Block, CopyIndex, Place},
    limits::RemainingLimits,
    network::Network,
    queue::Queue,
};
use hardware::Resources;
use hdfs_scenario::Pacing;
use std::collections::VecDeque;
use units::Nanos;

enum NextEvent {
    /// This block becomes under-replicated.
    Short(usize),
    Round,
    /// The node has copies waiting and a free stream.
    Heartbeat(usize),
    Start(CopyIndex),
}

#[derive(Default, Clone)]
struct Source {
    /// Copies chosen, not yet handed out.
    waiting: VecDeque<CopyIndex>,
    sending: u32,
    /// Time of any one heartbeat: gives the phase of all.
    last_heartbeat: Nanos,
    /// A heartbeat is scheduled.
    is_due: bool,
}

struct Replay<'a> {
    blocks: &'a [Block],
    limits: &'a RemainingLimits,
    network: Network<'a>,
    queue: Queue,
    sources: Vec<Source>,
    /// Sources of each block's copies chosen so far.
    chosen: Vec<Vec<Place>>,
    forced: Vec<bool>,
    agenda: Agenda<NextEvent>,
    /// Time of any one round: gives the phase of all.
    round: Nanos,
    /// A round is scheduled.
    is_due: bool,
    now: Nanos,
    end: Nanos,
}

pub fn replay(blocks: &[Block], resources: &Resources, left: &RemainingLimits) -> ReplayResult {
    let mut sources = vec![Source::default(); resources.nodes() as usize];
    let copies = || blocks.iter().flat_map(|block| &block.copies);
    copies().for_each(|copy| sources[copy.source.0.at()].last_heartbeat = copy.fetched);
    let mut replay = Replay {
        blocks,
        limits: left,
        network: Network::new(resources, left),
        queue: Queue::default(),
        sources,
        chosen: vec![Vec::new(); blocks.len()],
        forced: vec![false; blocks.len()],
        agenda: Agenda::new(),
        round: copies().map(|copy| copy.decided).min().unwrap_or_default(),
        is_due: false,
        now: Nanos::ZERO,
        end: Nanos::ZERO,
    };
    blocks
        .iter()
        .enumerate()
        .for_each(|(b, block)| replay.agenda.put(block.short, NextEvent::Short(b)));
    replay.run();
    ReplayResult { end: replay.end, forced: replay.forced }
}

impl Replay<'_> {
    fn run(&mut self) {
        while let Some(now) = [self.network.next(), self.agenda.next()].into_iter().flatten().min()
        {
            self.now = now;
            while let Some(which) = self.network.pop_ended(now) {
                self.sent(which)
            }
            while let Some(next) = self.agenda.take(now) {
                self.handle(next)
            }
        }
    }

    fn handle(&mut self, next: NextEvent) {
        match next {
            NextEvent::Short(b) => {
                self.queue.put(self.blocks[b].level, b);
                self.expect_round()
            }
            NextEvent::Round => self.round(),
            NextEvent::Heartbeat(node) => self.heartbeat(node),
            NextEvent::Start((b, c)) => {
                self.network.start(self.now, (b, c), self.chosen[b][c], &self.blocks[b])
            }
        }
    }

    fn expect_round(&mut self) {
        if !self.is_due && self.queue.len() > 0 {
            self.is_due = true;
            let at = after(self.now, self.round, self.limits.hdfs.redundancy_interval);
            self.agenda.put(at, NextEvent::Round)
        }
    }

    fn round(&mut self) {
        let quota = u64::from(self.limits.live) * u64::from(self.limits.hdfs.work_multiplier);
        let quota = usize::try_from(quota).unwrap_or(usize::MAX);
        let all = self.queue.len();
        let chosen = match self.limits.pacing {
            Pacing::Hdfs1 => self.queue.choose_wrapping(quota),
            _ => self.queue.choose(quota),
        };
        let is_all = chosen.len() == all;
        let mut any = false;
        for (level, b) in chosen {
            any |= self.turn(level, b)
        }
        self.is_due = false;
        // If no block of the whole queue found a source, only a heartbeat or a finished copy frees
        // one.
        if any || !is_all {
            self.expect_round()
        }
    }

    /// Chooses the next copy of a block; false if no holder is below its limit.
    fn turn(&mut self, level: usize, b: usize) -> bool {
        let Some(source) = self.source(level, b) else { return false };
        let (block, limit) = (&self.blocks[b], self.limit(level));
        let is_full = |place: &Place| self.sources[place.0.at()].waiting.len() >= limit;
        self.forced[b] = block.holders.iter().any(is_full);
        let (c, node) = (self.chosen[b].len(), source.0.at());
        self.chosen[b].push(source);
        self.sources[node].waiting.push_back((b, c));
        if c + 1 == block.copies.len() {
            self.queue.remove(level, b)
        }
        self.expect_heartbeat(node);
        true
    }

    /// Most copies waiting at one source.
    fn limit(&self, level: usize) -> usize {
        let h = &self.limits.hdfs;
        match (self.limits.pacing, level) {
            (Pacing::Hdfs1, _) => h.max_streams as usize,
            (_, 0) => h.max_streams_hard_limit as usize,
            _ => h.max_streams.min(h.max_streams_hard_limit) as usize,
        }
    }

    /// The first candidate below its limit: the source in the trace, then the other holders.
    fn source(&self, level: usize, b: usize) -> Option<Place> {
        let limit = self.limit(level);
        let is_ready = |place: &Place| self.sources[place.0.at()].waiting.len() < limit;
        self.blocks[b].sources(self.chosen[b].len(), b, self.limits).find(is_ready)
    }

    fn expect_heartbeat(&mut self, node: usize) {
        let source = &mut self.sources[node];
        let is_full = source.sending >= self.limits.hdfs.max_streams;
        if source.is_due || source.waiting.is_empty() || is_full {
            return;
        }
        source.is_due = true;
        let at = after(self.now, source.last_heartbeat, self.limits.hdfs.heartbeat_interval);
        self.agenda.put(at, NextEvent::Heartbeat(node))
    }

    fn heartbeat(&mut self, node: usize) {
        self.sources[node].is_due = false;
        while self.sources[node].sending < self.limits.hdfs.max_streams {
            let Some((b, c)) = self.sources[node].waiting.pop_front() else { break };
            self.sources[node].sending += 1;
            let copy = &self.blocks[b].copies[c];
            self.agenda.put(self.now + (copy.started - copy.fetched), NextEvent::Start((b, c)))
        }
        self.expect_heartbeat(node);
        self.expect_round()
    }

    fn sent(&mut self, (b, c): CopyIndex) {
        let copy = &self.blocks[b].copies[c];
        let node = self.chosen[b][c].0.at();
        self.end = self.end.max(self.now + (copy.known - copy.ended));
        self.sources[node].sending -= 1;
        self.expect_heartbeat(node)
    }
}
