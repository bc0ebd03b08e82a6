//! The binary: everything is in the library, so that tests and later front ends share it.
use tenbin::memory::Told;

#[global_allocator]
static ALLOCATOR: Told = Told;

fn main() -> std::process::ExitCode {
    tenbin::main()
}
