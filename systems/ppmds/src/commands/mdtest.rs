//! `tenbin import mdtest`: a scenario of mdtest's command line, and of the rates that it printed.
use crate::model::mdtest::{Rates, WHATS};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use system::import::TextImport;

/// Options with a value, and those without (IOR 4.0, `src/mdtest.c`).
const VALUES: &str = "abdefGiIlnNpRsVwWxz";
const FLAGS: &str = "ABcCDEFgkLPrStTuvXyYZ";
/// Those of them that a metadata service does not see, or that only change what is printed.
const IGNORED: &str = "aAdgGkpPRtvVxXyYZw e";

/// A scenario of a file.
pub static MDTEST: TextImport = TextImport {
    name: "mdtest",
    about: "PPMDS: mdtest's command line, or its output with the rates that it measured",
    scenario,
};

/// What a command line says, by option.
type Options = BTreeMap<char, String>;

fn scenario(text: &str) -> Result<String, (usize, String)> {
    let (mut clients, mut command, mut rates) = (None, None, Rates::default());
    let mut in_rates = false;
    let mut halves = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        // A script's line goes on behind a backslash.
        if let Some(half) = line.trim_end().strip_suffix('\\') {
            halves = format!("{halves}{half} ");
            continue;
        }
        let whole = format!("{}{line}", std::mem::take(&mut halves));
        if let Some(tasks) = launched(line) {
            clients = Some(tasks)
        } else if command.is_none() && !whole.trim_start().starts_with('#') {
            command = line_of(&whole).map_err(|why| (number, why))?;
        }
        if line.contains("SUMMARY") {
            in_rates = !line.contains("time")
        } else if in_rates && let Some((name, mean)) = rate(line) {
            rates.0.push((name, mean))
        }
    }
    let expected = "expected mdtest's command line: mpirun -np 64 mdtest -n 1000 -u -F";
    let (ranks, options) = command.ok_or_else(|| (1, format!("no mdtest in it: {expected}")))?;
    let clients = clients.or(ranks).ok_or_else(|| {
        let or = "or the line \"mdtest-4.0.0 was launched with 64 total task(s)\"";
        (1, format!("how many tasks? {expected}, {or}"))
    })?;
    Ok(written(clients, &options, &rates))
}

/// `mdtest-4.0.0 was launched with 64 total task(s) on 4 node(s)`.
fn launched(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once("was launched with ")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The tasks, if it says them, and the options of a line that starts mdtest.
fn line_of(line: &str) -> Result<Option<(Option<u32>, Options)>, String> {
    let words: Vec<&str> =
        line.split_whitespace().map(|word| word.trim_matches(['\'', '"'])).collect();
    let is = |word: &str| word.rsplit('/').next() == Some("mdtest");
    let Some(at) = words.iter().position(|word| is(word)) else { return Ok(None) };
    let (before, after) = (&words[..at], &words[at + 1..]);
    let tasks = |pair: &[&str]| match pair {
        ["-np" | "-n" | "--ntasks", count] => count.parse().ok(),
        _ => None,
    };
    let joined = before.iter().find_map(|word| word.strip_prefix("--ntasks=")?.parse().ok());
    let ranks = before.windows(2).find_map(tasks).or(joined);
    if ranks == Some(0) {
        return Err("0 tasks: expected at least one: mpirun -np 64 mdtest -n 1000".into());
    }
    Ok(Some((ranks, options(after)?)))
}

/// As `getopt` reads them: `-n 10`, `-n10`, `-n=10`, `-uF`.
fn options(words: &[&str]) -> Result<Options, String> {
    let mut all = Options::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // Long ones set what a metadata service does not see.
        if word.starts_with("--") && word.len() > 2 {
            continue;
        }
        let Some(letters) = word.strip_prefix('-').filter(|l| !l.starts_with('-')) else {
            return Err(format!("\"{word}\": expected an option of mdtest: -n 1000"));
        };
        for (at, letter) in letters.char_indices() {
            if VALUES.contains(letter) {
                let rest = letters[at + letter.len_utf8()..].trim_start_matches('=');
                let value = match rest.is_empty() {
                    true => words.next().map(|word| word.to_string()),
                    false => Some(rest.to_string()),
                };
                let value = value.ok_or_else(|| format!("-{letter}: expected a value after it"))?;
                all.insert(letter, value);
                break;
            }
            if !FLAGS.contains(letter) {
                return Err(format!("-{letter}: expected an option of mdtest (IOR 4.0)"));
            }
            all.insert(letter, String::new());
        }
    }
    for (letter, value) in all.iter().filter(|(letter, _)| "bIinNzW".contains(**letter)) {
        let number = value.parse::<u32>();
        number.map_err(|_| format!("-{letter} {value}: expected a whole number"))?;
    }
    fits(&all)?;
    Ok(all)
}

/// What mdtest itself refuses.
fn fits(all: &Options) -> Result<(), String> {
    let number = |letter: char| all.get(&letter).and_then(|value| value.parse::<u32>().ok());
    let (Some(items), Some(each)) = (number('n'), number('I')) else { return Ok(()) };
    match (items > 0 && each > 0, all.contains_key(&'u')) {
        (true, true) => Err("-n and -I with -u: mdtest takes only one of the two".into()),
        (true, _) if items % each > 0 => {
            Err(format!("-n {items}: expected a multiple of -I {each}"))
        }
        _ => Ok(()),
    }
}

/// `File creation : 1200.0 1100.0 1150.0 30.0`: the mean.
fn rate(line: &str) -> Option<(String, f64)> {
    let name = WHATS.iter().find(|name| line.trim_start().starts_with(**name))?;
    let (_, rest) = line.split_once(name)?;
    let numbers = rest.trim_start().trim_start_matches(':').split_whitespace();
    let mean = numbers.filter_map(|number| number.parse::<f64>().ok()).nth(2)?;
    (mean > 0.0).then(|| (name.to_string(), mean))
}

/// The scenario.
fn written(clients: u32, options: &Options, rates: &Rates) -> String {
    let has = |letter: char| options.contains_key(&letter);
    let number = |letter: char| options.get(&letter).and_then(|value| value.parse::<u32>().ok());
    let mut text = String::from("# mdtest");
    for (letter, value) in options {
        let _ = write!(text, " -{letter}{}{value}", if value.is_empty() { "" } else { " " });
    }
    text += ".\n";
    let ignored: Vec<String> =
        options.keys().filter(|l| IGNORED.contains(**l)).map(|l| format!("-{l}")).collect();
    if !ignored.is_empty() {
        let _ =
            writeln!(text, "# Not of the metadata service, and left out: {}.", ignored.join(" "));
    }
    let other: Vec<String> = ['B', 'S', 'c', 'f', 'l', 's']
        .into_iter()
        .filter(|letter| has(*letter))
        .map(|l| format!("-{l}"))
        .collect();
    if !other.is_empty() {
        let _ = writeln!(text, "# Not simulated: {}.", other.join(" "));
    }
    text += "# mdtest does not say how many metadata servers there are, nor how fast their stores \
             are.\n";
    let _ = write!(
        text,
        "[model]\nsystem = \"ppmds\"\n\n[cluster]\nservers = 1\nclients = {clients}\n\n\
         [workload]\nkind = \"mdtest\"\n\n[mdtest]\n"
    );
    let mut set = |key: &str, value: String| {
        let _ = writeln!(text, "{key} = {value}");
    };
    let tree = Tree::of(&number, has('L'));
    set("items", tree.items.to_string());
    match (has('F'), has('D')) {
        (true, false) => set("items_are", "\"files\"".into()),
        (false, true) => set("items_are", "\"directories\"".into()),
        _ => {}
    }
    for (key, value, absent) in [
        ("stride", number('N').unwrap_or(0), 0),
        ("depth", tree.depth, 0),
        ("branch", tree.branch, 1),
        ("items_per_directory", number('I').unwrap_or(0), 0),
        ("iterations", number('i').unwrap_or(1), 1),
    ] {
        if value != absent {
            set(key, value.to_string())
        }
    }
    for (key, is) in [("unique", has('u')), ("leaves", has('L'))] {
        if is {
            set(key, "true".into())
        }
    }
    let named = "CTEr".chars().any(has);
    for (key, letter) in [("create", 'C'), ("stat", 'T'), ("read", 'E'), ("remove", 'r')] {
        if named && !has(letter) {
            set(key, "false".into())
        }
    }
    if let Some(seconds) = number('W').filter(|seconds| *seconds > 0) {
        set("stonewall", format!("\"{seconds}s\""))
    }
    if !rates.0.is_empty() {
        set("measured", format!("\"{rates}\""))
    }
    text
}

/// The tree of directories, and how many items a task has in it.
struct Tree {
    items: u32,
    depth: u32,
    branch: u32,
}

impl Tree {
    /// With `-n` and `-I` mdtest makes as many directories as it takes, below the top.
    fn of(number: &impl Fn(char) -> Option<u32>, leaves: bool) -> Tree {
        let (depth, branch) = (number('z').unwrap_or(0), number('b').unwrap_or(1).max(1));
        let levels = if leaves { depth..=depth } else { 0..=depth };
        let holding: u32 = levels.map(|level| branch.saturating_pow(level)).sum();
        match (number('n'), number('I')) {
            (Some(items), Some(each)) if each > 0 && number('z').is_none() => {
                Tree { items, depth: 1, branch: items.div_ceil(each).max(1) }
            }
            (Some(items), _) => Tree { items, depth, branch },
            (None, each) => {
                Tree { items: each.unwrap_or(1).saturating_mul(holding), depth, branch }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_a_scenario() {
        let text = scenario(
            "mpirun -np 64 \\\n -ppn 8 /opt/ior/mdtest \\\n'-n' '1000' -uF -N1 -W=30 -w 3901",
        )
        .expect("it is one");
        for line in [
            "clients = 64",
            "items = 1000",
            "items_are = \"files\"",
            "unique = true",
            "stride = 1",
            "stonewall = \"30s\"",
            "# Not of the metadata service, and left out: -w.",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}: {text}")
        }
    }

    #[test]
    fn rates_are_kept_and_times_are_not() {
        let text = "mdtest-4.0.0 was launched with 4 total task(s) on 1 node(s)\n\
                    Command line used: ./mdtest '-n' '10' '-C' '-T'\n\
                    SUMMARY rate (in ops/sec): (of 1 iterations)\n\
                    \x20  File creation     :   14000.0   12000.0   13000.5    100.0\n\
                    \x20  File stat             90000.0   80000.0   85000.0    100.0\n\
                    SUMMARY time: (of 1 iterations)\n\
                    \x20  File creation     :   1.0   2.0   3.0   4.0\n";
        let text = scenario(text).expect("it is one");
        let measured = "measured = \"File creation 13000.5, File stat 85000\"";
        assert!(text.lines().any(|line| line == measured), "{text}");
        assert!(text.contains("clients = 4") && text.contains("remove = false"), "{text}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line, why) in [
            ("# nothing\n", 1, "no mdtest"),
            ("mdtest -n 10\n", 1, "how many tasks"),
            ("#\nmpirun -np 4 mdtest -n ten\n", 2, "-n ten"),
            ("mpirun -np 4 mdtest -Q\n", 1, "-Q"),
            ("mpirun -np 4 mdtest -n\n", 1, "-n: expected a value"),
            ("mpirun -np 4 mdtest fast\n", 1, "\"fast\""),
            ("mpirun -np 4 mdtest -n 10 -I 3\n", 1, "a multiple of -I 3"),
            ("mpirun -np 4 mdtest -n 10 -I 5 -u\n", 1, "only one of the two"),
        ] {
            let (at, said) = scenario(text).expect_err("it is wrong");
            assert!(at == line && said.contains(why), "{text}: {at}: {said}")
        }
    }
}
