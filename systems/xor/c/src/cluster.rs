//! `tenbin_relay_…`: a client of a cluster. The header states the contract of each function.
mod state;

pub use state::{Cluster, Feed, Names, Object, Sink, Watch};

use crate::handle::{self, Handle, Problem, on};
use cborder::{Refused, given, optional, place, put, slice, slice_mut, text};
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_open(
    addresses: *const *const c_char,
    count: usize,
    keys: *const c_char,
    relay: *mut *mut Handle<Cluster>,
) -> c_int {
    let opening = |cluster: &mut Cluster| {
        if count > xor_protocol::MAX_NODES {
            return Err(Problem::bad(format!("{count} addresses are too many")));
        }
        // SAFETY: the header asks for that number of texts.
        let all = unsafe { slice(addresses, count, "the list of addresses") }?;
        // SAFETY: as above.
        let address = |at: &*const c_char| unsafe { text(*at, "an address") }.map(String::from);
        let all = all.iter().map(address).collect::<Result<Vec<String>, Refused>>()?;
        // SAFETY: as above.
        let keys = unsafe { optional(keys, "the keys’ folder") }?;
        cluster.open(all, keys.map(Path::new))
    };
    // SAFETY: the header asks for a place of a pointer.
    unsafe { handle::open(relay, Cluster::default(), opening) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_close(relay: *mut Handle<Cluster>) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { handle::close(relay) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_error(relay: *const Handle<Cluster>) -> *const c_char {
    // SAFETY: the header asks for a handle.
    unsafe { handle::error(relay) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_reconnect(relay: *mut Handle<Cluster>) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(relay, Cluster::connect) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_missing(
    relay: *mut Handle<Cluster>,
    count: *mut usize,
    why: *mut *const c_char,
) -> c_int {
    // SAFETY: the header asks for a handle and for places.
    unsafe {
        on(relay, |cluster| {
            let (missing, words) = cluster.missing();
            if !why.is_null() {
                put(why, words, "the place of the words")?
            }
            Ok(put(count, missing, "the place of the count")?)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_set_block(relay: *mut Handle<Cluster>, bytes: u32) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(relay, |cluster| cluster.set_block(bytes)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_set_schedule(
    relay: *mut Handle<Cluster>,
    schedule: c_int,
) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(relay, |cluster| cluster.set_schedule(schedule)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_set_watch(
    relay: *mut Handle<Cluster>,
    watch: Option<Watch>,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(relay, |cluster| cluster.set_watch(watch, context)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_put(
    relay: *mut Handle<Cluster>,
    name: *const c_char,
    data: *const c_void,
    bytes: usize,
) -> c_int {
    // SAFETY: the header asks for a handle, a text, and that number of bytes.
    unsafe {
        on(relay, |cluster| {
            let data = slice(data.cast::<u8>(), bytes, "the data")?;
            let mut feed = |at: u64, to: &mut [u8]| {
                to.copy_from_slice(&data[at as usize..][..to.len()]);
                Ok(())
            };
            cluster.put(text(name, "the name")?, bytes as u64, &mut feed)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_put_from(
    relay: *mut Handle<Cluster>,
    name: *const c_char,
    bytes: u64,
    feed: Option<Feed>,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header asks for a handle, a text and a function.
    unsafe {
        on(relay, |cluster| {
            let feed = given(feed, "the callback")?;
            let mut feed = |at: u64, to: &mut [u8]| {
                state::obeyed(feed(context, at, to.as_mut_ptr().cast(), to.len()))
            };
            cluster.put(text(name, "the name")?, bytes, &mut feed)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_get(
    relay: *mut Handle<Cluster>,
    name: *const c_char,
    buffer: *mut c_void,
    capacity: usize,
    bytes: *mut u64,
) -> c_int {
    // SAFETY: the header asks for a handle, a text, that number of bytes, and a place.
    unsafe {
        on(relay, |cluster| {
            let name = text(name, "the name")?;
            place(bytes, "the place of the length")?;
            let buffer = slice_mut(buffer.cast::<u8>(), capacity, "the buffer")?;
            let length = cluster.find(name)?.length;
            put(bytes, length, "the place of the length")?;
            if length > capacity as u64 {
                let words = format!("{name:?} has {length} bytes, the buffer has {capacity}");
                return Err(Problem::bad(words));
            }
            let read = cluster.get_into(name, buffer)?;
            Ok(put(bytes, read, "the place of the length")?)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_get_to(
    relay: *mut Handle<Cluster>,
    name: *const c_char,
    sink: Option<Sink>,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header asks for a handle, a text and a function.
    unsafe {
        on(relay, |cluster| {
            let (name, sink) = (text(name, "the name")?, given(sink, "the callback")?);
            cluster.find(name)?;
            let mut take =
                |bytes: &[u8]| state::obeyed(sink(context, bytes.as_ptr().cast(), bytes.len()));
            cluster.get(name, &mut take)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_stat(
    relay: *mut Handle<Cluster>,
    name: *const c_char,
    object: *mut Object,
) -> c_int {
    // SAFETY: the header asks for a handle, a text, and a place or NULL.
    unsafe {
        on(relay, |cluster| {
            let found = cluster.find(text(name, "the name")?)?;
            match object.is_null() {
                true => Ok(()),
                false => Ok(put(object, found, "the place of the object")?),
            }
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_list(
    relay: *mut Handle<Cluster>,
    names: Option<Names>,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header asks for a handle and a function.
    unsafe {
        on(relay, |cluster| {
            let names = given(names, "the callback")?;
            cluster.list(&mut |name, object| {
                let object = object.map_or(std::ptr::null(), |object| &raw const *object);
                names(context, name.as_ptr(), object)
            })
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_relay_remove(
    relay: *mut Handle<Cluster>,
    name: *const c_char,
) -> c_int {
    // SAFETY: the header asks for a handle and a text.
    unsafe { on(relay, |cluster| cluster.remove(text(name, "the name")?)) }
}
