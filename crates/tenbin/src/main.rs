//! The binary: everything is in the library, so that tests and later front ends share it.
use tenbin::memory::AbortingAllocator;

#[global_allocator]
static ALLOCATOR: AbortingAllocator = AbortingAllocator;

fn main() -> std::process::ExitCode {
    tenbin::main(None)
}
