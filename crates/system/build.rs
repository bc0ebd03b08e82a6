//! Compiles the report's template into the binary, so that `tenbin` is one file.
//!
//! Without `make ui` the library builds as well; its pages then state what is missing. `make run`
//! and `make test` build the UI first.
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let template = root.join("../../ui/dist/report.html");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", template.display());
    let page = fs::read_to_string(&template).unwrap_or_else(|_| fallback().into());
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    write(&out.join("report.html"), &page);
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn fallback() -> &'static str {
    "<!doctype html><meta charset=\"utf-8\"><title>tenbin</title>\n\
     <p>This tenbin was built without its screens: run <code>make ui</code>, then build again. The \
     report's numbers are below, in this page's source and in report.json.\n\
     <script id=\"report-data\" type=\"application/json\">null</script>\n"
}
