//! Nothing: `cargo bench -p ppmds-peers` measures the metadata service beside its peers.
