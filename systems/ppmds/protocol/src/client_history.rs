//! A server's record of one client: which of its operations have ended.
use rewind::Value;

#[derive(Value, Default)]
pub(super) struct ClientHistory {
    acknowledged: u32,
    /// Ended operations from `acknowledged` on, each with its last attempt. `last` needs no heap,
    /// and mostly there is only one.
    last: Option<(u32, u64)>,
    more: Vec<(u32, u64)>,
}

impl ClientHistory {
    /// The client has the answers of all operations below this number.
    pub(super) fn acknowledged_below(&self) -> u32 {
        self.acknowledged
    }

    /// Forgets the operations below `oldest`.
    pub(super) fn acknowledge(&mut self, oldest: u32) {
        self.acknowledged = oldest;
        self.last = self.last.filter(|(number, _)| *number >= oldest);
        self.more.retain(|(number, _)| *number >= oldest)
    }

    /// The last attempt of an operation that has ended.
    pub(super) fn settled(&self, number: u32) -> Option<u64> {
        let mut all = self.last.iter().chain(&self.more);
        all.find(|(of, _)| *of == number).map(|(_, attempt)| *attempt)
    }

    pub(super) fn settle(&mut self, number: u32, attempt: u64) {
        let mut all = self.last.iter_mut().chain(&mut self.more);
        if let Some((_, last)) = all.find(|(of, _)| *of == number) {
            *last = attempt;
            return;
        }
        match self.last {
            None => self.last = Some((number, attempt)),
            Some(_) => self.more.push((number, attempt)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_is_a_table_of_numbers_that_are_forgotten_from_below() {
        let (mut history, mut all, mut seed) = (ClientHistory::default(), BTreeMap::new(), 3);
        for round in 0..2_000u32 {
            seed = crate::mixed(seed);
            let number = history.acknowledged_below() + (seed % 5) as u32;
            match round % 3 {
                0 => {
                    history.acknowledge(number);
                    all.retain(|of, _| *of >= number)
                }
                _ => {
                    history.settle(number, seed);
                    all.insert(number, seed);
                }
            }
            for of in history.acknowledged_below()..history.acknowledged_below() + 5 {
                assert_eq!(history.settled(of), all.get(&of).copied(), "round {round}")
            }
        }
    }
}
