//! Commands that systems bring.
use crate::failure::Failure;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// A command of a system: an import, a plan, an audit, a twin, or one of its own.
pub trait Action: Sync {
    /// `NAME` of `tenbin import NAME`.
    fn name(&self) -> &'static str;

    fn command(&self) -> Command;

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure>;
}

/// A command whose arguments clap reads into `A`.
pub struct Typed<A: 'static> {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(A) -> Result<(), Failure>,
}

impl<A: Args + FromArgMatches> Action for Typed<A> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn command(&self) -> Command {
        // The arguments' own comment would take its place.
        A::augment_args(Command::new(self.name)).about(self.about)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        (self.run)(A::from_arg_matches(arguments).expect("clap has read them"))
    }
}
