//! Tenbin's fluid solver against SimGrid: the same copies, the same ends, and what they cost.
//!
//! `README.md` beside this file says what is compared. `cargo bench -p hdfs-model --bench simgrid`,
//! or
//! `make bench`.
mod agree;
mod compile;
mod copies;
#[path = "../../../../benches/cpu.rs"]
mod cpu;
mod ours;
mod peer;
mod speed;
#[path = "../../../../benches/verdicts.rs"]
mod verdicts;
use compile::NoProgram;
use std::process::ExitCode;
use verdicts::Verdicts;

fn main() -> ExitCode {
    match peer::Peer::build() {
        Ok(peer) => {
            let mut verdicts = Verdicts::default();
            println!("Tenbin's fluid solver against SimGrid");
            agree::print(&peer, &mut verdicts);
            speed::print(&peer, &mut verdicts);
            verdicts.exit()
        }
        Err(NoProgram::NotInstalled(said)) => {
            println!(
                "SimGrid: not measured, it is not installed ({}); Debian: apt-get install g++ \
                 libsimgrid-dev",
                said.lines().next().unwrap_or_default()
            );
            ExitCode::SUCCESS
        }
        Err(NoProgram::Refused(said)) => {
            eprintln!("SimGrid: not measured, the compiler refuses peer.cpp:\n{said}");
            ExitCode::FAILURE
        }
    }
}
