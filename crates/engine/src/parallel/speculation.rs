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
enum PanicOutput {
    /// Printed.
    Open,
    /// Dropped.
    Shut,
    /// Kept, and printed if the panic is the run's first.
    Later,
}

thread_local! {
    static PANIC_OUTPUT: Cell<PanicOutput> = const { Cell::new(PanicOutput::Open) };
    static KEPT_MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs speculative work: a panic in it prints nothing. All other panics call the previous hook.
pub(crate) fn without_panic_message<R>(f: impl FnOnce() -> R) -> R {
    with_panic_output(PanicOutput::Shut, f)
}

/// Runs work that another thread's panic may precede: [`take_panic_message`] returns the message
/// of a panic.
pub(crate) fn keeping_panic_message<R>(f: impl FnOnce() -> R) -> R {
    with_panic_output(PanicOutput::Later, f)
}

/// Takes the message of the last panic on this thread.
pub(crate) fn take_panic_message() -> String {
    KEPT_MESSAGE.take()
}

/// Treats a text like the message of the panic that it belongs to.
pub(crate) fn print_panic_message(text: &str) {
    match PANIC_OUTPUT.get() {
        PanicOutput::Open => eprintln!("{text}"),
        PanicOutput::Shut => {}
        PanicOutput::Later => keep_message(text),
    }
}

fn keep_message(text: &str) {
    KEPT_MESSAGE.with_borrow_mut(|kept| *kept = format!("{kept}{text}\n"))
}

fn with_panic_output<R>(output: PanicOutput, f: impl FnOnce() -> R) -> R {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| match PANIC_OUTPUT.get() {
            PanicOutput::Open => before(info),
            PanicOutput::Shut => {}
            PanicOutput::Later => keep_message(&panic_message(info)),
        }))
    });
    let before = PANIC_OUTPUT.replace(output);
    let result = f();
    PANIC_OUTPUT.set(before);
    result
}

/// The text of the standard hook.
fn panic_message(info: &PanicHookInfo<'_>) -> String {
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
        let said =
            keeping_panic_message(|| catch_unwind(|| panic!("no such disk")).expect_err("a panic"));
        assert!(said.is::<&str>());
        let message = take_panic_message();
        assert!(
            message.contains("speculation.rs:") && message.contains("no such disk\n"),
            "{message}"
        );
        assert_eq!(take_panic_message(), "");
        keeping_panic_message(|| {
            without_panic_message(|| catch_unwind(|| panic!("never was")).expect_err("a panic"))
        });
        assert_eq!(take_panic_message(), "")
    }
}
