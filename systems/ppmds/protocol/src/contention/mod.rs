//! Contention managers: what a transaction does about another that locks a row it wants. Each
//! aborts the other eventually, so that no transaction waits for a dead one.
mod karma;
mod polite;
mod timestamp;
use super::message::Meta;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Retry after this many [`Options::wait`](super::Options::wait).
    Wait(u32),
    Abort,
}

pub trait Contention: Sync + Send {
    fn name(&self) -> &'static str;
    /// Text of its page: what it decides, when it helps, what it costs, reference.
    fn doc(&self) -> &'static str;
    /// What `mine` does after `times` earlier conflicts in a row; `other` holds the row.
    fn decide(&self, mine: &Meta, other: &Meta, times: u32) -> Advice;
}

pub static ALL: [&dyn Contention; 3] = [&polite::Polite, &timestamp::Timestamp, &karma::Karma];

#[cfg(test)]
mod tests {
    use super::super::message::TxId;
    use super::*;

    fn meta(client: u32, began: u64, opened: u32) -> Meta {
        let id = TxId { client, number: 0, attempt: 0 };
        Meta { id, home: 0, began, opened, oldest: 0 }
    }

    // A bounded number of waits leads to an abort, whatever the other transaction is.
    #[test]
    fn nobody_waits_for_ever() {
        for policy in ALL {
            for other in [meta(2, 0, 900), meta(2, 9, 0), meta(2, 5, 5)] {
                let decides = |times| policy.decide(&meta(1, 5, 5), &other, times);
                let last = (0..1_000).find(|times| decides(*times) == Advice::Abort);
                assert!(last.is_some_and(|last| last < 1_000), "{}", policy.name())
            }
        }
    }

    #[test]
    fn each_has_an_order_of_its_own() {
        let (old, young) = (meta(1, 3, 1), meta(2, 7, 9));
        let [polite, timestamp, karma] = ALL;
        assert_eq!(polite.decide(&old, &young, 2), Advice::Wait(4));
        assert_eq!(timestamp.decide(&old, &young, 0), Advice::Abort);
        assert_eq!(timestamp.decide(&young, &old, 0), Advice::Wait(1));
        assert_eq!(karma.decide(&old, &young, 0), Advice::Wait(1));
        assert_eq!(karma.decide(&young, &old, 0), Advice::Abort);
    }
}
