//! Blocks that wait for replication, by priority (`LowRedundancyBlocks`). Hadoop 3 keeps a bookmark
//! in each queue and resets them at the end of the last; Hadoop 1 keeps one bookmark for all.
use std::collections::BTreeSet;

/// Priority queues; 0 holds blocks with one replica left.
const LEVELS: usize = 4;

#[derive(Default)]
pub struct Queue {
    all: BTreeSet<(usize, usize)>,
    bookmark: [usize; LEVELS],
}

impl Queue {
    pub fn put(&mut self, level: usize, block: usize) {
        self.all.insert((level, block));
    }

    pub fn remove(&mut self, level: usize, block: usize) {
        self.all.remove(&(level, block));
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// `chooseLowRedundancyBlocks` of Hadoop 3.
    pub fn choose(&mut self, quota: usize) -> Vec<(usize, usize)> {
        let mut chosen = Vec::new();
        for level in 0..LEVELS {
            if chosen.len() == quota {
                return chosen;
            }
            let (from, room) = ((level, self.bookmark[level]), quota - chosen.len());
            chosen.extend(self.all.range(from..(level + 1, 0)).take(room));
            if let Some((_, last)) = chosen.last().filter(|(of, _)| *of == level) {
                self.bookmark[level] = last + 1
            }
        }
        self.bookmark = [0; LEVELS];
        chosen
    }

    /// `chooseUnderReplicatedBlocks` of Hadoop 1.
    pub fn choose_wrapping(&mut self, quota: usize) -> Vec<(usize, usize)> {
        let from = (self.bookmark[0], self.bookmark[1]);
        let round = self.all.range(from..).chain(self.all.range(..from));
        let chosen: Vec<(usize, usize)> = round.take(quota).copied().collect();
        if let Some((level, block)) = chosen.last() {
            (self.bookmark[0], self.bookmark[1]) = (*level, block + 1)
        }
        chosen
    }
}

/// Priority of a replicated block (`getPriority`).
pub fn level(live: usize, expected: usize) -> usize {
    match live {
        _ if live >= expected => 3,
        0 | 1 => 0,
        _ if live * 3 < expected => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_reaches_the_end_takes_only_what_is_left() {
        let mut queue = Queue::default();
        (0..5).for_each(|block| queue.put(2, block));
        queue.put(0, 9);
        let places =
            |chosen: Vec<(usize, usize)>| chosen.into_iter().map(|c| c.1).collect::<Vec<_>>();
        assert_eq!(places(queue.choose(4)), [9, 0, 1, 2]);
        queue.remove(0, 9);
        assert_eq!(places(queue.choose(4)), [3, 4]);
        assert_eq!(places(queue.choose(4)), [0, 1, 2, 3]);
        let mut one = Queue::default();
        (0..3).for_each(|block| one.put(2, block));
        assert_eq!(
            (places(one.choose_wrapping(2)), places(one.choose_wrapping(2))),
            (vec![0, 1], vec![2, 0])
        );
    }
}
