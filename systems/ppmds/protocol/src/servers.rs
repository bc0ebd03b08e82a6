//! Servers of a directory, each meant by its place.
use rewind::Value;

/// Which servers, in their order.
#[derive(Value, Eq)]
pub enum Servers {
    /// So many from one on, in a circle of so many: as new directories lie. It needs no memory of
    /// its own.
    Run {
        /// The first.
        first: u32,
        count: u32,
        /// Of so many, numbered from 0.
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The server in a place; behind the last, the last.
    ///
    /// # Panics
    /// Without servers.
    #[inline]
    pub fn at(&self, place: u32) -> u32 {
        match self {
            Servers::Run { first, count, of } => {
                // Both are less than 2^31, as many servers as there can be.
                let at = first + place.min(count - 1);
                if at < *of { at } else { at % of }
            }
            Servers::Named(all) => all[(place as usize).min(all.len() - 1)],
        }
    }

    /// All, in their order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).map(|place| self.at(place))
    }

    /// Whether a server is one of them.
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
