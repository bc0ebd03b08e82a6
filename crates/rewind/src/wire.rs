//! The wire form of messages: little-endian, no padding, after a fingerprint of the types.
use std::fmt;

/// Writes a value to bytes and reads it back. The derives of `Message` and `Scalar` implement it.
///
/// ```
/// use rewind::{Wire, from_wire, to_wire};
/// let bytes = to_wire(&(7u32, Some(true)));
/// assert_eq!(from_wire::<(u32, Option<bool>)>(&bytes), Ok((7, Some(true))));
/// assert!(from_wire::<(u32, u32)>(&bytes).is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire form, so no event or record can contain it",
    label = "cannot be sent to another machine",
    note = "`usize` and pointers differ between machines: use u32 or u64, ids and copies; your \
        own small type: `#[derive(Scalar)]`; larger: `#[derive(Message)]`"
)]
pub trait Wire: Sized {
    /// Fingerprint of names, kinds and order of all parts; differs between versions of a type.
    const SCHEMA: u64;
    /// Appends the value to `out`.
    fn encode(&self, out: &mut Vec<u8>);
    /// Reads a value from the front.
    ///
    /// # Errors
    /// If the bytes end too soon or are not valid for this type.
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError>;
}

/// Why bytes are not the expected message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WireError {
    /// The bytes end before the value does.
    Short,
    /// Bytes follow the value.
    Long,
    /// An invalid variant, bool, character or text.
    Invalid,
    /// Written with other types: both sides must have one version of the program.
    Schema,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WireError::Short => "the message is cut short",
            WireError::Long => "bytes are left over behind the message",
            WireError::Invalid => "the message holds a value that its type does not have",
            WireError::Schema => {
                "the message was written with other types: run the same version of the program \
                 everywhere"
            }
        })
    }
}

impl std::error::Error for WireError {}

/// Bytes still to be decoded.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads from the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader(bytes)
    }
    /// Number of bytes left.
    pub fn left(&self) -> usize {
        self.0.len()
    }
    /// Takes the next `n` bytes.
    ///
    /// # Errors
    /// [`WireError::Short`].
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], WireError> {
        let (head, tail) = self.0.split_at_checked(n).ok_or(WireError::Short)?;
        self.0 = tail;
        Ok(head)
    }
    /// Reads the number of a variant.
    ///
    /// # Errors
    /// [`WireError::Short`].
    pub fn tag(&mut self) -> Result<u16, WireError> {
        u16::decode(self)
    }
}

/// Version of the header; the schema identifies the types.
const VERSION: u8 = 1;

/// A whole message: header and value.
pub fn to_wire<T: Wire>(value: &T) -> Vec<u8> {
    let mut out = vec![VERSION];
    T::SCHEMA.encode(&mut out);
    value.encode(&mut out);
    out
}

/// Reads a whole message.
///
/// # Errors
/// See [`WireError`]; no byte string panics.
pub fn from_wire<T: Wire>(bytes: &[u8]) -> Result<T, WireError> {
    let mut from = Reader::new(bytes);
    if u8::decode(&mut from)? != VERSION || u64::decode(&mut from)? != T::SCHEMA {
        return Err(WireError::Schema);
    }
    let value = T::decode(&mut from)?;
    if from.left() == 0 { Ok(value) } else { Err(WireError::Long) }
}

/// FNV-1a over a type's own words, then over its parts' fingerprints. For the derives.
#[doc(hidden)]
pub const fn schema(words: &str, parts: &[u64]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let (mut hash, bytes, mut i) = (0xCBF2_9CE4_8422_2325u64, words.as_bytes(), 0);
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(PRIME);
        i += 1
    }
    i = 0;
    while i < parts.len() {
        hash = (hash.rotate_left(29) ^ parts[i]).wrapping_mul(PRIME);
        i += 1
    }
    hash
}
