//! Clients in C and in Python, on real nodes.
use crate::nodes::Nodes;
use crate::programs::{example, home, made, place, python, run, with_library};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::Stdio;

/// Bytes that do not repeat, with an odd length.
fn file(place: &std::path::Path, length: u64) -> PathBuf {
    let byte = |at: u64| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8;
    let path = place.join("content");
    std::fs::write(&path, (0..length).map(byte).collect::<Vec<u8>>()).expect("a file");
    path
}

#[test]
fn the_example_puts_a_file_and_gets_it_back() {
    let place = place("example");
    let program = made(&home().join("examples/put_get.c"), &place);
    let (nodes, content) = (Nodes::start(&place, 5), file(&place, 2_345_678));
    for write in 1..3 {
        let mut command = with_library(&program);
        let said = run(command.arg(&content).arg("a/b").args(nodes.addresses()));
        assert_eq!(said, format!("a/b: 2345678 bytes, write {write}, the same\n"));
    }
}

#[test]
fn the_example_shows_its_keys() {
    let place = place("example-keys");
    let program = made(&home().join("examples/put_get.c"), &place);
    let (nodes, content) = (Nodes::start_with(&place, 3, true), file(&place, 100_001));
    let mut command = with_library(&program);
    let said =
        run(command.arg("-k").arg(nodes.keys()).arg(&content).arg("a").args(nodes.addresses()));
    assert_eq!(said, "a: 100001 bytes, write 1, the same\n");
    let mut without = with_library(&program);
    let done = without.arg(&content).arg("a").args(nodes.addresses()).output().expect("a program");
    let words = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && words.contains("--keys"), "{words}");
}

#[test]
fn a_client_that_is_used_wrongly_says_so() {
    let place = place("wrong-client");
    let program = made(&home().join("tests/c/client.c"), &place);
    let nodes = Nodes::start(&place, 5);
    run(with_library(&program).args(nodes.addresses()));
}

#[test]
fn a_client_goes_on_once_its_cluster_is_back() {
    let place = place("down");
    let program = made(&home().join("tests/c/down.c"), &place);
    let mut nodes = Nodes::start(&place, 3);
    let mut command = with_library(&program);
    command.args(nodes.addresses()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a program");
    let mut input = child.stdin.take().expect("a pipe");
    let mut said = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || said.next().expect("another line").expect("a text");
    assert_eq!(next(), "written");
    nodes.stop();
    input.write_all(b"1").expect("it listens");
    assert_eq!(next(), "down");
    nodes.start_again();
    input.write_all(b"2").expect("it listens");
    assert_eq!(next(), "back");
    assert!(child.wait().expect("its end").success());
}

#[test]
fn python_does_it_too() {
    let place = place("python");
    let nodes = Nodes::start(&place, 3);
    let mut python = python();
    python.args(["-m", "unittest", "-q", "test_tenbin_relay"]);
    run(python.env("TENBIN_RELAY_NODES", nodes.addresses().join(",")));
}

/// The page's example in a language, for these nodes.
fn for_nodes(language: &str, nodes: &Nodes) -> String {
    let mut text = example("../docs/library.md", language);
    for (name, address) in ["a:7400", "b:7400", "c:7400"].iter().zip(nodes.addresses()) {
        assert!(text.contains(name), "{name} in {text}");
        text = text.replace(name, address)
    }
    text
}

#[test]
fn what_the_page_shows_works() {
    let place = place("page");
    let nodes = Nodes::start(&place, 3);
    let source = place.join("greet.c");
    std::fs::write(&source, for_nodes("c", &nodes)).expect("a source");
    run(&mut with_library(&made(&source, &place)));
    assert_eq!(run(python().arg("-c").arg(for_nodes("python", &nodes))), "hello\n");
}
