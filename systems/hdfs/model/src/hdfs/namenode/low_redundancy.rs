//! Blocks at risk by priority (`LowRedundancyBlocks`): queues in the order of insertion, each with
//! a bookmark that persists between rounds.
use cluster::BlockIndex;
use engine::{Rewind, Table};
use units::u32_of;

/// One replica left: taken first, and beyond the soft limit.
pub const HIGHEST: u8 = 0;
pub const VERY_LOW: u8 = 1;
pub const LOW: u8 = 2;
/// Enough replicas, too few racks.
pub const BADLY_DISTRIBUTED: u8 = 3;
/// No live replica: cannot be repaired.
pub const CORRUPT: u8 = 4;
const LEVELS: u8 = 5;

/// Level, and place in it: the policy's urgency in the upper bits, then the order of insertion.
pub type Place = (u8, u64);

#[derive(Rewind, Default)]
pub struct LowRedundancyBlocks {
    order: Table<Place, BlockIndex>,
    place: Table<BlockIndex, Place>,
    /// By level: the first place not yet taken.
    bookmark: [u64; LEVELS as usize],
    count: [u32; LEVELS as usize],
    added: u64,
    calls: u32,
}

/// `LowRedundancyBlocks.getPriority` of a replicated block. `readable` counts replicas on leaving
/// nodes.
pub fn level(live: usize, readable: usize, expected: usize) -> u8 {
    match live {
        _ if live >= expected => BADLY_DISTRIBUTED,
        0 if readable > 0 => HIGHEST,
        0 => CORRUPT,
        1 => HIGHEST,
        _ if live * 3 < expected => VERY_LOW,
        _ => LOW,
    }
}

/// `LowRedundancyBlocks.getPriorityStriped`: by internal blocks in service above the number of data
/// blocks. `out_of_service` counts the others with a holder.
pub fn group_level(
    live: usize,
    out_of_service: usize,
    data: usize,
    parity: usize,
    wanted: usize,
) -> u8 {
    match live {
        _ if live >= wanted => BADLY_DISTRIBUTED,
        _ if live + out_of_service < data => CORRUPT,
        _ if live <= data => HIGHEST,
        _ if (live - data) * 3 < parity + 1 => VERY_LOW,
        _ => LOW,
    }
}

impl LowRedundancyBlocks {
    pub fn len(&self) -> u32 {
        u32_of(self.order.len())
    }

    pub fn len_of(&self, level: u8) -> u32 {
        self.count[level as usize]
    }

    pub fn contains(&self, block: BlockIndex) -> bool {
        self.place.contains(&block)
    }

    /// Smaller places are taken first.
    pub fn place_of(&self, block: BlockIndex) -> Option<Place> {
        self.place.get(&block).copied()
    }

    /// Puts a block at the end of its queue; moves it if its level has changed.
    pub fn put(&mut self, block: BlockIndex, level: u8, urgency: u8) {
        if let Some(&(at, _)) = self.place.get(&block) {
            if at == level {
                return;
            }
            self.remove(block);
        }
        self.added += 1;
        let place = (level, (urgency as u64) << 56 | self.added);
        self.order.insert(place, block);
        self.place.insert(block, place);
        self.count[level as usize] += 1;
        // `LightWeightLinkedSet.addElem`: a bookmark at the end points to the next insertion. One
        // further on does not move back for more urgent blocks.
    }

    /// False if the block was not queued.
    pub fn remove(&mut self, block: BlockIndex) -> bool {
        let Some(&place) = self.place.get(&block) else { return false };
        self.place.discard(&block);
        self.count[place.0 as usize] -= 1;
        self.order.discard(&place)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u8, BlockIndex)> {
        self.order.iter().map(|(&(level, _), &block)| (level, block))
    }

    /// `chooseLowRedundancyBlocks` of 3.x: up to `quota` blocks from the bookmarks on, level by
    /// level. A round that reaches the end takes only what is left and resets the bookmarks.
    pub fn choose(&mut self, quota: u32, restart_after: u32) -> Vec<(u8, BlockIndex)> {
        let mut chosen = vec![];
        let mut level = 0;
        while level < LEVELS && u32_of(chosen.len()) < quota {
            if level != CORRUPT {
                self.take_from(level, quota, &mut chosen)
            }
            level += 1;
        }
        let restart = self.is_restart(restart_after);
        if level == LEVELS || restart {
            self.bookmark = [0; LEVELS as usize]
        }
        chosen
    }

    /// Counts calls; the one after `after` calls resets the bookmarks and the count, whether or not
    /// they were reset meanwhile (`computeBlockReconstructionWork`).
    fn is_restart(&mut self, after: u32) -> bool {
        let restart = after > 0 && self.calls >= after;
        self.calls = if restart { 0 } else { self.calls + 1 };
        restart
    }

    fn take_from(&mut self, level: u8, quota: u32, chosen: &mut Vec<(u8, BlockIndex)>) {
        let from = (level, self.bookmark[level as usize]);
        let room = quota as usize - chosen.len();
        let mut next = from.1;
        for (&(_, place), &block) in self.order.range(from..(level + 1, 0)).take(room) {
            chosen.push((level, block));
            next = place + 1
        }
        self.bookmark[level as usize] = next
    }

    /// `chooseUnderReplicatedBlocks` of 1.x: up to `quota` blocks from one cursor over all queues,
    /// which wraps in the same round.
    pub fn choose_wrapping(&mut self, quota: u32) -> Vec<(u8, BlockIndex)> {
        let quota = quota.min(self.len() - self.len_of(CORRUPT)) as usize;
        // The cursor: its level, and its place there.
        let from = (units::narrow::<u8>(self.bookmark[0]), self.bookmark[1]);
        let to = (CORRUPT, 0);
        let behind = self.order.range(from..to);
        let before = self.order.range((0, 0)..from);
        let chosen: Vec<_> = behind.chain(before).take(quota).map(|(&p, &b)| (p, b)).collect();
        if let Some(&((level, place), _)) = chosen.last() {
            (self.bookmark[0], self.bookmark[1]) = (level as u64, place + 1)
        }
        chosen.into_iter().map(|((level, _), block)| (level, block)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_of_a_block_of_many_replicas() {
        let levels = [(1, 512), (85, 512), (86, 255), (170, 512), (171, 512), (512, 512)];
        let levels = levels.map(|(live, expected)| level(live, live, expected));
        assert_eq!(levels, [HIGHEST, VERY_LOW, LOW, VERY_LOW, LOW, BADLY_DISTRIBUTED]);
    }

    /// (live, out of service) of groups, by the rule of `getPriorityStriped`.
    #[test]
    fn the_queue_of_a_group_is_how_many_it_can_still_lose() {
        let levels = |data, parity, all: &[(usize, usize)]| -> Vec<u8> {
            let wanted = data + parity;
            all.iter().map(|&(live, out)| group_level(live, out, data, parity, wanted)).collect()
        };
        let six = levels(6, 3, &[(9, 0), (8, 1), (8, 0), (7, 0), (6, 0), (5, 1), (5, 0)]);
        assert_eq!(six, [BADLY_DISTRIBUTED, LOW, LOW, VERY_LOW, HIGHEST, HIGHEST, CORRUPT]);
        let ten = levels(10, 4, &[(13, 0), (12, 0), (11, 0), (10, 0), (9, 0)]);
        assert_eq!(ten, [LOW, LOW, VERY_LOW, HIGHEST, CORRUPT]);
        assert_eq!(levels(2, 1, &[(2, 0), (1, 2), (1, 0)]), [HIGHEST, HIGHEST, CORRUPT]);
    }
}
