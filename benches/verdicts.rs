//! What a benchmark owes: whether each figure keeps its bound, in words and in the exit code.
use std::process::ExitCode;

/// Figures that miss their bounds.
#[derive(Default)]
pub(crate) struct Verdicts {
    missed: usize,
}

impl Verdicts {
    /// The word for a figure that does, or does not.
    pub(crate) fn of(&mut self, holds: bool) -> &'static str {
        self.missed += usize::from(!holds);
        if holds { "held" } else { "MISSED" }
    }

    /// Failure, where one was missed. What was not measured is not missed.
    pub(crate) fn exit(&self) -> ExitCode {
        if self.missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
