//! Writes the scenario of a run, with remarks on what it uses and what not.
use super::Run;
use super::options::{OptionUse, Options};
use super::output::Results;
use crate::model::mdtest::Rates;
use std::fmt::Write as _;

/// Limit of `mdtest.items`.
const MOST: u64 = u32::MAX as u64;

/// Items of all tasks above which a run needs more memory than most machines have, and the number
/// used instead.
const TOO_MANY: u64 = 100_000_000;
const ENOUGH: u64 = 10_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Phases {
    create: bool,
    stat: bool,
    read: bool,
    rename: bool,
    remove: bool,
}

impl Phases {
    /// Without `-C -T -E -r -U` mdtest runs all phases; renames of directories since IOR 4.0.
    fn of(options: &Options, version: &str, measured: &Rates) -> Phases {
        let has = |letter| options.has(letter);
        let named = ['C', 'T', 'E', 'r', 'U'].into_iter().any(has);
        let renames = match version {
            "" => true,
            _ => measured.rate("Directory rename").is_some(),
        };
        Phases {
            create: !named || has('C'),
            stat: !named || has('T'),
            read: !named || has('E'),
            rename: has('U') || !named && renames && !has('F') && !has('S'),
            remove: !named || has('r'),
        }
    }
}

/// The tree, and the items of a task in it, as mdtest counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tree {
    items: u64,
    each: u64,
    depth: u64,
    branch: u64,
}

impl Tree {
    fn of(options: &Options) -> Tree {
        let [items, each, depth] = ['n', 'I', 'z'].map(|letter| options.number(letter));
        let branch = options.number_or('b', 1).max(1);
        let leaves = branch.saturating_pow(u32::try_from(depth).unwrap_or(u32::MAX));
        let all = match branch {
            1 => depth + 1,
            _ => (leaves.saturating_mul(branch) - 1) / (branch - 1),
        };
        let holding = if options.has('L') { leaves } else { all };
        match (items, each) {
            // Without -z, mdtest makes items / each directories next to each other.
            (1.., 1..) if depth == 0 => match items / each {
                1 => Tree { items, each, depth, branch },
                trees => Tree { items, each, depth: 1, branch: trees },
            },
            (1.., 1..) => Tree { items: items.saturating_mul(all), each: items, depth, branch },
            (0, each) => Tree { items: each.saturating_mul(holding), each, depth, branch },
            // Items are divided evenly, without the remainder.
            (items, _) => Tree { items: items / holding * holding, each: 0, depth, branch },
        }
    }
}

/// The scenario, and the measured rates by the number of tasks.
///
/// # Errors
/// A run that cannot be simulated.
pub fn written(
    run: &Run,
    tasks: u64,
    options: &Options,
) -> Result<(String, Vec<(u64, Rates)>), String> {
    let mut notes = Notes::of(run, options);
    let none = Results::default();
    let results = run.output.results.last().unwrap_or(&none);
    let tree = Tree::of(options);
    let made = results.made(tasks).filter(|_| options.number('W') > 0 || options.has('x'));
    let items = items(options, &tree, made, &mut notes)?;
    let measured = measured(run, results, tasks, made.unwrap_or(items), options);
    let tasks = counts(run, options, tasks, &mut notes);
    let items = fewer(items, tasks, options, &mut notes);
    let phases = Phases::of(options, &run.output.version, &measured);
    let stride = run.output.shift.unwrap_or(options.number('N'));
    let mut runs = vec![(tasks, measured.clone())];
    let others = run.output.results.split_last().map_or(&[][..], |(_, others)| others);
    let of = |one: &Results| one.tasks.map(|tasks| (tasks, Rates(one.measured(tasks, items))));
    runs.extend(others.iter().filter_map(of));
    let text = Text { options, tree, items, tasks, stride, phases, measured }.keys();
    Ok((format!("{}{text}", notes.0), runs))
}

/// Items of a task. With `-W`, `-n` is only the limit. With `-x`, a file has the number, and the
/// output implies it.
fn items(
    options: &Options,
    tree: &Tree,
    made: Option<u64>,
    notes: &mut Notes,
) -> Result<u64, String> {
    let wall = options.number('W') > 0 && (options.has('C') || !any_phase(options));
    let n = options.number('n');
    match (made, wall, options.has('x')) {
        (Some(made), true, _) => {
            notes.say(format!("-W ends creation: in this run the fastest task had created {made}."))
        }
        (None, true, _) => notes.say(format!("-W ends creation: a task creates at most -n {n}.")),
        (Some(made), false, true) => {
            let so = format!("{made}, by its rates and times");
            notes.say(format!("-x: an earlier run had created fewer than -n {n} of a task: {so}."));
            return Ok(made);
        }
        (None, false, true) if !options.has('C') => notes.say(format!(
            "-x: an earlier run may have created fewer than -n {n} of a task: set mdtest.items to \
             the value in its file."
        )),
        _ => {}
    }
    match tree.items {
        0 => Err(format!(
            "-n {n}: expected as many items as there are directories (-z, -b), or more"
        )),
        items if wall => Ok(items.min(MOST)),
        items if items > MOST => {
            Err(format!("{items} items of each task: expected {MOST} or fewer, or -W"))
        }
        items => Ok(items),
    }
}

/// Limits the items to what fits into memory. With `-W` the time limits them.
fn fewer(items: u64, tasks: u64, options: &Options, notes: &mut Notes) -> u64 {
    let wall = options.number('W') > 0 && (options.has('C') || !any_phase(options));
    if wall || items.saturating_mul(tasks) <= TOO_MANY {
        return items;
    }
    let enough = (ENOUGH / tasks).max(1);
    notes.say(format!(
        "{items} items of each of {tasks} tasks are too many for a run, and a rate needs fewer: \
         here {enough}; mdtest.items = {items} has all."
    ));
    enough
}

fn any_phase(options: &Options) -> bool {
    ['C', 'T', 'E', 'r', 'U'].into_iter().any(|letter| options.has(letter))
}

/// Rates as printed, or IO500's score of the phase.
fn measured(run: &Run, results: &Results, tasks: u64, items: u64, options: &Options) -> Rates {
    let named = [('C', "creation"), ('T', "stat"), ('E', "read"), ('r', "removal")];
    let phase = named.iter().find(|(letter, _)| options.has(*letter));
    match (run.score.filter(|score| *score > 0.0), phase) {
        (Some(score), Some((_, act))) => {
            let what = if options.has('D') { "Directory" } else { "File" };
            Rates(vec![(format!("{what} {act}"), (score * 1e6).round() / 1e3)])
        }
        _ => Rates(results.measured(tasks, items)),
    }
}

/// Tasks. `-f`, `-l` and `-s` make a run for each number of tasks; the largest counts.
fn counts(run: &Run, options: &Options, tasks: u64, notes: &mut Notes) -> u64 {
    let last = options.number('l').min(tasks);
    let (first, step) = (options.number_or('f', 1).max(1), options.number_or('s', 1).max(1));
    if options.number('l') == 0 || first > last {
        return tasks;
    }
    let most = first + (last - first) / step * step;
    if most > first {
        let lines: Vec<String> =
            run.output.results.iter().rev().skip(1).map(|one| one.line.to_string()).collect();
        let of = match lines.is_empty() {
            true => String::new(),
            false => {
                format!(" Only fitted times use the results from line {} on.", lines.join(", "))
            }
        };
        notes.say(format!(
            " -f {first} -l {last} -s {step} run mdtest with {first} to {most} tasks: here with \
             {most}; for another number: --set cluster.clients={first}.{of}"
        ))
    }
    run.output.results.last().and_then(|results| results.tasks).unwrap_or(most)
}

/// Remarks at the head of the file.
struct Notes(String);

impl Notes {
    fn of(run: &Run, options: &Options) -> Notes {
        let version = match run.output.version.as_str() {
            "" => String::new(),
            version => format!(" {version}:"),
        };
        let mut notes = Notes(String::new());
        notes.say(format!("mdtest{version} {}.", options.written()));
        for (usage, words) in [
            (OptionUse::Elsewhere, "Not of the metadata service, and left out"),
            (OptionUse::Lacking, "Not simulated"),
        ] {
            let all = options.with_use(usage);
            if !all.is_empty() {
                notes.say(format!("{words}: {all}."))
            }
        }
        if !run.shell_rest.is_empty() {
            notes.say(format!("The shell's, and left out: {}.", run.shell_rest.join(" ")))
        }
        options.notes.iter().for_each(|note| notes.say(format!("{note}.")));
        notes.say(
            "mdtest's output has neither the number of metadata servers nor the speed of their \
             stores."
                .into(),
        );
        notes
    }

    /// Adds a comment line. Control characters cannot end it.
    fn say(&mut self, sentence: String) {
        let _ = writeln!(self.0, "# {}", sentence.replace(char::is_control, " "));
    }
}

struct Text<'a> {
    options: &'a Options,
    tree: Tree,
    items: u64,
    tasks: u64,
    stride: u64,
    phases: Phases,
    measured: Rates,
}

impl Text<'_> {
    fn keys(&self) -> String {
        let Text { options, tree, phases, measured, .. } = self;
        let mut text = format!(
            "[model]\nsystem = \"ppmds\"\n\n[cluster]\nservers = 1\nclients = {}\n\n[workload]\n\
             kind = \"mdtest\"\n\n[mdtest]\nitems = {}\n",
            self.tasks, self.items
        );
        let mut set = |key: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{key} = {value}");
        };
        match (options.has('F') || options.has('S'), options.has('D') && !options.has('S')) {
            (true, false) => set("items_are", &"\"files\""),
            (false, true) => set("items_are", &"\"directories\""),
            _ => {}
        }
        for (key, value, absent) in [
            // A shift by the number of tasks has no effect.
            ("stride", self.stride % self.tasks, 0),
            ("depth", tree.depth, 0),
            ("branch", tree.branch, 1),
            ("items_per_directory", tree.each.min(MOST), 0),
            ("iterations", options.number_or('i', 1).max(1), 1),
        ] {
            if value != absent {
                set(key, &value)
            }
        }
        for (key, is, absent) in [
            ("unique", options.has('u'), false),
            ("leaves", options.has('L'), false),
            ("create", phases.create, true),
            ("stat", phases.stat, true),
            ("read", phases.read, true),
            ("rename", phases.rename, false),
            ("remove", phases.remove, true),
        ] {
            if is != absent {
                set(key, &is)
            }
        }
        // Limit of a time: 30 years.
        let seconds = options.number('W').min(1_000_000_000);
        if seconds > 0 && phases.create {
            set("stonewall", &format!("\"{seconds}s\""))
        }
        if !measured.0.is_empty() {
            set("measured", &format!("\"{measured}\""))
        }
        text
    }
}
