//! `tenbin_transport_…`: the trait's verbs over TCP. What each function promises stands in the
//! header.
mod state;

pub use state::{Block, End, Happened};

use crate::border::{optional, put, slice, text};
use crate::handle::{self, Code, Handle, Problem, on};
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use xor_relay::transport::{Transport as _, Waker};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_open(
    listen: *const c_char,
    keys: *const c_char,
    transport: *mut *mut Handle<End>,
) -> c_int {
    // SAFETY: the header asks for texts or NULL, and for a place of a pointer.
    unsafe {
        handle::open(transport, End::default(), |end| {
            let listen = optional(listen, "where to listen")?;
            end.open(listen, optional(keys, "the keys’ folder")?.map(Path::new))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_close(transport: *mut Handle<End>) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { handle::close(transport) }
}

/// The words to the last code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_error(transport: *const Handle<End>) -> *const c_char {
    // SAFETY: the header asks for a handle.
    unsafe { handle::error(transport) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_address(
    transport: *mut Handle<End>,
    address: *mut *const c_char,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe { on(transport, |end| put(address, end.address()?, "the place of the address")) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_connect(
    transport: *mut Handle<End>,
    address: *const c_char,
    node: usize,
    link: *mut u32,
) -> c_int {
    // SAFETY: the header asks for a handle, a text and a place.
    unsafe {
        on(transport, |end| {
            let address = text(address, "the address")?;
            crate::border::place(link, "the place of the link")?;
            put(link, end.connect(address, node)?, "the place of the link")
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_disconnect(
    transport: *mut Handle<End>,
    link: u32,
) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(transport, |end| end.disconnect(link)) }
}

/// Whether the other end may be a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_is_node(
    transport: *mut Handle<End>,
    link: u32,
    node: usize,
    is: *mut c_int,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe {
        on(transport, |end| {
            let is_node = end.tcp_of(link)?.is_node(link, node);
            put(is, c_int::from(is_node), "the place of the answer")
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_register(
    transport: *mut Handle<End>,
    slots: usize,
    slot_bytes: usize,
    ring: *mut u32,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe {
        on(transport, |end| {
            crate::border::place(ring, "the place of the ring")?;
            put(ring, end.register(slots, slot_bytes)?, "the place of the ring")
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_release(transport: *mut Handle<End>, ring: u32) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(transport, |end| end.release(ring)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_allow(
    transport: *mut Handle<End>,
    link: u32,
    ring: u32,
    slots: usize,
) -> c_int {
    // SAFETY: the header asks for a handle.
    unsafe { on(transport, |end| end.allow(link, ring, slots)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_slot(
    transport: *mut Handle<End>,
    ring: u32,
    slot: u32,
    memory: *mut *mut u8,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe { on(transport, |end| put(memory, end.slot(ring, slot)?, "the place of the pointer")) }
}

/// Bytes of all rings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_registered(
    transport: *mut Handle<End>,
    bytes: *mut usize,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe { on(transport, |end| put(bytes, end.tcp()?.registered(), "the place of the number")) }
}

/// Writes a block into a peer's ring.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_write(
    transport: *mut Handle<End>,
    link: u32,
    write: *const Block,
) -> c_int {
    // SAFETY: the header asks for a handle and a block.
    unsafe {
        on(transport, |end| match slice(write, 1, "the block")? {
            [block] => end.write(link, block),
            _ => Err(Problem::bad("no block")),
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_send(
    transport: *mut Handle<End>,
    link: u32,
    data: *const c_void,
    bytes: usize,
) -> c_int {
    // SAFETY: the header asks for a handle and so many bytes.
    unsafe { on(transport, |end| end.send(link, slice(data.cast::<u8>(), bytes, "the message")?)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_poll(
    transport: *mut Handle<End>,
    wait_ms: u32,
    event: *mut Happened,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe {
        on(transport, |end| {
            // An event that nobody takes would be lost.
            crate::border::place(event, "the place of the event")?;
            let happened = end.poll(Duration::from_millis(wait_ms.into()))?;
            put(event, happened, "the place of the event")
        })
    }
}

/// Time since it was opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_now(
    transport: *mut Handle<End>,
    nanoseconds: *mut u64,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe {
        on(transport, |end| {
            let now = end.tcp()?.now().as_nanos() as u64;
            put(nanoseconds, now, "the place of the time")
        })
    }
}

/// Makes what other threads wake it with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_transport_waker(
    transport: *mut Handle<End>,
    waker: *mut *mut Waker,
) -> c_int {
    // SAFETY: the header asks for a handle and a place.
    unsafe {
        on(transport, |end| {
            crate::border::place(waker, "the place of the waker")?;
            let made = Box::into_raw(Box::new(end.tcp()?.waker()));
            put(waker, made, "the place of the waker")
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_waker_wake(waker: *const Waker, number: u64) -> c_int {
    // SAFETY: the header asks for a waker, which threads may share.
    let Some(waker) = (unsafe { waker.as_ref() }) else { return Code::BadInput as c_int };
    match catch_unwind(AssertUnwindSafe(|| waker.wake(number))) {
        Ok(()) => Code::Ok as c_int,
        Err(_) => Code::Bug as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_waker_free(waker: *mut Waker) {
    if !waker.is_null() {
        // SAFETY: it was made by `Box::into_raw`, and the header asks that it is not used again.
        let waker = unsafe { Box::from_raw(waker) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(waker)));
    }
}
