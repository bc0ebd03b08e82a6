//! `tenbin` with its commands on real kernels; `tenbin` does not link them and starts this program.
use tenbin::memory::AbortingAllocator;

#[global_allocator]
static ALLOCATOR: AbortingAllocator = AbortingAllocator;

fn main() -> std::process::ExitCode {
    tenbin::main(Some(&tenbin_lab::REAL))
}
