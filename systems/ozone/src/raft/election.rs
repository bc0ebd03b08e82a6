use super::{NO_LEADER, Replica, Role, Vote, VoteRequest};

impl Replica {
    /// Starts an election in the next term.
    pub fn start_election(&mut self) -> VoteRequest {
        self.enter(self.term + 1, NO_LEADER);
        self.role = Role::Candidate;
        (self.voted, self.votes) = (self.term, 1 << self.place);
        VoteRequest { term: self.term, place: self.place, last: self.end() }
    }

    /// One vote per term, for a log at least as long as the replica's own.
    pub fn on_ask(&mut self, ask: VoteRequest) -> Vote {
        if ask.term > self.term {
            self.enter(ask.term, NO_LEADER)
        }
        let granted = ask.term == self.term && self.voted < ask.term && ask.last >= self.end();
        if granted {
            self.voted = self.term
        }
        Vote { term: self.term, place: self.place, granted }
    }

    /// Counts a vote; true if it makes the replica the leader.
    pub fn on_vote(&mut self, vote: Vote) -> bool {
        if vote.term > self.term {
            self.enter(vote.term, NO_LEADER)
        }
        if self.role != Role::Candidate || vote.term < self.term || !vote.granted {
            return false;
        }
        self.votes |= 1 << vote.place;
        let won = self.votes.count_ones() >= 2;
        if won {
            self.become_leader()
        }
        won
    }
}
