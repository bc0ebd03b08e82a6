//! Commands of systems (`tenbin import NAME`, `tenbin plan NAME`, `tenbin audit NAME`, and those of
//! one system only) and of `tenbin-lab`.
use super::SYSTEMS;
use crate::failure::Failure;
use crate::python;
use crate::real::{self, RealCommands};
use clap::{ArgMatches, Command};
use system::{Action, System};

/// A verb with its action for each system.
struct Verb {
    name: &'static str,
    about: &'static str,
    of: fn(&'static System) -> &'static [&'static dyn Action],
}

const VERBS: [Verb; 3] = [
    Verb {
        name: "import",
        about: "Make a scenario or a run from a real system's files",
        of: |system| system.imports,
    },
    Verb {
        name: "plan",
        about: "Search for settings: which, their gain, how to apply and undo them",
        of: |system| system.plans,
    },
    Verb {
        name: "audit",
        about: "Examine a real cluster: problems, their cost, their repair",
        of: |system| system.audits,
    },
];

/// Position of the verbs in the list of commands, which have steps of 10.
const PLACE: usize = 25;

impl Verb {
    fn actions(&self) -> Vec<&'static dyn Action> {
        SYSTEMS.all().flat_map(self.of).copied().collect()
    }
}

fn verbs(
    real: Option<&RealCommands>,
) -> Vec<(&'static str, &'static str, Vec<&'static dyn Action>)> {
    let of_systems = VERBS.map(|verb| (verb.name, verb.about, verb.actions()));
    let twins = real.map(|real| ("twin", real::TWIN, real.twins.to_vec()));
    of_systems.into_iter().chain(twins).collect()
}

/// Commands of a single system, and of `tenbin-lab`.
fn own(real: Option<&RealCommands>) -> Vec<&'static dyn Action> {
    let of_lab = real.map_or(&[][..], |real| real.commands);
    SYSTEMS.all().flat_map(|system| system.commands).chain(of_lab).copied().collect()
}

/// Adds the verbs with the systems' actions to the command line.
pub fn with_actions(mut line: Command, real: Option<&RealCommands>) -> Command {
    // Steps of 10 leave positions for the systems' commands.
    let names: Vec<String> = line.get_subcommands().map(|one| one.get_name().into()).collect();
    for (place, name) in names.into_iter().enumerate() {
        line = line.mut_subcommand(name, |command| command.display_order(10 * place))
    }
    for (name, about, actions) in verbs(real) {
        let new = Command::new(name).about(about).display_order(PLACE);
        let new = new.subcommand_required(true).arg_required_else_help(true);
        line = line.subcommand(new.subcommands(actions.into_iter().map(Action::command)))
    }
    if real.is_none() {
        line = line.subcommands(real::placeholders())
    }
    line = python::with_on(line).subcommands(python::placeholders());
    line.subcommands(own(real).into_iter().map(Action::command))
}

pub struct Act {
    action: &'static dyn Action,
    arguments: ArgMatches,
}

/// `None`: the command line requests no action.
pub fn act_of(arguments: &ArgMatches, real: Option<&RealCommands>) -> Option<Act> {
    let (verb, of_verb) = arguments.subcommand()?;
    if let Some(action) = own(real).into_iter().find(|action| action.name() == verb) {
        return Some(Act { action, arguments: of_verb.clone() });
    }
    let (name, of_action) = of_verb.subcommand()?;
    let (_, _, actions) = verbs(real).into_iter().find(|(known, ..)| *known == verb)?;
    let action = actions.into_iter().find(|action| action.name() == name)?;
    Some(Act { action, arguments: of_action.clone() })
}

pub fn act(act: &Act) -> Result<(), Failure> {
    if crate::ranks::is_first() { act.action.run(&act.arguments) } else { Ok(()) }
}
