//! Empty: the package has only a bench, `cargo bench -p ppmds-peers`.
