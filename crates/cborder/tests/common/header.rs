//! The header matches the library `crate::LIBRARY`, whose structures are `crate::structures`.
use crate::LIBRARY;
use crate::programs::{compiler, home, library, made, place, run, with_library, with_linked};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

fn file() -> PathBuf {
    home().join(format!("{LIBRARY}.h"))
}

fn header() -> String {
    std::fs::read_to_string(file()).expect("the header")
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
    let mut names = BTreeSet::new();
    for file in std::fs::read_dir(home().join("src")).expect("sources") {
        let path = file.expect("a source").path();
        let text = if path.is_file() { std::fs::read_to_string(path) } else { Ok(String::new()) };
        for after in text.expect("a source").split("extern \"C\" fn tenbin_").skip(1) {
            names.insert(format!("tenbin_{}", after.split('(').next().expect("a name")));
        }
    }
    names
}

#[test]
fn it_declares_what_the_library_has_and_nothing_else() {
    assert_eq!(declared(), exported());
    assert!(declared().len() > 10, "{:?}", declared());
}

/// A value of the header: `#define NAME value`.
pub fn defined(name: &str) -> String {
    let text = header();
    let start = format!("#define {name} ");
    let line = text.lines().find_map(|line| line.strip_prefix(start.as_str()));
    let line = line.unwrap_or_else(|| panic!("no {name}"));
    line.split_whitespace().next().expect("a value").to_string()
}

#[test]
fn versions_are_the_packages() {
    let version = format!("{:?}", env!("CARGO_PKG_VERSION"));
    assert_eq!(defined(&format!("{}_VERSION", LIBRARY.to_uppercase())), version);
    let module = home().join(format!("python/{LIBRARY}.py"));
    let python = std::fs::read_to_string(module).expect("a module");
    assert!(python.contains(&format!("VERSION = {version}")), "{version}");
}

/// A structure: its name in C, its size, and the offset of each field.
pub type Shape = (&'static str, Vec<(&'static str, usize)>);

macro_rules! shape {
    ($name:literal, $rust:ty, $($field:ident),+) => {{
        let mut fields = vec![$((stringify!($field), std::mem::offset_of!($rust, $field))),+];
        fields.insert(0, ("", size_of::<$rust>()));
        ($name, fields)
    }};
}
pub(crate) use shape;

/// A C program that compares the structures with the header's.
fn shapes() -> String {
    let start = "int main(void) {\n    int wrong = 0;\n";
    let mut text = format!("#include \"{LIBRARY}.h\"\n{start}");
    for (name, fields) in crate::structures() {
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
    run(with_linked(&mut cc));
    run(&mut with_library(&program));
}

#[test]
fn it_is_c99_alone_and_cpp() {
    run(compiler().args(["-fsyntax-only", "-x", "c"]).arg(file()));
    let mut cpp = Command::new("c++");
    cpp.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x", "c++"]);
    // A machine may have only a C compiler.
    if Command::new("c++").arg("--version").output().is_ok() {
        run(cpp.arg(file()));
    }
}

/// The static library and the system libraries that it needs.
#[test]
fn a_program_needs_no_shared_library() {
    let place = place("static");
    let source = place.join("version.c");
    let text = format!(
        "#include <stdio.h>\n#include \"{LIBRARY}.h\"\n\
         int main(void) {{ return puts({LIBRARY}_version()) < 0; }}\n"
    );
    std::fs::write(&source, text).expect("a source");
    let program = place.join("alone");
    let archive: PathBuf = library().join(format!("lib{LIBRARY}.a"));
    let mut cc = compiler();
    cc.arg(&source).arg("-o").arg(&program).arg(&archive);
    run(cc.args(["-lpthread", "-ldl", "-lm"]));
    let said = run(&mut Command::new(&program));
    assert_eq!(said.trim(), env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&mut with_library(&made(&source, &place))), said);
}
