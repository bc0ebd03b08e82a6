//! Checks of arguments from C.
use crate::handle::Problem;
use std::ffi::{CStr, c_char};

/// # Safety
/// `from` is NULL, or points to a text that ends with NUL and does not change during `'a`.
pub(crate) unsafe fn text<'a>(from: *const c_char, what: &str) -> Result<&'a str, Problem> {
    if from.is_null() {
        return Err(Problem::bad(format!("{what} is NULL")));
    }
    // SAFETY: it is not NULL, and the caller says that it ends.
    let text = unsafe { CStr::from_ptr(from) };
    text.to_str().map_err(|_| Problem::bad(format!("{what} is not UTF-8: {text:?}")))
}

/// Like [`text`], but NULL is `None`.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn optional<'a>(
    from: *const c_char,
    what: &str,
) -> Result<Option<&'a str>, Problem> {
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
pub(crate) unsafe fn slice<'a, T>(
    from: *const T,
    count: usize,
    what: &str,
) -> Result<&'a [T], Problem> {
    if count == 0 {
        return Ok(&[]);
    }
    row(from, count, what)?;
    // SAFETY: not NULL, aligned, no longer than memory; that they are there is promised.
    Ok(unsafe { std::slice::from_raw_parts(from, count) })
}

/// # Safety
/// `from` is NULL, or points to `count` values that only the result accesses during `'a`.
pub(crate) unsafe fn slice_mut<'a, T>(
    from: *mut T,
    count: usize,
    what: &str,
) -> Result<&'a mut [T], Problem> {
    if count == 0 {
        return Ok(&mut []);
    }
    row(from, count, what)?;
    // SAFETY: not NULL, aligned, no longer than memory; that they are the caller's is promised.
    Ok(unsafe { std::slice::from_raw_parts_mut(from, count) })
}

fn row<T>(from: *const T, count: usize, what: &str) -> Result<(), Problem> {
    let bytes = count.checked_mul(size_of::<T>().max(1));
    match () {
        () if from.is_null() => Err(Problem::bad(format!("{what} is NULL"))),
        () if !from.is_aligned() => Err(Problem::bad(format!("{what} is not aligned"))),
        () if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) => {
            Err(Problem::bad(format!("{what}: {count} exceed the address space")))
        }
        () => Ok(()),
    }
}

pub(crate) fn place<T>(to: *mut T, what: &str) -> Result<(), Problem> {
    row(to, 1, what)
}

/// Writes `value` to `to`.
///
/// # Safety
/// `to` is NULL or writable.
pub(crate) unsafe fn put<T>(to: *mut T, value: T, what: &str) -> Result<(), Problem> {
    place(to, what)?;
    // SAFETY: not NULL and aligned; that it is the caller's is promised.
    unsafe { to.write(value) };
    Ok(())
}

pub(crate) fn given<F>(callback: Option<F>, what: &str) -> Result<F, Problem> {
    callback.ok_or_else(|| Problem::bad(format!("{what} is NULL")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{null, null_mut};

    #[test]
    fn what_cannot_be_is_refused_with_its_name() {
        let words = |problem: Problem| problem.words;
        // SAFETY: what is handed in is NULL, refused before it is looked at, or lives here.
        unsafe {
            assert_eq!(text(null(), "the name").map_err(words), Err("the name is NULL".into()));
            let wrong = text(c"\xff".as_ptr(), "the name").map_err(words).unwrap_err();
            assert!(wrong.starts_with("the name is not UTF-8"), "{wrong}");
            assert_eq!(optional(null(), "keys").map_err(words), Ok(None));
            assert_eq!(slice::<u8>(null(), 0, "data").map_err(words), Ok(&[][..]));
            assert_eq!(slice::<u8>(null(), 1, "data").map_err(words), Err("data is NULL".into()));
            let word = 7u64;
            let odd = (&raw const word).cast::<u8>().add(1).cast::<u32>();
            assert!(slice(odd, 1, "numbers").is_err(), "not aligned");
            assert!(slice(&raw const word, usize::MAX, "numbers").is_err(), "too many");
            assert!(slice_mut(null_mut::<u8>(), 3, "buffer").is_err());
            assert!(put(null_mut(), 1u8, "length").is_err());
        }
    }
}
