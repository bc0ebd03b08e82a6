//! `tenbin` with its commands over real kernels; `tenbin` itself, which links none of it, starts
//! this program for them.
use tenbin::memory::AbortingAllocator;

#[global_allocator]
static ALLOCATOR: AbortingAllocator = AbortingAllocator;

fn main() -> std::process::ExitCode {
    tenbin::main(Some(&tenbin_lab::REAL))
}
