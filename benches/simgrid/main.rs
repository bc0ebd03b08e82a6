//! Tenbin's fluid solver against SimGrid: the same copies, the same ends, and what they cost.
//!
//! `README.md` beside this file says what is compared. `cargo bench -p models --bench simgrid`, or
//! `make bench`.
mod agree;
mod copies;
mod ours;
mod peer;
mod speed;

fn main() {
    match peer::Peer::build() {
        Some(peer) => {
            println!("Tenbin's fluid solver against SimGrid");
            agree::print(&peer);
            speed::print(&peer)
        }
        None => println!(
            "SimGrid: not measured, it is not installed; Debian: apt-get install g++ libsimgrid-dev"
        ),
    }
}
