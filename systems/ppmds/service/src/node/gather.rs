//! How long a batch waits for more messages, so that one flush serves them all.
//!
//! Clients answered by a flush send again while the next one runs. Without a wait two halves of the
//! clients alternate, and each flush serves one half.
use std::time::Duration;

#[derive(Debug, Default)]
pub struct Gather {
    /// Messages of the last two batches; 0: it needed no flush.
    last: [usize; 2],
    /// Duration of the last flush.
    flush: Duration,
}

impl Gather {
    /// Size up to which a batch grows, and its longest wait: a quarter of a flush.
    pub fn target(&self, clients: usize) -> (usize, Duration) {
        let [before, last] = self.last;
        ((before + last).min(clients), self.flush / 4)
    }

    /// Notes a batch; `flush`: the time of its flush, if it needed one.
    pub fn note(&mut self, messages: usize, flush: Option<Duration>) {
        self.last = [self.last[1], if flush.is_some() { messages } else { 0 }];
        self.flush = flush.unwrap_or(self.flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_become_one_batch_and_one_client_never_waits() {
        let (mut gather, flush) = (Gather::default(), Duration::from_millis(4));
        assert_eq!(gather.target(64).0, 0);
        gather.note(32, Some(flush));
        gather.note(32, Some(flush));
        assert_eq!(gather.target(64), (64, Duration::from_millis(1)));
        assert_eq!(gather.target(1).0, 1);
        gather.note(500, None);
        gather.note(500, None);
        assert_eq!(gather.target(64).0, 0, "reads do not wait")
    }
}
