//! The binary: everything is in the library, so that tests and later front ends share it.
fn main() -> std::process::ExitCode {
    tenbin::main()
}
