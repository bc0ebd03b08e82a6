//! The first event that two runs of the same thing do not have in common.
//!
//! Both are run with their sums; then once more, where they have more events than can be kept, of
//! the first slice of time that differs, with its events. What is not the same each time is run
//! again some times.
use crate::failure::Failure;
use crate::sums::{Difference, Sums, Window, compare};

/// Runs that differ, and then do not.
const TRIES: u32 = 3;

/// Where a run's sums come from.
pub enum Source<'a> {
    File(Box<Sums>),
    /// A run that can be made as often as one likes, and the window that is asked of it.
    Run(Box<dyn FnMut(Window) -> Result<Sums, Failure> + 'a>, Option<Window>),
}

impl Source<'_> {
    fn sums(&mut self, window: Window) -> Result<Sums, Failure> {
        match self {
            Source::File(sums) => Ok((**sums).clone()),
            Source::Run(run, _) => run(window),
        }
    }

    fn is_file(&self) -> bool {
        matches!(self, Source::File(_))
    }

    /// The window of a file, or the one that is typed.
    fn given(&self) -> Option<Window> {
        match self {
            Source::File(sums) => Some(sums.window),
            Source::Run(_, within) => *within,
        }
    }
}

#[derive(Debug)]
pub struct Found {
    /// The last sums of both.
    pub a: Sums,
    /// The same of the other.
    pub b: Sums,
    pub difference: Difference,
    /// They differed, and then did not: where it was the last time.
    pub unsteady: Option<Window>,
}

/// Looks for the first difference.
///
/// # Errors
/// Bad input where these are runs of different things, or files of different windows; what the runs
/// fail with.
pub fn search(a: &mut Source<'_>, b: &mut Source<'_>) -> Result<Found, Failure> {
    let first = given(a, b)?;
    let (mut window, mut tries, mut unsteady) = (first, 1, None);
    loop {
        let (of_a, of_b) = (a.sums(window)?, b.sums(window)?);
        check_same(&of_a, &of_b)?;
        let difference = compare(&of_a, &of_b);
        let found = move |difference| Found { a: of_a, b: of_b, difference, unsteady };
        match difference {
            Difference::Within { window: next, .. } if !a.is_file() && !b.is_file() => {
                window = next
            }
            Difference::None if window != first && tries < TRIES => {
                (unsteady, window, tries) = (Some(window), first, tries + 1)
            }
            Difference::None if window != first => {
                unsteady = Some(window);
                return Ok(Found { unsteady, ..found(difference) });
            }
            _ => return Ok(found(difference)),
        }
    }
}

/// The window that files and runs prescribe.
fn given(a: &Source<'_>, b: &Source<'_>) -> Result<Window, Failure> {
    match (a.given(), b.given()) {
        (Some(a), Some(b)) if a != b => Err(Failure::BadInput(format!(
            "the first is of --within {a}, the second of --within {b}: expected the same window"
        ))),
        (Some(window), _) | (None, Some(window)) => Ok(window),
        (None, None) => Ok(Window::WHOLE),
    }
}

fn check_same(a: &Sums, b: &Sums) -> Result<(), Failure> {
    if a.of == b.of {
        return Ok(());
    }
    Err(Failure::BadInput(format!(
        "these are runs of different things: {} and {}; expected the same scenario, settings and \
         seed, run in two ways",
        a.of, b.of
    )))
}
