//! The wire form of standard types.
use crate::wire::{Reader, Wire, WireError, schema};

macro_rules! numbers { ($($t:ty),*) => { $(
    impl Wire for $t {
        const SCHEMA: u64 = schema(stringify!($t), &[]);
        #[inline(always)]
        fn encode(&self, out: &mut Vec<u8>) {
            out.extend_from_slice(&self.to_le_bytes())
        }
        #[inline(always)]
        fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
            let bytes = from.take(size_of::<$t>())?;
            Ok(<$t>::from_le_bytes(bytes.try_into().expect("as many as asked for")))
        }
    }
)* } }
numbers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, f64);

impl Wire for bool {
    const SCHEMA: u64 = schema("bool", &[]);
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self as u8)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        match u8::decode(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(WireError::Invalid),
        }
    }
}

impl Wire for char {
    const SCHEMA: u64 = schema("char", &[]);
    fn encode(&self, out: &mut Vec<u8>) {
        (*self as u32).encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        char::from_u32(u32::decode(from)?).ok_or(WireError::Invalid)
    }
}

impl Wire for String {
    const SCHEMA: u64 = schema("text", &[]);
    fn encode(&self, out: &mut Vec<u8>) {
        (self.len() as u64).encode(out);
        out.extend_from_slice(self.as_bytes())
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let len = u64::decode(from)?;
        let bytes = from.take(usize::try_from(len).map_err(|_| WireError::Short)?)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| WireError::Invalid)
    }
}

impl<T: Wire> Wire for Vec<T> {
    const SCHEMA: u64 = schema("list", &[T::SCHEMA]);
    fn encode(&self, out: &mut Vec<u8>) {
        (self.len() as u64).encode(out);
        self.iter().for_each(|item| item.encode(out))
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let len = u64::decode(from)?;
        // A wrong length must neither reserve memory, nor loop for ever if items have no bytes.
        if size_of::<T>() == 0 && len > u32::MAX as u64 {
            return Err(WireError::Invalid);
        }
        (0..len).map(|_| T::decode(from)).collect()
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    const SCHEMA: u64 = schema("array", &[N as u64, T::SCHEMA]);
    fn encode(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.encode(out))
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let items: Vec<T> = (0..N).map(|_| T::decode(from)).collect::<Result<_, _>>()?;
        Ok(items.try_into().unwrap_or_else(|_| unreachable!("N items")))
    }
}

impl<T: Wire> Wire for Option<T> {
    const SCHEMA: u64 = schema("option", &[T::SCHEMA]);
    fn encode(&self, out: &mut Vec<u8>) {
        self.is_some().encode(out);
        if let Some(value) = self {
            value.encode(out)
        }
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(if bool::decode(from)? { Some(T::decode(from)?) } else { None })
    }
}

impl<T: Wire> Wire for Box<T> {
    const SCHEMA: u64 = T::SCHEMA;
    fn encode(&self, out: &mut Vec<u8>) {
        (**self).encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Box::new(T::decode(from)?))
    }
}
impl<T: Wire> Wire for std::sync::Arc<T> {
    const SCHEMA: u64 = T::SCHEMA;
    fn encode(&self, out: &mut Vec<u8>) {
        (**self).encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(std::sync::Arc::new(T::decode(from)?))
    }
}

macro_rules! tuples { ($($name:ident)*) => {
    impl<$($name: Wire),*> Wire for ($($name,)*) {
        const SCHEMA: u64 = schema("tuple", &[$($name::SCHEMA),*]);
        #[allow(non_snake_case, unused_variables)]
        fn encode(&self, out: &mut Vec<u8>) {
            let ($($name,)*) = self;
            $($name.encode(out);)*
        }
        #[allow(non_snake_case, unused_variables)]
        fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
            $(let $name = $name::decode(from)?;)*
            Ok(($($name,)*))
        }
    }
} }
tuples!();
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
