//! Commands that a system adds.
use crate::failure::Failure;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// An import, a plan, an audit, a twin, or a command of one system only.
pub trait Action: Sync {
    /// `NAME` of `tenbin import NAME`.
    fn name(&self) -> &'static str;

    fn command(&self) -> Command;

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure>;
}

/// clap parses the arguments into `A`.
pub struct TypedAction<A: 'static> {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(A) -> Result<(), Failure>,
}

impl<A: Args + FromArgMatches> Action for TypedAction<A> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn command(&self) -> Command {
        // This order: the doc comment of `A` would replace `about`.
        A::augment_args(Command::new(self.name)).about(self.about)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        (self.run)(A::from_arg_matches(arguments).expect("clap has read them"))
    }
}
