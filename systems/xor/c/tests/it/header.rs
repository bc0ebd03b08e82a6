//! The header matches the library.
use crate::programs::{compiler, home, library, made, place, run, with_library};
use std::collections::BTreeSet;
use std::mem::{offset_of, size_of};
use std::path::PathBuf;
use std::process::Command;
use tenbin_relay::{Code, Object};

fn header() -> String {
    std::fs::read_to_string(home().join("tenbin_relay.h")).expect("the header")
}

/// Names of functions: a `tenbin_` word before a parenthesis, outside comments.
fn declared() -> BTreeSet<String> {
    let text = header();
    let code = text.split("/*").enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once("*/").expect("an end").1,
    });
    let code: String = code.collect();
    let words = code.split('(').filter_map(|before| {
        before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
    });
    let ours = |word: &&str| word.starts_with("tenbin_");
    words.filter(ours).map(String::from).collect()
}

fn exported() -> BTreeSet<String> {
    let files = ["lib.rs", "cluster.rs"];
    let texts = files.map(|file| std::fs::read_to_string(home().join("src").join(file)));
    let mut names = BTreeSet::new();
    for text in texts {
        let text = text.expect("a source");
        for after in text.split("extern \"C\" fn ").skip(1) {
            names.insert(after.split('(').next().expect("a name").to_string());
        }
    }
    names
}

#[test]
fn it_declares_what_the_library_has_and_nothing_else() {
    assert_eq!(declared(), exported());
    assert_eq!(declared().len(), 17);
}

/// A value of the header: `#define NAME value`.
fn defined(name: &str) -> String {
    let text = header();
    let start = format!("#define {name} ");
    let line = text.lines().find_map(|line| line.strip_prefix(start.as_str()));
    let line = line.unwrap_or_else(|| panic!("no {name}"));
    line.split_whitespace().next().expect("a value").to_string()
}

#[test]
fn its_numbers_are_the_librarys() {
    let codes = ["OK", "BAD_INPUT", "FAILED", "STOPPED", "NOT_FOUND", "BUSY", "BUG"];
    let own = [
        Code::Ok,
        Code::BadInput,
        Code::Failed,
        Code::Stopped,
        Code::NotFound,
        Code::Busy,
        Code::Bug,
    ];
    for (name, code) in codes.iter().zip(own) {
        assert_eq!(defined(&format!("TENBIN_{name}")), (code as i32).to_string());
    }
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(defined("TENBIN_RELAY_VERSION"), format!("{version:?}"));
    let python = std::fs::read_to_string(home().join("python/tenbin_relay.py")).expect("a module");
    assert!(python.contains(&format!("VERSION = {version:?}")), "{version}");
}

/// A structure: its size, and the offset of each field.
macro_rules! shape {
    ($name:literal, $rust:ty, $($field:ident),+) => {{
        let mut fields = vec![$((stringify!($field), offset_of!($rust, $field))),+];
        fields.insert(0, ("", size_of::<$rust>()));
        ($name, fields)
    }};
}

/// A C program that compares the structures with the header's.
fn shapes() -> String {
    let all = [shape!("tenbin_object", Object, length, generation, block_bytes, lacking, sha256)];
    let mut text =
        "#include \"tenbin_relay.h\"\nint main(void) {\n    int wrong = 0;\n".to_string();
    for (name, fields) in all {
        for (field, at) in fields {
            let (what, number) = match field {
                "" => (format!("sizeof({name})"), at),
                _ => (format!("offsetof({name}, {field})"), at),
            };
            text += &format!("    wrong += {what} != {number};\n");
        }
    }
    for name in declared() {
        text += &format!("    wrong += (void (*)(void)){name} == NULL;\n");
    }
    text + "    return wrong;\n}\n"
}

#[test]
fn its_structures_and_functions_are_the_librarys() {
    let place = place("shapes");
    let source = place.join("shapes.c");
    std::fs::write(&source, shapes()).expect("a source");
    // The compiler knows that existing functions are never NULL.
    let program = place.join("shapes");
    let mut cc = compiler();
    cc.args(["-Wno-address", "-Wno-error=nonnull-compare"]).arg(&source).arg("-o").arg(&program);
    run(cc.arg("-L").arg(library()).arg("-ltenbin_relay"));
    run(&mut with_library(&program));
}

#[test]
fn it_is_c99_alone_and_cpp() {
    let alone = home().join("tenbin_relay.h");
    run(compiler().args(["-fsyntax-only", "-x", "c"]).arg(&alone));
    let mut cpp = Command::new("c++");
    cpp.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x", "c++"]);
    // A machine may have only a C compiler.
    if Command::new("c++").arg("--version").output().is_ok() {
        run(cpp.arg(&alone));
    }
}

/// The static library and the system libraries that it needs.
#[test]
fn a_program_needs_no_shared_library() {
    let place = place("static");
    let source = place.join("version.c");
    let text = "#include <stdio.h>\n#include \"tenbin_relay.h\"\n\
                int main(void) { return puts(tenbin_relay_version()) < 0; }\n";
    std::fs::write(&source, text).expect("a source");
    let program = place.join("alone");
    let archive: PathBuf = library().join("libtenbin_relay.a");
    let mut cc = compiler();
    cc.arg(&source).arg("-o").arg(&program).arg(&archive);
    run(cc.args(["-lpthread", "-ldl", "-lm"]));
    let said = run(&mut Command::new(&program));
    assert_eq!(said.trim(), env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&mut with_library(&made(&source, &place))), said);
}
