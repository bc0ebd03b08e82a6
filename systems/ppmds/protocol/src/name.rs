//! Names of entries: bytes, as in POSIX.
use super::Errno;
use rewind::Value;
use std::cmp::Ordering;
use std::fmt;

/// \[bytes\]; `NAME_MAX` of Linux.
pub const LONGEST_NAME: usize = 255;

/// Longest name without a heap allocation \[bytes\].
const SHORT: usize = 22;

/// 1 to 255 bytes, ordered bytewise. A name of at most 22 bytes takes 24 bytes and no heap.
#[derive(Value, Eq)]
pub struct Name(Kept);

#[derive(Value, Eq)]
enum Kept {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<Long>),
}

#[derive(Value, Eq)]
struct Long {
    bytes: Vec<u8>,
}

impl Name {
    /// The empty name, of an inode's own row. It sorts before all entries.
    pub const NONE: Name = Name(Kept::Short { length: 0, bytes: [0; SHORT] });

    /// # Errors
    /// `EINVAL`: empty, `.`, `..`, or with a slash or zero byte. `ENAMETOOLONG`: over 255 bytes.
    pub fn new(bytes: &[u8]) -> Result<Name, Errno> {
        if bytes.len() > LONGEST_NAME {
            return Err(Errno::ENAMETOOLONG);
        }
        let reserved = bytes.is_empty() || bytes == b"." || bytes == b"..";
        if reserved || bytes.iter().any(|byte| matches!(byte, 0 | b'/')) {
            return Err(Errno::EINVAL);
        }
        Ok(Name::of(bytes))
    }

    fn of(from: &[u8]) -> Name {
        let mut bytes = [0; SHORT];
        Name(match (from.len() <= SHORT, u8::try_from(from.len())) {
            (true, Ok(length)) => {
                bytes[..from.len()].copy_from_slice(from);
                Kept::Short { length, bytes }
            }
            _ => Kept::Long(Box::new(Long { bytes: from.to_vec() })),
        })
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Kept::Short { length, bytes } => &bytes[..usize::from(*length)],
            Kept::Long(long) => &long.bytes,
        }
    }

    pub fn is_none(&self) -> bool {
        self.bytes().is_empty()
    }

    /// The first eight bytes as a number, which never decreases with the order of names.
    pub(super) fn leading(&self) -> u64 {
        match &self.0 {
            Kept::Short { bytes, .. } => words(bytes)[0],
            Kept::Long(long) => {
                long.bytes.first_chunk().map_or(0, |eight| u64::from_be_bytes(*eight))
            }
        }
    }

    /// Hash that maps a name to a server of its directory: FNV-1a (Fowler, Noll, Vo), then
    /// SplitMix64's finalizer, so that all bits depend on all bytes and on the directory.
    pub fn hash(&self, directory: u64) -> u64 {
        let basis = 0xCBF2_9CE4_8422_2325 ^ directory.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        mixed(self.bytes().iter().fold(basis, step))
    }
}

/// SplitMix64's finalizer: each output bit depends on all input bits.
pub fn mixed(n: u64) -> u64 {
    let mut z = n;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Ord for Name {
    #[inline]
    fn cmp(&self, other: &Name) -> Ordering {
        match (&self.0, &other.0) {
            (Kept::Short { length: n, bytes: a }, Kept::Short { length: m, bytes: b }) => {
                words(a).cmp(&words(b)).then(n.cmp(m))
            }
            _ => self.bytes().cmp(other.bytes()),
        }
    }
}

/// A short name, padded with zeros, as big-endian words. The last two overlap by two bytes.
#[inline]
fn words(bytes: &[u8; SHORT]) -> [u64; 3] {
    let word = |at: usize| {
        let eight: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
        u64::from_be_bytes(eight)
    };
    [word(0), word(8), word(SHORT - 8)]
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Invalid UTF-8 is printed as `\xNN`.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_posix_allows() {
        let long = vec![b'a'; 256];
        assert_eq!(Name::new(&long), Err(Errno::ENAMETOOLONG));
        assert!(Name::new(&long[..255]).is_ok_and(|name| name.bytes().len() == 255));
        for wrong in [&b""[..], b".", b"..", b"a/b", b"a\0"] {
            assert_eq!(Name::new(wrong), Err(Errno::EINVAL), "{wrong:?}")
        }
        assert_eq!(Name::new(b"\xff\x80a").unwrap().to_string(), "\\xff\\x80a");
    }

    #[test]
    fn they_are_ordered_by_their_bytes_however_long() {
        let all = ["a", "aa", "ab", "b", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "bc"];
        let names: Vec<Name> = all.iter().map(|name| Name::new(name.as_bytes()).unwrap()).collect();
        assert!(names.is_sorted() && Name::NONE < names[0]);
        assert_eq!(size_of::<Name>(), 24);
    }

    #[test]
    fn any_two_are_in_the_order_of_their_bytes() {
        let mut seed = 1;
        let mut draw = |most: u64| {
            seed = mixed(seed);
            seed % most
        };
        for _ in 0..20_000 {
            let mut one = || -> Vec<u8> { (0..draw(26)).map(|_| b'a' + draw(2) as u8).collect() };
            let (a, b) = (one(), one());
            assert_eq!(Name::of(&a).cmp(&Name::of(&b)), a.cmp(&b), "{a:?} {b:?}")
        }
    }

    #[test]
    fn a_name_falls_anywhere_alike_in_each_directory() {
        let mut fell = [0u32; 16];
        for n in 0..16_000u32 {
            let name = Name::new(format!("file.mdtest.{n}").as_bytes()).unwrap();
            fell[(name.hash(u64::from(n % 7)) % 16) as usize] += 1
        }
        assert!(fell.iter().all(|n| (880..1120).contains(n)), "{fell:?}")
    }
}
