//! The copies on SimGrid: builds and runs `peer.cpp`.
use crate::compile::{NoProgram, compile};
use crate::copies::Copies;
use crate::ours::Outcome;
use cluster::Network;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// SimGrid's best settings for this: no window limit, the fastest contexts. `Full` takes about half
/// the time of the default `Lazy`.
const SETTINGS: [&str; 5] = [
    "--cfg=network/TCP-gamma:0",
    "--cfg=contexts/factory:raw",
    "--cfg=contexts/stack-size:16",
    "--cfg=contexts/guard-size:0",
    "--log=root.thres:error",
];

/// CM02 has weights of 1/latency; here without cross-traffic, which LV08 has.
fn network(of: Network) -> [&'static str; 2] {
    match of {
        Network::Lv08 => ["--cfg=network/model:LV08", "--cfg=network/crosstraffic:1"],
        _ => ["--cfg=network/model:CM02", "--cfg=network/crosstraffic:0"],
    }
}

/// How SimGrid's network model looks for what changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Optim {
    Full,
    Lazy,
}

/// A program that is ready to run.
pub struct Peer {
    program: PathBuf,
    list: PathBuf,
}

impl Peer {
    /// Compiles it. Fails where SimGrid or a compiler is missing, or the compiler refuses.
    pub(crate) fn build() -> Result<Peer, NoProgram> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir_all(folder).expect("cargo's own folder");
        let program = folder.join("simgrid-peer");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/simgrid/peer.cpp");
        compile("g++", Path::new(source), "simgrid", &program)?;
        Ok(Peer { program, list: folder.join("simgrid-copies.txt") })
    }

    /// Simulates until all copies ended or `seconds` of CPU time have passed.
    pub fn run(&self, copies: &Copies, seconds: f64, optim: Optim) -> Outcome {
        copies.write(&self.list);
        let mut command = Command::new(&self.program);
        command.arg(&self.list).arg(seconds.to_string()).args(SETTINGS);
        command.args(network(copies.site.network));
        command.arg(format!("--cfg=network/optim:{optim:?}")).stderr(Stdio::inherit());
        let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{command:?} failed: {text}");
        parse(&text, copies.list.len())
    }
}

fn parse(text: &str, copies: usize) -> Outcome {
    let mut lines = text.lines();
    let number = |word: &str| word.parse::<f64>().unwrap_or_else(|e| panic!("{word}: {e}"));
    let times = lines.by_ref().take(copies);
    let times: Vec<_> = times
        .map(|line| line.split_once(' ').map(|(start, end)| (number(start), number(end))))
        .collect();
    let mut value = |key: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(key));
        number(line.unwrap_or_else(|| panic!("no `{key}` from the peer")).trim())
    };
    let (cpu, ended) = (value("cpu"), value("copies"));
    Outcome { times, micros_per_copy: cpu * 1e6 / ended }
}
