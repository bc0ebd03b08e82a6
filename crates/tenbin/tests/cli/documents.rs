//! The commands that the documents give: each is understood, and all but a few are run.
use crate::tenbin::{Place, root};
use crate::tutorial::in_a_shell;
use clap::CommandFactory;
use std::path::{Path, PathBuf};
use tenbin::cli::Cli;
use tenbin::systems::with_actions;
use tenbin_lab::REAL;

/// What is understood and not run: how the line begins, and why.
const NOT_RUN: [(&str, &str); 17] = [
    ("tenbin plan rebuild", "minutes in a debug build; the tests of plans run smaller ones"),
    ("tenbin compare scenarios/faults/data-loss.toml", "1 200 runs"),
    ("target/release/examples/fsck_listing", "10 GB"),
    ("tenbin meta", "needs running servers; the tests of `meta` start them"),
    ("tenbin testbed", "needs root: `make test-real` runs such"),
    ("tenbin twin", "needs root and Maven"),
    ("tenbin reproduce s0 --real", "needs root, Maven and an hour"),
    ("tenbin reproduce s1 --real", "needs root, Maven and hours"),
    ("tenbin reproduce s2 --real", "needs root, and a quarter of an hour"),
    ("tenbin reproduce s3 --real", "needs root, Maven and half an hour"),
    ("tenbin reproduce s4 --real", "three minutes, and a quiet machine"),
    ("tenbin compare s0 --seeds 100 --on ray", "needs Python's package and Ray"),
    ("tenbin campaign", "needs Python's package; its own tests run such"),
    ("tenbin tune", "needs Python's package; its own tests run such"),
    ("tenbin calibrate disk", "minutes, and a disk of its own"),
    ("tenbin calibrate store", "half a minute, and a quiet machine"),
    ("mpirun", "needs MPI: `make mpi` runs such"),
];

/// A line of a block of commands.
struct Line {
    /// "docs/compare.md:12"
    place: String,
    command: String,
}

/// The pages of all systems, and each system's own.
fn pages() -> Vec<PathBuf> {
    let mut files = Vec::new();
    markdown(&root().join("docs"), &mut files);
    for system in std::fs::read_dir(root().join("systems")).expect("the systems") {
        let docs = system.expect("an entry").path().join("docs");
        if docs.is_dir() {
            markdown(&docs, &mut files)
        }
    }
    files.sort();
    files
}

/// All lines of fenced and indented blocks in which `tenbin` is a program's name.
fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for file in pages() {
        let text = std::fs::read_to_string(&file).expect("a document");
        let name = file.strip_prefix(root()).expect("below the root").display().to_string();
        let mut fenced = false;
        for (line, number) in text.lines().zip(1..) {
            if line.starts_with("```") {
                fenced = !fenced
            } else if fenced || line.starts_with("    ") {
                let command = line.split(" #").next().unwrap_or_default().trim();
                let command = command.strip_prefix("$ ").unwrap_or(command).to_string();
                if programs(&command).any(|words| words[0].ends_with("tenbin")) {
                    lines.push(Line { place: format!("{name}:{number}"), command })
                }
            }
        }
    }
    lines
}

fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            markdown(&path, found)
        } else if path.extension().is_some_and(|kind| kind == "md") {
            found.push(path)
        }
    }
}

/// The programs of a line with their arguments, `mpirun` and `time` taken away.
fn programs(command: &str) -> impl Iterator<Item = Vec<String>> {
    let mut all = vec![vec![]];
    for word in words(command) {
        match word.as_str() {
            "|" | "&&" | ";" => all.push(vec![]),
            _ => all.last_mut().expect("one at least").push(word),
        }
    }
    all.into_iter().filter_map(|words| {
        let before = match words.first()?.as_str() {
            "mpirun" => 3,
            "/usr/bin/time" => 2,
            _ => 0,
        };
        words.get(before..).filter(|rest| !rest.is_empty()).map(<[String]>::to_vec)
    })
}

/// As a shell parts them; in single quotes nothing is parted.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (part, quoted) in command.split('\'').zip([false, true].into_iter().cycle()) {
        match quoted {
            true => words.push(part.to_string()),
            false => words.extend(part.split_whitespace().map(String::from)),
        }
    }
    words
}

#[test]
fn the_documents_commands_are_understood() {
    let lines = lines();
    assert!(lines.len() >= 20, "where are they?");
    for Line { place, command } in &lines {
        for words in programs(command).filter(|words| words[0].ends_with("tenbin")) {
            let inner = words.iter().filter(|_| words.get(2).is_some_and(|w| w == "diverge"));
            let inner = inner.flat_map(|word| programs(word).collect::<Vec<_>>());
            let runs = inner.filter(|words| words[0] == "run" || words[0] == "bench");
            let runs = runs.map(|words| [vec!["tenbin".into()], words].concat());
            for words in std::iter::once(words.clone()).chain(runs.filter(|run| run.len() > 2)) {
                let parsed = with_actions(Cli::command(), Some(&REAL)).try_get_matches_from(&words);
                parsed.unwrap_or_else(|no| panic!("{place}: {words:?}\n{no}"));
            }
        }
    }
    for (begins, why) in NOT_RUN {
        let is_there = lines.iter().any(|line| line.command.starts_with(begins));
        assert!(is_there, "{begins} ({why}) is in no document any more")
    }
}

#[test]
fn the_documents_commands_run() {
    let place = with_the_files_that_they_name();
    for Line { place: line, command } in lines() {
        if NOT_RUN.iter().any(|(begins, _)| command.starts_with(begins)) {
            continue;
        }
        let done = in_a_shell(&place, &command);
        assert_eq!(done.code, Some(0), "{line}: $ {command}\n{}{}", done.out, done.err)
    }
}

/// The shop's and the mini-cluster's files under the names that documents give them.
fn with_the_files_that_they_name() -> Place {
    let place = Place::with_everything("documents");
    let log = "systems/hdfs/trace/tests/data/hdfs_log/default-nn+dn.log.gz";
    let files = [
        ("examples/shop/nn-jmx.json.gz", "nn-jmx.json.gz"),
        ("examples/shop/hdfs-site.xml", "hdfs-site.xml"),
        ("examples/shop/fsck-files-blocks-replicaDetails.txt.gz", "fsck.txt.gz"),
        ("examples/shop/dfsadmin-report.txt", "report.txt"),
        ("examples/shop/dfsadmin-printTopology.txt", "topology.txt"),
        (log, "default-nn+dn.log.gz"),
    ];
    for (file, name) in files {
        std::fs::copy(root().join(file), place.dir.join(name)).expect(file);
    }
    let mut whole = String::new();
    let packed = std::fs::File::open(root().join(log)).expect(log);
    let mut packed = flate2::read::MultiGzDecoder::new(packed);
    std::io::Read::read_to_string(&mut packed, &mut whole).expect("text");
    let (first, rest) = whole.split_at(whole[..whole.len() / 2].rfind('\n').expect("lines") + 1);
    for (namenode, datanode) in
        [("nn.log", "dn1.log"), ("hadoop-hdfs-namenode-nn1.log", "hadoop-hdfs-datanode-dn1.log")]
    {
        place.write(namenode, first);
        place.write(datanode, rest)
    }
    crate::foreground::snapshots(&place);
    place.ok(&["import", "hdfs-log", "default-nn+dn.log.gz", "-o", "logged"]);
    place.ok(&["run", "logged/scenario.toml", "--seeds", "2", "-o", "simulated"]);
    place.ok(&["run", "scenarios/s0.toml", "--sums", "there.sums"]);
    place
}
