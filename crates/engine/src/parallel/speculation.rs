//! Panics on states that may never have been: nobody hears of them.
use std::{cell::Cell, panic, sync::Once};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Whether what happens on this thread may be undone.
pub(crate) fn is_on() -> bool {
    QUIET.get()
}

/// Runs what may be undone: a panic on the way says nothing. The hook that others have set is
/// called for all other panics.
pub(crate) fn quietly<R>(f: impl FnOnce() -> R) -> R {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_on() {
                before(info)
            }
        }))
    });
    let before = QUIET.replace(true);
    let result = f();
    QUIET.set(before);
    result
}
