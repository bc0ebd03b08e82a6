//! Records of TLS 1.3 (RFC 8446, 5.2), sealed and opened in place. `rustls` makes the keys, as for
//! kernel TLS; this module does the kernel's part.
use super::sealer::Sealer;
use aws_lc_rs::aead::{AES_128_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN};
use aws_lc_rs::aead::{MAX_TAG_LEN as TAG, Nonce, UnboundKey};
use rustls::ConnectionTrafficSecrets as Secrets;
use std::io;

/// In bytes.
pub(super) const HEAD: usize = 5;
/// Longest content of a record \[bytes\].
pub(super) const MOST: usize = 1 << 14;
/// Longest sealed record after its head \[bytes\]: with padding, content type and tag.
const MOST_SEALED: usize = MOST + 256;
/// Records of one key: far below the 2^24.5 that are safe for AES-GCM.
pub(super) const UNTIL_UPDATE: u64 = 1 << 23;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Alert,
    Handshake,
    Data,
}

impl Kind {
    fn to_byte(self) -> u8 {
        match self {
            Kind::Alert => 21,
            Kind::Handshake => 22,
            Kind::Data => 23,
        }
    }

    fn of(byte: u8) -> Option<Kind> {
        [Kind::Alert, Kind::Handshake, Kind::Data].into_iter().find(|kind| kind.to_byte() == byte)
    }
}

/// The key of one direction, with its record number.
pub(super) struct Key {
    key: LessSafeKey,
    sealer: Sealer,
    start: [u8; NONCE_LEN],
    number: u64,
    first: u64,
}

impl Key {
    /// From the secrets of `rustls`; the suites are those of [`keys`].
    pub(super) fn new((number, secrets): (u64, Secrets)) -> io::Result<Key> {
        let (algorithm, key, start): (&'static Algorithm, _, _) = match secrets {
            Secrets::Aes128Gcm { key, iv } => (&AES_128_GCM, key, iv),
            Secrets::Chacha20Poly1305 { key, iv } => (&CHACHA20_POLY1305, key, iv),
            _ => return Err(io::Error::other("TLS: a suite that was not offered")),
        };
        let sealer = Sealer::new(algorithm, key.as_ref())?;
        let key = UnboundKey::new(algorithm, key.as_ref());
        let key = LessSafeKey::new(key.map_err(|_| io::Error::other("TLS: no key"))?);
        let start = start.as_ref().try_into().map_err(io::Error::other)?;
        Ok(Key { key, sealer, start, number, first: number })
    }

    /// Records of this key.
    pub(super) fn used(&self) -> u64 {
        self.number - self.first
    }

    /// Unique for each record.
    fn nonce(&mut self) -> [u8; NONCE_LEN] {
        let mut nonce = self.start;
        let low = nonce[4..].iter_mut().zip(self.number.to_be_bytes());
        low.for_each(|(byte, number)| *byte ^= number);
        self.number += 1;
        nonce
    }

    /// Appends a record with at most [`MOST`] bytes of content.
    pub(super) fn seal(&mut self, kind: Kind, content: &[u8], out: &mut Vec<u8>) {
        let length = content.len() + 1 + TAG;
        let head = [23, 3, 3, (length >> 8) as u8, length as u8];
        out.extend_from_slice(&head);
        let nonce = self.nonce();
        self.sealer.seal(&nonce, &head, (content, kind.to_byte()), out)
    }

    /// Opens a complete record in place. The content begins at [`HEAD`] and has the returned
    /// length.
    pub(super) fn open(&mut self, record: &mut [u8]) -> io::Result<(Kind, usize)> {
        let (head, sealed) = record.split_at_mut(HEAD);
        let head: [u8; HEAD] = (&*head).try_into().map_err(io::Error::other)?;
        let nonce = Nonce::assume_unique_for_key(self.nonce());
        let opened = self.key.open_in_place(nonce, Aad::from(head), sealed);
        content(opened.map_err(|_| changed())?)
    }

    /// Opens a complete record into `to`, which has [`room`] for it.
    pub(super) fn open_to(&mut self, record: &[u8], to: &mut [u8]) -> io::Result<(Kind, usize)> {
        let (head, sealed) = record.split_at(HEAD);
        let head: [u8; HEAD] = head.try_into().map_err(io::Error::other)?;
        let (sealed, tag) = sealed.split_at(sealed.len() - TAG);
        let to = &mut to[..sealed.len()];
        let nonce = Nonce::assume_unique_for_key(self.nonce());
        let opened = self.key.open_separate_gather(nonce, Aad::from(head), sealed, tag, to);
        opened.map_err(|_| changed())?;
        content(to)
    }
}

/// Bytes that opening a record of `length` bytes needs: content, type and padding.
pub(super) fn room(length: usize) -> Option<usize> {
    length.checked_sub(HEAD + TAG)
}

fn changed() -> io::Error {
    io::Error::other("TLS: a record was changed in transit")
}

/// The type of a record, and the length of its content.
fn content(opened: &[u8]) -> io::Result<(Kind, usize)> {
    let end = opened.iter().rposition(|byte| *byte != 0);
    let kind = end.and_then(|end| Kind::of(opened[end]).map(|kind| (kind, end)));
    kind.ok_or_else(|| io::Error::other("TLS: a record of unknown type"))
}

/// Length of the record with its head; `None`: the head is incomplete.
pub(super) fn length(bytes: &[u8]) -> io::Result<Option<usize>> {
    let Some(head) = bytes.get(..HEAD) else { return Ok(None) };
    let length = usize::from(head[3]) << 8 | usize::from(head[4]);
    let is_one = (20..=23).contains(&head[0]) && head[1] == 3;
    match is_one && length <= MOST_SEALED {
        true => Ok(Some(HEAD + length)),
        false => Err(io::Error::other("does not speak TLS: was the node started with --keys?")),
    }
}
