//! The servers of a directory, in order.
use rewind::Value;

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::form::ServersForm"))]
pub enum Servers {
    /// `count` consecutive servers from `first` on, modulo `of`: the default of new directories,
    /// without a heap allocation.
    Run {
        first: u32,
        count: u32,
        /// The number of servers of the service.
        of: u32,
    },
    Named(Vec<u32>),
}

impl From<Vec<u32>> for Servers {
    fn from(all: Vec<u32>) -> Servers {
        Servers::Named(all)
    }
}

impl Servers {
    pub fn len(&self) -> u32 {
        match self {
            Servers::Run { count, .. } => *count,
            Servers::Named(all) => u32::try_from(all.len()).expect("numbered by 32 bits"),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The server at a place; places beyond the end name the last server.
    ///
    /// # Panics
    /// Without servers.
    #[inline]
    pub fn at(&self, place: u32) -> u32 {
        match self {
            Servers::Run { first, count, of } => {
                // The sum cannot overflow: there are fewer than 2^31 servers.
                let at = first + place.min(count - 1);
                if at < *of { at } else { at % of }
            }
            Servers::Named(all) => all[(place as usize).min(all.len() - 1)],
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).map(|place| self.at(place))
    }

    pub fn contains(&self, server: u32) -> bool {
        self.iter().any(|one| one == server)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_round() {
        let run = Servers::Run { first: 3, count: 4, of: 5 };
        assert_eq!(run.iter().collect::<Vec<_>>(), [3, 4, 0, 1]);
        assert_eq!((run.at(9), run.contains(2), run.contains(0)), (1, false, true));
        assert_eq!(Servers::from(vec![7, 2]).iter().collect::<Vec<_>>(), [7, 2])
    }
}
