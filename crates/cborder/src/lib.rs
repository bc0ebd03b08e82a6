//! The border between C and a library: checks of arguments, texts, and a guard against panics.
#![deny(clippy::cast_sign_loss, clippy::undocumented_unsafe_blocks)]
use std::any::Any;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An invalid argument: its name and what is wrong with it.
#[derive(PartialEq, Eq, Debug)]
pub struct Refused(pub String);

/// Runs `work`, which must not be used again after a panic.
///
/// # Errors
/// The message of its panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic).to_string())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Drops NULs, which C cannot represent.
pub fn c_text(text: impl AsRef<[u8]>) -> CString {
    let bytes: Vec<u8> = text.as_ref().iter().copied().filter(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// # Safety
/// `from` is NULL, or points to bytes that end with NUL and do not change during `'a`.
///
/// # Errors
/// It is NULL.
pub unsafe fn bytes<'a>(from: *const c_char, what: &str) -> Result<&'a [u8], Refused> {
    if from.is_null() {
        return Err(Refused(format!("{what} is NULL")));
    }
    // SAFETY: it is not NULL, and the caller says that it ends.
    Ok(unsafe { CStr::from_ptr(from) }.to_bytes())
}

/// # Safety
/// As for [`bytes`].
///
/// # Errors
/// It is NULL, or not UTF-8.
pub unsafe fn text<'a>(from: *const c_char, what: &str) -> Result<&'a str, Refused> {
    // SAFETY: the same promise.
    let bytes = unsafe { bytes(from, what) }?;
    let shown = bytes.escape_ascii();
    std::str::from_utf8(bytes).map_err(|_| Refused(format!("{what} is not UTF-8: \"{shown}\"")))
}

/// Like [`text`], but NULL is `None`.
///
/// # Safety
/// As for [`text`].
pub unsafe fn optional<'a>(from: *const c_char, what: &str) -> Result<Option<&'a str>, Refused> {
    match from.is_null() {
        true => Ok(None),
        // SAFETY: the same promise.
        false => unsafe { text(from, what) }.map(Some),
    }
}

/// `count` values; NULL is allowed if `count` is 0.
///
/// # Safety
/// `from` is NULL, or points to `count` values that do not change during `'a`.
pub unsafe fn slice<'a, T>(from: *const T, count: usize, what: &str) -> Result<&'a [T], Refused> {
    if count == 0 {
        return Ok(&[]);
    }
    row(from, count, what)?;
    // SAFETY: not NULL, aligned, no longer than memory; that they are there is promised.
    Ok(unsafe { std::slice::from_raw_parts(from, count) })
}

/// # Safety
/// `from` is NULL, or points to `count` values that only the result accesses during `'a`.
pub unsafe fn slice_mut<'a, T>(
    from: *mut T,
    count: usize,
    what: &str,
) -> Result<&'a mut [T], Refused> {
    if count == 0 {
        return Ok(&mut []);
    }
    row(from, count, what)?;
    // SAFETY: not NULL, aligned, no longer than memory; that they are the caller's is promised.
    Ok(unsafe { std::slice::from_raw_parts_mut(from, count) })
}

fn row<T>(from: *const T, count: usize, what: &str) -> Result<(), Refused> {
    let bytes = count.checked_mul(size_of::<T>().max(1));
    match () {
        () if from.is_null() => Err(Refused(format!("{what} is NULL"))),
        () if !from.is_aligned() => Err(Refused(format!("{what} is not aligned"))),
        () if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) => {
            Err(Refused(format!("{what}: {count} exceed the address space")))
        }
        () => Ok(()),
    }
}

pub fn place<T>(to: *mut T, what: &str) -> Result<(), Refused> {
    row(to, 1, what)
}

/// Writes `value` to `to`.
///
/// # Safety
/// `to` is NULL or writable.
pub unsafe fn put<T>(to: *mut T, value: T, what: &str) -> Result<(), Refused> {
    place(to, what)?;
    // SAFETY: not NULL and aligned; that it is the caller's is promised.
    unsafe { to.write(value) };
    Ok(())
}

pub fn given<F>(callback: Option<F>, what: &str) -> Result<F, Refused> {
    callback.ok_or_else(|| Refused(format!("{what} is NULL")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{null, null_mut};

    #[test]
    fn what_cannot_be_is_refused_with_its_name() {
        let refused = |words: &str| Refused(words.to_string());
        // SAFETY: what is handed in is NULL, refused before it is looked at, or lives here.
        unsafe {
            assert_eq!(text(null(), "the name"), Err(refused("the name is NULL")));
            let wrong = refused(r#"the name is not UTF-8: "\xff""#);
            assert_eq!(text(c"\xff".as_ptr(), "the name"), Err(wrong));
            assert_eq!(bytes(c"\xff".as_ptr(), "the name"), Ok(&b"\xff"[..]));
            assert_eq!(optional(null(), "keys"), Ok(None));
            assert_eq!(slice::<u8>(null(), 0, "data"), Ok(&[][..]));
            assert_eq!(slice::<u8>(null(), 1, "data"), Err(refused("data is NULL")));
            let word = 7u64;
            let odd = (&raw const word).cast::<u8>().add(1).cast::<u32>();
            assert!(slice(odd, 1, "numbers").is_err(), "not aligned");
            assert!(slice(&raw const word, usize::MAX, "numbers").is_err(), "too many");
            assert!(slice_mut(null_mut::<u8>(), 3, "buffer").is_err());
            assert!(put(null_mut(), 1u8, "length").is_err());
        }
    }

    #[test]
    fn a_panic_leaves_its_message() {
        assert_eq!(caught(|| 5), Ok(5));
        assert_eq!(caught(|| -> u8 { panic!("{} too many", 3) }), Err("3 too many".to_string()));
        assert_eq!(c_text("be\0fore").as_c_str(), c"before");
    }
}
