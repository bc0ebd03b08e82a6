//! Panics that may not count: on states that never were, of events that another panic forestalls.
use std::{
    any::Any,
    backtrace::{Backtrace, BacktraceStatus},
    cell::{Cell, RefCell},
    panic::{self, PanicHookInfo},
    sync::Once,
    thread,
};

/// A handler that panicked: the key of its event, and what it said.
pub(crate) type Fault = (u128, Box<dyn Any + Send>);

/// What becomes of what a panic on this thread says.
#[derive(Clone, Copy, PartialEq)]
enum Ears {
    /// All hear it.
    Open,
    /// Nobody does.
    Shut,
    /// It is kept, to be told if it turns out to be the run's first.
    Later,
}

thread_local! {
    static EARS: Cell<Ears> = const { Cell::new(Ears::Open) };
    static KEPT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs what may be undone: a panic on the way says nothing. The hook that others have set is
/// called for all other panics.
pub(crate) fn quietly<R>(f: impl FnOnce() -> R) -> R {
    listen(Ears::Shut, f)
}

/// Runs what other threads' panics may forestall: what one on the way says is [`kept`].
pub(crate) fn for_later<R>(f: impl FnOnce() -> R) -> R {
    listen(Ears::Later, f)
}

/// What the last panic on this thread has said.
pub(crate) fn kept() -> String {
    KEPT.take()
}

/// Says on stderr what belongs to a panic.
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

/// As the standard hook says it.
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
