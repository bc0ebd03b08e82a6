//! Client sessions that a server assigns. A version of a row names its client and operation, so no
//! two operations may ever have the same id and number.
use crate::cluster::MOST_SERVERS;
use crate::rows::Changes;
use crate::wire::Session;

/// Sessions that one write to the disk reserves. A crash loses those that were not assigned.
const RESERVED: u32 = 1_000;

/// Servers use the ids above for their own transactions, and histories one more.
const MOST_SESSIONS: u32 = u32::MAX / MOST_SERVERS - 2;

/// Numbers after which an id is not used again, so that none overflows.
const LAST_NUMBER: u32 = u32::MAX / 2;

pub struct Sessions {
    me: u32,
    assigned: u32,
    /// Those that the disk has; at least `assigned`.
    reserved: u32,
    /// Sessions of clients that have left with all their answers. A crash loses them.
    free: Vec<Session>,
}

impl Sessions {
    pub fn new(me: u32, reserved: u32) -> Sessions {
        Sessions { me, assigned: reserved, reserved, free: Vec::new() }
    }

    /// `None`: no ids are left.
    pub fn open(&mut self, changes: &mut Changes) -> Option<Session> {
        if let Some(session) = self.free.pop() {
            return Some(session);
        }
        if self.assigned >= MOST_SESSIONS {
            return None;
        }
        if self.assigned == self.reserved {
            self.reserved += RESERVED;
            changes.put_sessions(self.reserved)
        }
        let id = self.assigned * MOST_SERVERS + self.me;
        self.assigned += 1;
        Some(Session { id, next: 0 })
    }

    /// Ignores a session that another server has assigned.
    pub fn close(&mut self, session: Session) {
        let Session { id, next } = session;
        let is_mine = id % MOST_SERVERS == self.me && id / MOST_SERVERS < self.assigned;
        let is_free = self.free.iter().any(|other| other.id == id);
        if is_mine && !is_free && next < LAST_NUMBER {
            self.free.push(session)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_sessions_share_an_id_unless_one_has_ended() {
        let mut changes = Changes::default();
        let mut sessions = Sessions::new(2, 0);
        let [a, b] = [(); 2].map(|()| sessions.open(&mut changes).unwrap());
        assert_eq!((a.id, b.id, changes.0.len()), (2, 66, 1));
        sessions.close(Session { id: a.id, next: 9 });
        sessions.close(Session { id: a.id, next: 9 });
        sessions.close(Session { id: 3, next: 9 });
        sessions.close(Session { id: 2 + 64 * 5, next: 9 });
        assert_eq!(sessions.open(&mut changes), Some(Session { id: 2, next: 9 }));
        assert_eq!(sessions.open(&mut changes).map(|session| session.id), Some(130));
        // After a crash.
        let mut sessions = Sessions::new(2, 1_000);
        assert_eq!(sessions.open(&mut changes).map(|session| session.id), Some(64_002));
    }
}
