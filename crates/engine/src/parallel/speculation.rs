//! Panics that may not count: on inconsistent states, or later than another panic.
use std::{
    any::Any,
    backtrace::{Backtrace, BacktraceStatus},
    cell::{Cell, RefCell},
    panic::{self, PanicHookInfo},
    sync::Once,
    thread,
};

/// Key of the event whose handler panicked, and the payload of the panic.
pub(crate) type Fault = (u128, Box<dyn Any + Send>);

/// Use of the message of a panic on this thread.
#[derive(Clone, Copy, PartialEq)]
enum Ears {
    /// Printed.
    Open,
    /// Dropped.
    Shut,
    /// Kept, and printed if the panic is the run's first.
    Later,
}

thread_local! {
    static EARS: Cell<Ears> = const { Cell::new(Ears::Open) };
    static KEPT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs speculative work: a panic in it prints nothing. All other panics call the previous hook.
pub(crate) fn quietly<R>(f: impl FnOnce() -> R) -> R {
    listen(Ears::Shut, f)
}

/// Runs work that another thread's panic may precede: the message of a panic is [`kept`].
pub(crate) fn for_later<R>(f: impl FnOnce() -> R) -> R {
    listen(Ears::Later, f)
}

/// Takes the message of the last panic on this thread.
pub(crate) fn kept() -> String {
    KEPT.take()
}

/// Treats a text like the message of the panic that it belongs to.
pub(crate) fn say(text: &str) {
    match EARS.get() {
        Ears::Open => eprintln!("{text}"),
        Ears::Shut => {}
        Ears::Later => keep(text),
    }
}

fn keep(text: &str) {
    KEPT.with_borrow_mut(|kept| *kept = format!("{kept}{text}\n"))
}

fn listen<R>(ears: Ears, f: impl FnOnce() -> R) -> R {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| match EARS.get() {
            Ears::Open => before(info),
            Ears::Shut => {}
            Ears::Later => keep(&words(info)),
        }))
    });
    let before = EARS.replace(ears);
    let result = f();
    EARS.set(before);
    result
}

/// The text of the standard hook.
fn words(info: &PanicHookInfo<'_>) -> String {
    let name = thread::current().name().unwrap_or("of a run").to_string();
    let trace = Backtrace::capture();
    match trace.status() {
        BacktraceStatus::Captured => format!("thread '{name}' {info}\nstack backtrace:\n{trace}"),
        _ => format!("thread '{name}' {info}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn what_is_kept_says_where_and_what() {
        let said = for_later(|| catch_unwind(|| panic!("no such disk")).expect_err("a panic"));
        assert!(said.is::<&str>());
        let told = kept();
        assert!(told.contains("speculation.rs:") && told.contains("no such disk\n"), "{told}");
        assert_eq!(kept(), "");
        for_later(|| quietly(|| catch_unwind(|| panic!("never was")).expect_err("a panic")));
        assert_eq!(kept(), "")
    }
}
