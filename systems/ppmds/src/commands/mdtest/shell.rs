//! Parses shell lines: finds commands that start mdtest, and their number of tasks.

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// `None`: the launcher does not state it.
    pub tasks: Option<u64>,
    pub words: Vec<String>,
    /// Redirections and following commands, which only the shell reads.
    pub shell_rest: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Word(String),
    /// `;`, `|`, `&`, `&&`, `||`, `(`, `)`: start another command.
    Next(String),
    /// `>`, `2>`, `&>`, `<`, `>>`, with an attached target.
    Redirection(String),
}

/// Words of a command line that a program printed. Removes quotes; operators are plain words.
pub fn words(text: &str) -> Vec<String> {
    let word = |piece| match piece {
        Piece::Word(word) | Piece::Next(word) | Piece::Redirection(word) => word,
    };
    pieces(text, false).into_iter().map(word).collect()
}

/// The commands of a line that start mdtest.
pub fn launches(line: &str) -> Vec<Launch> {
    let mut all = Vec::new();
    let mut command: Vec<Piece> = Vec::new();
    for piece in pieces(line, true) {
        match piece {
            Piece::Next(operator) => {
                if let Some(launch) = launch(std::mem::take(&mut command)) {
                    all.push(launch)
                }
                // The pipe of `mdtest … | tee out` belongs to the tail.
                if let Some(last) = all.last_mut() {
                    last.shell_rest.push(operator)
                }
            }
            other => command.push(other),
        }
    }
    match launch(command.clone()) {
        Some(launch) => all.push(launch),
        None => {
            if let Some(last) = all.last_mut() {
                last.shell_rest.extend(command.into_iter().map(|piece| match piece {
                    Piece::Word(text) | Piece::Next(text) | Piece::Redirection(text) => text,
                }))
            }
        }
    }
    all
}

fn launch(pieces: Vec<Piece>) -> Option<Launch> {
    let (mut words, mut shell_rest) = (Vec::new(), Vec::new());
    let mut pieces = pieces.into_iter();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Word(word) | Piece::Next(word) => words.push(word),
            Piece::Redirection(text) => {
                let is_bare = text.ends_with(['>', '<']);
                shell_rest.push(text);
                if let (true, Some(Piece::Word(target))) = (is_bare, pieces.next()) {
                    shell_rest.push(target)
                }
            }
        }
    }
    if words.first().is_some_and(|word| ["echo", "printf", "module", "cd"].contains(&&**word)) {
        return None;
    }
    let at = (0..words.len()).find(|at| is_mdtest(&words, *at))?;
    let after = words.split_off(at + 1);
    Some(Launch { tasks: tasks(&words[..at]), words: after, shell_rest })
}

/// Options whose value may be a path that ends in `mdtest`.
const PATHS: [&str; 8] = ["-wdir", "--wdir", "--chdir", "-D", "-d", "-C", "-x", "--prefix"];

fn is_mdtest(words: &[String], at: usize) -> bool {
    let name = words[at].rsplit('/').next().unwrap_or_default();
    let rest = name.strip_prefix("mdtest");
    let is = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', '_']));
    // `./mdtest.sh -n 4` may use its arguments in any way.
    let script = [".sh", ".txt", ".log", ".out", ".py", ".c"].iter().any(|end| name.ends_with(end));
    is && !script && (at == 0 || !PATHS.contains(&&*words[at - 1]))
}

/// Tasks of a launcher: `mpirun -np 64`, `srun --ntasks=64`, `srun -N 4 --ntasks-per-node 16`.
pub fn tasks(words: &[String]) -> Option<u64> {
    let find = |names: &[&str]| {
        let value = |(at, word): (usize, &String)| {
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word.as_str(), None),
            };
            let next = || words.get(at + 1).map(String::as_str);
            let short = |name: &&&str| name.len() == 2 && word.len() > 2;
            let attached = names.iter().filter(short).find_map(|name| word.strip_prefix(*name));
            let value = match names.contains(&name) {
                true => joined.or_else(next),
                false => attached,
            };
            value?.parse::<u64>().ok()
        };
        words.iter().enumerate().find_map(value)
    };
    let is = |name: &str| words.iter().any(|word| word.rsplit('/').next() == Some(name));
    let all = find(&["-np", "-n", "--ntasks", "--np", "--n", "-nproc"]);
    let each = find(&["--ntasks-per-node", "-ppn", "--ppn", "-npernode", "--npernode", "-perhost"]);
    let nodes = find(&["-N", "--nodes", "-nnodes"]);
    match (all, each, nodes) {
        // jsrun: resource sets × tasks per set.
        (Some(sets), ..) if is("jsrun") => {
            Some(sets * find(&["-a", "--tasks_per_rs"]).unwrap_or(1))
        }
        (Some(all), ..) => Some(all),
        (None, Some(each), Some(nodes)) => Some(each * nodes),
        _ => None,
    }
}

/// Splits a line as a shell does. Without `operators` these are plain words.
fn pieces(line: &str, operators: bool) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    let (mut word, mut is_word, mut quote) = (String::new(), false, None);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\\', Some('"') | None) if operators && letters.peek().is_some() => {
                word.extend(letters.next());
                is_word = true
            }
            (_, Some(_)) => word.push(letter),
            ('\'' | '"', None) => (quote, is_word) = (Some(letter), true),
            ('#', None) if operators && !is_word => break,
            (' ' | '\t', None) => end(&mut all, &mut word, &mut is_word),
            (';' | '|' | '&' | '(' | ')' | '<' | '>', None) if operators => {
                let goes = letter == '<' || letter == '>';
                let both = letter == '&' && letters.peek() == Some(&'>');
                let mut text = match goes && word.chars().all(|c| c.is_ascii_digit()) {
                    true => std::mem::take(&mut word),
                    false => String::new(),
                };
                is_word = is_word && !word.is_empty();
                end(&mut all, &mut word, &mut is_word);
                text.push(letter);
                let joins = |c: &char| match goes || both {
                    true => ['>', '<', '&', '|'].contains(c),
                    false => *c == letter,
                };
                while let Some(next) = letters.next_if(joins) {
                    text.push(next)
                }
                if goes || both {
                    while let Some(next) = letters.next_if(|c| !" \t;|&".contains(*c)) {
                        text.push(next)
                    }
                    all.push(Piece::Redirection(text))
                } else {
                    all.push(Piece::Next(text))
                }
            }
            _ => {
                word.push(letter);
                is_word = true
            }
        }
    }
    end(&mut all, &mut word, &mut is_word);
    all
}

fn end(all: &mut Vec<Piece>, word: &mut String, is_word: &mut bool) {
    if std::mem::take(is_word) {
        all.push(Piece::Word(std::mem::take(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_shell_takes_is_apart() {
        for (line, words, tail) in [
            ("mdtest -n 10 > out.txt 2>&1", "-n 10", "> out.txt 2>&1"),
            ("mdtest -n 10 >out.txt", "-n 10", ">out.txt"),
            ("mdtest -n 10 2> err -F", "-n 10 -F", "2> err"),
            ("mdtest -n 10 &> all", "-n 10", "&> all"),
            ("mdtest -n 10 | tee out.txt", "-n 10", "| tee out.txt"),
            ("mdtest -n 10 &", "-n 10", "&"),
            ("mdtest -n 10; sleep 1", "-n 10", "; sleep 1"),
            ("cd /x && ./mdtest -n 10 # as last time", "-n 10", ""),
            ("mdtest -d '/a b;c' \"-n\" 10", "-d /a b;c -n 10", ""),
            ("(mdtest -n 10)", "-n 10", ")"),
        ] {
            let all = launches(line);
            assert_eq!(all.len(), 1, "{line}: {all:?}");
            assert_eq!(all[0].words.join(" "), words, "{line}");
            assert_eq!(all[0].shell_rest.join(" "), tail, "{line}");
        }
        assert_eq!(launches("mdtest -C -n 1; mdtest -T -n 1").len(), 2);
        for line in
            ["echo mdtest -n 10", "module load mdtest", "./mdtest.sh -n 4", "ior -d /mdtest"]
        {
            assert_eq!(launches(line), Vec::new(), "{line}");
        }
    }

    #[test]
    fn launchers_say_how_many_tasks() {
        for (line, tasks) in [
            ("mpirun -np 64 mdtest -n 1", Some(64)),
            ("mpiexec -n 8 -ppn 4 /opt/mdtest -n 1", Some(8)),
            ("srun -n64 mdtest -n 1", Some(64)),
            ("srun --ntasks=12 --mpi=pmix ./mdtest -n 1", Some(12)),
            ("srun -N 4 --ntasks-per-node=16 mdtest -n 1", Some(64)),
            ("aprun -n 32 -N 16 mdtest -n 1", Some(32)),
            ("jsrun -n 10 -a 4 mdtest -n 1", Some(40)),
            ("mpirun -np $NP mdtest -n 1", None),
            ("mpirun --wdir /opt/mdtest -np 3 ./mdtest-3.3 -n 1", Some(3)),
        ] {
            assert_eq!(launches(line)[0].tasks, tasks, "{line}");
        }
    }
}
