//! Commands that a system brings: `tenbin import NAME`, `tenbin plan NAME`, `tenbin audit NAME`,
//! `tenbin twin NAME`, and those that no other system has.
use super::SYSTEMS;
use crate::failure::Failure;
use clap::{ArgMatches, Command};
use system::{Action, System};

/// A verb, and the actions that a system has for it.
struct Verb {
    name: &'static str,
    about: &'static str,
    /// Its place in the list of commands.
    place: usize,
    of: fn(&'static System) -> &'static [&'static dyn Action],
}

const VERBS: [Verb; 4] = [
    Verb {
        name: "import",
        about: "Make a scenario, or a run, of a real system's own files",
        place: 25,
        of: |system| system.imports,
    },
    Verb {
        name: "plan",
        about: "Search for settings: which, what they gain, how to apply and undo them",
        place: 25,
        of: |system| system.plans,
    },
    Verb {
        name: "audit",
        about: "Examine a real cluster: what is wrong, what it costs, what mends it",
        place: 25,
        of: |system| system.audits,
    },
    Verb {
        name: "twin",
        about: "Run a scenario for real, on a testbed, and hold its simulation against it",
        place: 25,
        of: |system| system.twins,
    },
];

impl Verb {
    fn actions(&self) -> impl Iterator<Item = &'static dyn Action> {
        let of = self.of;
        SYSTEMS.all().flat_map(of).copied()
    }
}

/// Commands that one system alone has.
fn own() -> impl Iterator<Item = &'static dyn Action> {
    SYSTEMS.all().flat_map(|system| system.commands).copied()
}

/// The argument line's description, with the systems' actions below their verbs.
pub fn with_actions(mut line: Command) -> Command {
    // Ten apart, so that what systems bring can stand between.
    let names: Vec<String> = line.get_subcommands().map(|one| one.get_name().into()).collect();
    for (place, name) in names.into_iter().enumerate() {
        line = line.mut_subcommand(name, |command| command.display_order(10 * place))
    }
    for verb in VERBS {
        let commands: Vec<Command> = verb.actions().map(Action::command).collect();
        if commands.is_empty() {
            continue;
        }
        let new = Command::new(verb.name).about(verb.about).display_order(verb.place);
        let new = new.subcommand_required(true).arg_required_else_help(true);
        line = line.subcommand(new.subcommands(commands))
    }
    line.subcommands(own().map(Action::command))
}

/// Whether the arguments ask for an action.
pub fn act_of(arguments: &ArgMatches) -> bool {
    find(arguments).is_some()
}

/// Does the action that the arguments ask for; the caller has asked whether they do.
pub fn act(arguments: &ArgMatches) -> Result<(), Failure> {
    let (action, of_action) = find(arguments).expect("the caller has asked");
    if crate::ranks::is_first() { action.run(of_action) } else { Ok(()) }
}

fn find(arguments: &ArgMatches) -> Option<(&'static dyn Action, &ArgMatches)> {
    let (verb, of_verb) = arguments.subcommand()?;
    if let Some(action) = own().find(|action| action.name() == verb) {
        return Some((action, of_verb));
    }
    let (name, of_action) = of_verb.subcommand()?;
    let verb = VERBS.into_iter().find(|known| known.name == verb)?;
    let action = verb.actions().find(|action| action.name() == name)?;
    Some((action, of_action))
}
