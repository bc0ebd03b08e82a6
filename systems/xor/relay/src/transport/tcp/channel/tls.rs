//! A TLS session. Each byte is copied once into its slot and once out of it.
use super::handshake::{Handshake, Keeper, Step};
use super::records::{self, HEAD, Key, Kind, MOST, UNTIL_UPDATE};
use crate::transport::tcp::socket::Quiet;
use keys::{Keys, is_of, why};
use rustls::pki_types::CertificateDer;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::net::TcpStream;
use std::ops::Range;

/// Buffer of sealed bytes, and of one read from the socket \[bytes\].
const AT_ONCE: usize = 256 << 10;

/// Pieces of a frame from this size are sealed without gathering \[bytes\].
const LARGE: usize = 8 << 10;
/// Rest of a large piece that goes into a shared record \[bytes\]. The receiver opens records in
/// place, which takes a byte more than the content.
const REST: usize = 64;

/// The message before the first record with a new key (RFC 8446, 4.6.3). Its last byte can request
/// the same from the peer.
const KEY_UPDATE: [u8; 5] = [24, 0, 0, 1, 0];
/// Session tickets of a server, which are not used.
const TICKET: u8 = 4;
/// First byte of a sealed record, whatever its content.
const DATA: u8 = 23;
/// The alert of an orderly end.
const CLOSE: [u8; 2] = [1, 0];
/// The alert for a revoked certificate.
const REVOKED: [u8; 2] = [2, 44];

enum Session {
    Handshaking(Box<Handshake>),
    Open(Box<Open>),
    Failed,
}

struct Open {
    to_send: Key,
    to_receive: Key,
    keeper: Keeper,
}

pub(crate) struct Tls {
    pub(super) stream: TcpStream,
    keys: Keys,
    session: Session,
    /// The first message was sent or received.
    has_spoken: bool,
    certificate: Option<CertificateDer<'static>>,
    /// Records of one key.
    most_records: u64,
    inbox: Vec<u8>,
    taken: usize,
    filled: usize,
    /// Opened, but unread bytes: their range in the inbox.
    plain: Range<usize>,
    is_closed: bool,
    /// Small pieces that share a record.
    gathered: Vec<u8>,
    outbox: Vec<u8>,
    sent: usize,
}

impl Tls {
    /// `to`: outgoing, to a node with this number in its certificate. `None`: incoming.
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

    #[cfg(test)]
    pub(super) fn renew_after(&mut self, records: u64) {
        self.most_records = records
    }

    /// Blocks until the handshake ends.
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

    pub(super) fn is_node(&self, node: usize) -> bool {
        self.certificate.as_ref().is_some_and(|own| is_of(own, node))
    }

    pub(super) fn wants_to_write(&self) -> bool {
        self.sent < self.outbox.len()
    }

    /// Accepts frames. A connecting end returns true once before the handshake, since it sends
    /// first.
    pub(super) fn takes(&self) -> bool {
        matches!(self.session, Session::Open(_)) || !self.has_spoken
    }

    /// Bytes can be read without the socket becoming readable.
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

    /// Opens the next record into `place`, if it is complete and fits. Returns the length of its
    /// content.
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
        self.on_record(kind, start..start + content).map(|()| Some(0))
    }

    /// Opens the next record with data. False at the end, or if there is none and something was
    /// read already.
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

    fn shake(&mut self) -> io::Result<()> {
        let Session::Handshaking(mut handshake) =
            std::mem::replace(&mut self.session, Session::Failed)
        else {
            return Err(io::Error::other("TLS: the session has failed"));
        };
        self.has_spoken = true;
        let inbox = &mut self.inbox[..self.filled];
        let step = handshake.go_on(inbox, &mut self.taken, &mut self.outbox);
        // Send the answer even if it is the last one.
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

    /// Sends an alert if the session is established.
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
            // Dummy records for middleboxes (RFC 8446, D.4).
            20 => return Ok(()),
            _ => return Err(io::Error::other("TLS: a record in the clear")),
        };
        let start = start + HEAD;
        self.on_record(kind, start..start + content)
    }

    fn on_record(&mut self, kind: Kind, place: Range<usize>) -> io::Result<()> {
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

    /// The other end sent a new key or a ticket.
    fn take_handshake(&mut self, place: Range<usize>) -> io::Result<()> {
        match self.inbox[place] {
            [TICKET, ..] => Ok(()),
            [24, 0, 0, 1, wants @ (0 | 1)] => {
                let open = self.open()?;
                open.to_receive = open.keeper.next(false)?;
                match (wants, self.outbox.len() > 2 * AT_ONCE) {
                    (0, _) => Ok(()),
                    (_, false) => self.renew(),
                    (_, true) => Err(io::Error::other("TLS: requests keys but does not read")),
                }
            }
            _ => Err(io::Error::other("TLS: an unexpected message")),
        }
    }

    /// Uses a new key from the next record.
    fn renew(&mut self) -> io::Result<()> {
        let Session::Open(open) = &mut self.session else { return self.open().map(|_| ()) };
        open.to_send.seal(Kind::Handshake, &KEY_UPDATE, &mut self.outbox);
        open.to_send = open.keeper.next(true)?;
        Ok(())
    }

    /// Reads from the socket after unused bytes; false at its end.
    fn fill(&mut self) -> io::Result<bool> {
        self.inbox.copy_within(self.taken..self.filled, 0);
        (self.taken, self.filled) = (0, self.filled - self.taken);
        let read = self.stream.read(&mut self.inbox[self.filled..])?;
        self.filled += read;
        if read == 0 && matches!(self.session, Session::Handshaking(_)) {
            let why = "closed the connection without a certificate: was the node started with \
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

    pub(super) fn end(&mut self) {
        self.alert(CLOSE)
    }
}
