//! Selects the next writes for the kernel and joins adjacent ones.
use std::collections::BTreeMap;
use std::os::fd::RawFd;

/// Requests a file has in the kernel. Further writes wait for one to end, and are then joined.
const BUSY: u32 = 8;
/// Longest request of several writes \[bytes\].
const MOST: usize = 512 << 10;

pub(super) struct Queue<W> {
    files: BTreeMap<RawFd, FileQueue<W>>,
    number: u64,
}

struct FileQueue<W> {
    /// By offset and number (for equal offsets), with lengths.
    waiting: BTreeMap<(u64, u64), (usize, W)>,
    /// Requests in the kernel.
    inside: u32,
}

/// Adjacent writes.
pub(super) struct JoinedWrite<W> {
    pub(super) file: RawFd,
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) writes: Vec<W>,
}

impl<W> Default for Queue<W> {
    fn default() -> Queue<W> {
        Queue { files: BTreeMap::new(), number: 0 }
    }
}

impl<W> Queue<W> {
    pub(super) fn push(&mut self, file: RawFd, (offset, length): (u64, usize), write: W) {
        let file_queue = self.files.entry(file);
        let file_queue =
            file_queue.or_insert_with(|| FileQueue { waiting: BTreeMap::new(), inside: 0 });
        file_queue.waiting.insert((offset, self.number), (length, write));
        self.number += 1
    }

    pub(super) fn next(&mut self) -> Option<JoinedWrite<W>> {
        let can_go = |(_, file_queue): &(&RawFd, &mut FileQueue<W>)| {
            file_queue.inside < BUSY && !file_queue.waiting.is_empty()
        };
        let (file, file_queue) = self.files.iter_mut().find(can_go)?;
        let ((offset, _), (length, first)) = file_queue.waiting.pop_first()?;
        let mut joined = JoinedWrite { file: *file, offset, length, writes: vec![first] };
        while let Some(next) = file_queue.waiting.first_entry()
            && next.key().0 == offset + joined.length as u64
            && joined.length + next.get().0 <= MOST
        {
            let (length, write) = next.remove();
            joined.length += length;
            joined.writes.push(write)
        }
        file_queue.inside += 1;
        Some(joined)
    }

    pub(super) fn ended(&mut self, file: RawFd) {
        let Some(file_queue) = self.files.get_mut(&file) else { return };
        file_queue.inside -= 1;
        if file_queue.inside == 0 && file_queue.waiting.is_empty() {
            self.files.remove(&file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_go_together_once_the_kernel_is_busy() {
        let mut queue = Queue::default();
        let mut went = Vec::new();
        for at in 0..40u64 {
            // Two in reverse order, and a gap.
            let at = [0, 2, 1, 3][at as usize % 4] + at / 4 * 4 + at / 28 * 100;
            queue.push(3, (at * 4096, 4096), at);
            went.extend(queue.next().map(|joined| joined.writes))
        }
        assert_eq!(went.len(), BUSY as usize, "one by one, as long as it is not busy");
        assert!(went.iter().all(|joined| joined.len() == 1) && queue.next().is_none());
        queue.push(4, (0, 4096), 0);
        assert_eq!(queue.next().map(|joined| joined.file), Some(4), "another file does not wait");
        queue.ended(3);
        let joined = queue.next().expect("there is room");
        assert_eq!((joined.offset, joined.length), (8 * 4096, 20 * 4096), "up to the hole");
        assert_eq!(joined.writes, (8..28).collect::<Vec<_>>(), "in their order");
        queue.ended(3);
        assert_eq!(queue.next().map(|joined| joined.writes.len()), Some(12));
    }

    #[test]
    fn no_request_is_endless_and_one_place_twice_is_two() {
        let mut queue = Queue::default();
        for at in 0..300 {
            queue.push(3, (at * 4096, 4096), at)
        }
        queue.push(3, (0, 4096), 300);
        assert_eq!(queue.next().map(|joined| joined.writes), Some(vec![0]));
        let joined = queue.next().expect("there is room");
        assert_eq!((joined.offset, joined.length, joined.writes.len()), (0, MOST, 128));
        assert_eq!(joined.writes[..2], [300, 1]);
    }
}
