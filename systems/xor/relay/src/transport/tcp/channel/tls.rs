//! A session: records in, records out, each byte copied once to its slot and once from it.
use super::handshake::{Handshake, Keeper, Step};
use super::records::{self, HEAD, Key, Kind, MOST, UNTIL_UPDATE};
use crate::keys::{Keys, is_of, why};
use crate::transport::tcp::socket::Quiet;
use rustls::pki_types::CertificateDer;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::net::TcpStream;
use std::ops::Range;

/// Sealed bytes that wait for the socket, and that are read from it at once.
const AT_ONCE: usize = 256 << 10;

/// Pieces of a frame from this size on are sealed from where they lie.
const LARGE: usize = 8 << 10;
/// What is left of such a piece for a record with others: its receiver opens records where they
/// belong, and each takes a byte more there than it holds.
const REST: usize = 64;

/// The message by which an end says that its next record has a new key (RFC 8446, 4.6.3); its last
/// byte asks for the same.
const KEY_UPDATE: [u8; 5] = [24, 0, 0, 1, 0];
/// What the server may send for later sessions, which nobody here wants.
const TICKET: u8 = 4;
/// What a sealed record begins with, whatever is in it.
const DATA: u8 = 23;
/// The alert that ends a session well.
const CLOSE: [u8; 2] = [1, 0];
/// That which refuses a certificate that is not taken any more.
const REVOKED: [u8; 2] = [2, 44];

enum Session {
    Handshaking(Box<Handshake>),
    Open(Box<Open>),
    Failed,
}

/// Keys of a session that stands.
struct Open {
    to_send: Key,
    to_receive: Key,
    keeper: Keeper,
}

/// What stands between frames and a socket.
pub(crate) struct Tls {
    pub(super) stream: TcpStream,
    keys: Keys,
    session: Session,
    /// The first word was said, or heard.
    has_spoken: bool,
    certificate: Option<CertificateDer<'static>>,
    /// Records that one key seals.
    most_records: u64,
    inbox: Vec<u8>,
    taken: usize,
    filled: usize,
    /// Opened and not read yet: where it lies in the inbox.
    plain: Range<usize>,
    is_closed: bool,
    /// Small pieces, which share a record.
    gathered: Vec<u8>,
    outbox: Vec<u8>,
    sent: usize,
}

impl Tls {
    /// To a node whose number must stand in its certificate, or from whoever comes.
    pub(super) fn new(stream: TcpStream, keys: &Keys, to: Option<usize>) -> Tls {
        Tls {
            stream,
            keys: keys.clone(),
            session: Session::Handshaking(Box::new(Handshake::new(keys, to))),
            has_spoken: to.is_none(),
            certificate: None,
            most_records: UNTIL_UPDATE,
            inbox: vec![0; AT_ONCE],
            taken: 0,
            filled: 0,
            plain: 0..0,
            is_closed: false,
            gathered: Vec::with_capacity(MOST),
            outbox: Vec::with_capacity(AT_ONCE + AT_ONCE / 16),
            sent: 0,
        }
    }

    /// New keys after so many records.
    #[cfg(test)]
    pub(super) fn renew_after(&mut self, records: u64) {
        self.most_records = records
    }

    /// Waits for what the handshake still lacks.
    #[cfg(test)]
    pub(super) fn shake_hands(&mut self) -> io::Result<()> {
        while matches!(self.session, Session::Handshaking(_)) {
            self.shake()?;
            if matches!(self.session, Session::Handshaking(_)) && !self.fill()? {
                break;
            }
        }
        Ok(())
    }

    /// Whether the other end has shown a node's certificate.
    pub(super) fn is_node(&self, node: usize) -> bool {
        self.certificate.as_ref().is_some_and(|own| is_of(own, node))
    }

    /// Something waits for the socket.
    pub(super) fn wants_to_write(&self) -> bool {
        self.sent < self.outbox.len()
    }

    /// Whether frames can be handed to it; who connects is asked once before, and speaks first.
    pub(super) fn takes(&self) -> bool {
        matches!(self.session, Session::Open(_)) || !self.has_spoken
    }

    /// More can be read without the socket: it will not say so.
    pub(super) fn has_read(&self) -> bool {
        let rest = &self.inbox[self.taken..self.filled];
        let is_whole = |length: Option<usize>| length.is_some_and(|length| length <= rest.len());
        !self.plain.is_empty() || self.is_closed || records::length(rest).map_or(true, is_whole)
    }

    pub(super) fn read_vectored(&mut self, to: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        let mut read = 0;
        for slice in to.iter_mut() {
            let mut place = &mut slice[..];
            while !place.is_empty() {
                if self.plain.is_empty()
                    && let Some(opened) = self.record_to(place)?
                {
                    read += opened;
                    place = &mut place[opened..];
                    continue;
                }
                if self.plain.is_empty() && !self.next_record(read > 0)? {
                    return Ok(read);
                }
                let part = self.plain.len().min(place.len());
                let (here, rest) = place.split_at_mut(part);
                here.copy_from_slice(&self.inbox[self.plain.start..][..part]);
                self.plain.start += part;
                read += part;
                place = rest
            }
        }
        Ok(read)
    }

    /// Opens the next record to where it is wanted, if it is there and fits; what it held.
    fn record_to(&mut self, place: &mut [u8]) -> io::Result<Option<usize>> {
        let rest = &mut self.inbox[self.taken..self.filled];
        let (Some(length), Session::Open(open)) = (records::length(rest)?, &mut self.session)
        else {
            return Ok(None);
        };
        let fits = records::room(length).is_some_and(|room| room <= place.len());
        if self.is_closed || length > rest.len() || rest[0] != DATA || !fits {
            return Ok(None);
        }
        let (kind, content) = open.to_receive.open_to(&rest[..length], place)?;
        if kind == Kind::Data {
            self.taken += length;
            return Ok(Some(content));
        }
        rest[HEAD..][..content].copy_from_slice(&place[..content]);
        let start = self.taken + HEAD;
        self.taken += length;
        self.heard(kind, start..start + content).map(|()| Some(0))
    }

    /// Opens the next record with data; false at the end, or if there is none and something has
    /// been read already.
    fn next_record(&mut self, has_read: bool) -> io::Result<bool> {
        while self.plain.is_empty() {
            if self.is_closed {
                return Ok(false);
            }
            if matches!(self.session, Session::Handshaking(_)) {
                self.shake()?;
                if matches!(self.session, Session::Handshaking(_)) && !self.fill()? {
                    return Ok(false);
                }
                continue;
            }
            let rest = &self.inbox[self.taken..self.filled];
            match records::length(rest)? {
                Some(length) if length <= rest.len() => self.take(length)?,
                _ if has_read => return Ok(false),
                _ if !self.fill()? => return Ok(false),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Goes on with the handshake, as far as what has come allows.
    fn shake(&mut self) -> io::Result<()> {
        let Session::Handshaking(mut handshake) =
            std::mem::replace(&mut self.session, Session::Failed)
        else {
            return Err(io::Error::other("TLS: the session has failed"));
        };
        self.has_spoken = true;
        let inbox = &mut self.inbox[..self.filled];
        let step = handshake.go_on(inbox, &mut self.taken, &mut self.outbox);
        // What it says is sent, also if it is the last.
        let flushed = self.flush();
        self.session = match step? {
            Step::Blocked => Session::Handshaking(handshake),
            Step::Over => {
                self.certificate = handshake.certificate();
                let (to_send, to_receive, keeper) = handshake.keys()?;
                Session::Open(Box::new(Open { to_send, to_receive, keeper }))
            }
        };
        flushed?;
        match &self.certificate {
            Some(own) if self.keys.is_revoked(own) => {
                self.alert(REVOKED);
                Err(io::Error::other("its certificate is revoked"))
            }
            _ => Ok(()),
        }
    }

    /// Says one thing more, if the session stands.
    fn alert(&mut self, alert: [u8; 2]) {
        if let Session::Open(open) = &mut self.session {
            open.to_send.seal(Kind::Alert, &alert, &mut self.outbox)
        }
        let _ = self.flush();
    }

    fn open(&mut self) -> io::Result<&mut Open> {
        match &mut self.session {
            Session::Open(open) => Ok(open),
            _ => Err(io::Error::other("TLS: the session has failed")),
        }
    }

    fn take(&mut self, length: usize) -> io::Result<()> {
        let start = self.taken;
        self.taken += length;
        let Session::Open(open) = &mut self.session else { return self.open().map(|_| ()) };
        let record = &mut self.inbox[start..start + length];
        let (kind, content) = match record[0] {
            DATA => open.to_receive.open(record)?,
            // What middleboxes want to see, and nobody has to (RFC 8446, D.4).
            20 => return Ok(()),
            _ => return Err(io::Error::other("TLS: a record in the clear")),
        };
        let start = start + HEAD;
        self.heard(kind, start..start + content)
    }

    /// What lies there was in a record of this kind.
    fn heard(&mut self, kind: Kind, place: Range<usize>) -> io::Result<()> {
        match kind {
            Kind::Data => self.plain = place,
            Kind::Alert => match self.inbox[place].get(1) {
                Some(0) => self.is_closed = true,
                Some(alert) => {
                    let error = rustls::Error::AlertReceived((*alert).into());
                    return Err(io::Error::other(why(&error)));
                }
                None => return Err(io::Error::other("TLS: an empty alert")),
            },
            Kind::Handshake => self.take_handshake(place)?,
        }
        Ok(())
    }

    /// The other end has a new key, or a ticket for later.
    fn take_handshake(&mut self, place: Range<usize>) -> io::Result<()> {
        match self.inbox[place] {
            [TICKET, ..] => Ok(()),
            [24, 0, 0, 1, wants @ (0 | 1)] => {
                let open = self.open()?;
                open.to_receive = open.keeper.next(false)?;
                match (wants, self.outbox.len() > 2 * AT_ONCE) {
                    (0, _) => Ok(()),
                    (_, false) => self.renew(),
                    (_, true) => Err(io::Error::other("TLS: it asks for keys and does not read")),
                }
            }
            _ => Err(io::Error::other("TLS: a message that nobody expects")),
        }
    }

    /// From the next record on there is a new key.
    fn renew(&mut self) -> io::Result<()> {
        let Session::Open(open) = &mut self.session else { return self.open().map(|_| ()) };
        open.to_send.seal(Kind::Handshake, &KEY_UPDATE, &mut self.outbox);
        open.to_send = open.keeper.next(true)?;
        Ok(())
    }

    /// Takes what the socket has, behind what is not used yet; false at its end.
    fn fill(&mut self) -> io::Result<bool> {
        self.inbox.copy_within(self.taken..self.filled, 0);
        (self.taken, self.filled) = (0, self.filled - self.taken);
        let read = self.stream.read(&mut self.inbox[self.filled..])?;
        self.filled += read;
        if read == 0 && matches!(self.session, Session::Handshaking(_)) {
            let why = "it closed the connection before it showed a certificate: does it run with \
                       --keys?";
            return Err(io::Error::other(why));
        }
        Ok(read > 0)
    }

    pub(super) fn write_vectored(&mut self, from: &[IoSlice<'_>]) -> io::Result<usize> {
        match &self.session {
            Session::Handshaking(_) => self.shake()?,
            _ => self.flush()?,
        }
        if self.wants_to_write() || !matches!(self.session, Session::Open(_)) {
            return Err(ErrorKind::WouldBlock.into());
        }
        let mut taken = 0;
        for mut piece in from.iter().map(|slice| &slice[..]) {
            while !piece.is_empty() && taken < AT_ONCE {
                let here = match piece.len() {
                    large @ LARGE.. => {
                        self.seal_gathered()?;
                        let here = MOST.min(large - REST);
                        self.seal(&piece[..here])?;
                        here
                    }
                    small => self.gather(&piece[..small])?,
                };
                taken += here;
                piece = &piece[here..]
            }
        }
        self.seal_gathered()?;
        self.flush()?;
        Ok(taken)
    }

    /// Puts as much of a small piece as there is room for into the record with others.
    fn gather(&mut self, piece: &[u8]) -> io::Result<usize> {
        let here = piece.len().min(MOST - self.gathered.len());
        self.gathered.extend_from_slice(&piece[..here]);
        if self.gathered.len() == MOST {
            self.seal_gathered()?
        }
        Ok(here)
    }

    fn seal_gathered(&mut self) -> io::Result<()> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let gathered = std::mem::take(&mut self.gathered);
        let sealed = self.seal(&gathered);
        self.gathered = gathered;
        self.gathered.clear();
        sealed
    }

    fn seal(&mut self, content: &[u8]) -> io::Result<()> {
        let Session::Open(open) = &mut self.session else { return self.open().map(|_| ()) };
        open.to_send.seal(Kind::Data, content, &mut self.outbox);
        match open.to_send.used() >= self.most_records {
            true => self.renew(),
            false => Ok(()),
        }
    }

    /// Sends what is sealed already, as far as the socket takes it.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.outbox.len() {
            match Quiet(&self.stream).write(&self.outbox[self.sent..]) {
                Ok(sent) => self.sent += sent,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        self.outbox.clear();
        self.sent = 0;
        Ok(())
    }

    /// The last word is said.
    pub(super) fn end(&mut self) {
        self.alert(CLOSE)
    }
}
