//! Elections.
use super::{Ask, NOBODY, Replica, Role, Vote};

impl Replica {
    /// Has heard of no leader for too long: asks for votes in the next term.
    pub fn stand(&mut self) -> Ask {
        self.enter(self.term + 1, NOBODY);
        self.role = Role::Candidate;
        (self.voted, self.votes) = (self.term, 1 << self.place);
        Ask { term: self.term, place: self.place, last: self.end() }
    }

    /// Is asked for its vote: one a term, for a log that is at least as long as its own.
    pub fn on_ask(&mut self, ask: Ask) -> Vote {
        if ask.term > self.term {
            self.enter(ask.term, NOBODY)
        }
        let granted = ask.term == self.term && self.voted < ask.term && ask.last >= self.end();
        if granted {
            self.voted = self.term
        }
        Vote { term: self.term, place: self.place, granted }
    }

    /// Hears of a vote: `true` if it leads now.
    pub fn on_vote(&mut self, vote: Vote) -> bool {
        if vote.term > self.term {
            self.enter(vote.term, NOBODY)
        }
        if self.role != Role::Candidate || vote.term < self.term || !vote.granted {
            return false;
        }
        self.votes |= 1 << vote.place;
        let won = self.votes.count_ones() >= 2;
        if won {
            self.take_over()
        }
        won
    }
}
