//! Fields of messages: little-endian numbers, texts and lists with a count.
use xor_protocol::commit::Version;

pub trait Field: Sized {
    /// Fewest bytes of a value. A list of n is rejected if fewer than n times this are left.
    const LEAST: usize;
    fn put(&self, out: &mut Vec<u8>);
    /// Takes a value from the front. `None` if the bytes are too few or invalid.
    fn take(input: &mut &[u8]) -> Option<Self>;
}

fn split<'a>(input: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (front, rest) = input.split_at_checked(count)?;
    *input = rest;
    Some(front)
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Field for $number {
            const LEAST: usize = size_of::<$number>();
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes())
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                let bytes = split(input, size_of::<$number>())?;
                Some(<$number>::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128);

impl Field for bool {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self))
    }
    fn take(input: &mut &[u8]) -> Option<bool> {
        match u8::take(input)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<const N: usize> Field for [u8; N] {
    const LEAST: usize = N;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self)
    }
    fn take(input: &mut &[u8]) -> Option<Self> {
        split(input, N)?.try_into().ok()
    }
}

/// At most 65 535 bytes; a longer text is cut between characters.
impl Field for String {
    const LEAST: usize = 2;
    fn put(&self, out: &mut Vec<u8>) {
        let end = self.floor_char_boundary(usize::from(u16::MAX));
        (end as u16).put(out);
        out.extend_from_slice(&self.as_bytes()[..end])
    }
    fn take(input: &mut &[u8]) -> Option<String> {
        let length = u16::take(input)?;
        let bytes = split(input, usize::from(length))?;
        String::from_utf8(bytes.to_vec()).ok()
    }
}

impl<T: Field> Field for Vec<T> {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        self.iter().for_each(|item| item.put(out))
    }
    fn take(input: &mut &[u8]) -> Option<Vec<T>> {
        let count = u32::take(input)? as usize;
        if count > input.len() / T::LEAST {
            return None;
        }
        (0..count).map(|_| T::take(input)).collect()
    }
}

impl<A: Field, B: Field> Field for (A, B) {
    const LEAST: usize = A::LEAST + B::LEAST;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out)
    }
    fn take(input: &mut &[u8]) -> Option<(A, B)> {
        Some((A::take(input)?, B::take(input)?))
    }
}

impl Field for Version {
    const LEAST: usize = 24;
    fn put(&self, out: &mut Vec<u8>) {
        self.generation.put(out);
        self.id.put(out)
    }
    fn take(input: &mut &[u8]) -> Option<Version> {
        Some(Version { generation: u64::take(input)?, id: u128::take(input)? })
    }
}
