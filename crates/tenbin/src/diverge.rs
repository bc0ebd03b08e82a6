//! Finds the first event that differs between two runs of the same simulation.
//!
//! Both run with sums. If they have more events than can be kept, both run again for the first
//! differing time window, with its events. Runs that are not deterministic are retried.
use crate::failure::Failure;
use crate::sums::{Difference, Sums, Window, compare};

/// Attempts if runs differ once and then agree.
const TRIES: u32 = 3;

pub enum Source<'a> {
    File(Box<Sums>),
    /// A repeatable run with the window to record; and the window that the user gave.
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

    fn given(&self) -> Option<Window> {
        match self {
            Source::File(sums) => Some(sums.window),
            Source::Run(_, within) => *within,
        }
    }
}

#[derive(Debug)]
pub struct Divergence {
    /// Sums of the last attempt.
    pub a: Sums,
    pub b: Sums,
    pub difference: Difference,
    /// Last differing window of runs that later agreed.
    pub unsteady: Option<Window>,
}

/// # Errors
/// Bad input: runs of different simulations, or files of different windows; errors of the runs.
pub fn search(a: &mut Source<'_>, b: &mut Source<'_>) -> Result<Divergence, Failure> {
    let first = given(a, b)?;
    let (mut window, mut tries, mut unsteady) = (first, 1, None);
    loop {
        let (of_a, of_b) = (a.sums(window)?, b.sums(window)?);
        check_same(&of_a, &of_b)?;
        let difference = compare(&of_a, &of_b);
        let found = move |difference| Divergence { a: of_a, b: of_b, difference, unsteady };
        match difference {
            Difference::Within { window: next, .. } if !a.is_file() && !b.is_file() => {
                window = next
            }
            Difference::None if window != first && tries < TRIES => {
                (unsteady, window, tries) = (Some(window), first, tries + 1)
            }
            Difference::None if window != first => {
                unsteady = Some(window);
                return Ok(Divergence { unsteady, ..found(difference) });
            }
            _ => return Ok(found(difference)),
        }
    }
}

/// The window required by files or the user; fails if they differ.
fn given(a: &Source<'_>, b: &Source<'_>) -> Result<Window, Failure> {
    match (a.given(), b.given()) {
        (Some(a), Some(b)) if a != b => Err(Failure::BadInput(format!(
            "the first has --within {a}, the second --within {b}: expected the same window"
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
        "the runs are of {} and {}: expected the same scenario, settings and seed",
        a.of, b.of
    )))
}
