//! Clients in C and in Python, on three real servers.
use crate::nodes::Nodes;
use crate::programs::{example, home, made, place, python, run, with_library};
use ppmds_protocol::{Attributes, Change, SYMLINK};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use ppmds_service::runtime::block_on;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::sync::Arc;

#[test]
fn a_client_in_c_gets_results_and_errors() {
    let place = place("client");
    let program = made(&home().join("tests/c/client.c"), &place);
    let nodes = Nodes::start(&place, false);
    run(with_library(&program).arg(nodes.file()));
}

#[test]
fn a_client_in_c_survives_a_restart_of_its_cluster() {
    let place = place("down");
    let program = made(&home().join("tests/c/down.c"), &place);
    let mut nodes = Nodes::start(&place, true);
    let mut command = with_library(&program);
    command.arg(nodes.file()).arg(nodes.client_keys());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || lines.next().expect("another line").expect("a text");
    assert_eq!(next(), "written");
    nodes.stop();
    input.write_all(b"1").expect("it reads");
    assert_eq!(next(), "down");
    nodes.start_again();
    input.write_all(b"2").expect("it reads");
    assert_eq!(next(), "back");
    assert!(child.wait().expect("its end").success());
}

#[test]
fn the_example_stores_a_file() {
    let place = place("example");
    let program = made(&home().join("examples/store.c"), &place);
    let (nodes, local) = (Nodes::start(&place, true), place.join("hello.txt"));
    std::fs::write(&local, "hello\n").expect("a file");
    let command = |path: &str| {
        let mut command = with_library(&program);
        command.arg("-k").arg(nodes.client_keys()).arg(nodes.file()).arg(&local).arg(path);
        command
    };
    for _ in 0..2 {
        assert_eq!(run(&mut command("/hello")), "/hello: 6 bytes, inode mode 100644\n");
    }
    let failed = command("/none/hello").output().expect("a program");
    let words = String::from_utf8_lossy(&failed.stderr);
    assert!(failed.status.code() == Some(1) && words == "/none/hello: does not exist\n", "{words}");
}

/// Entries that the library cannot make: a symbolic link, and a file that is too long for it.
fn make_others(nodes: &Nodes) {
    let link = Attributes { mode: SYMLINK | 0o777, owner: 0, group: 0 };
    let target = Change { contents: Some(Arc::new(b"/target".to_vec())), ..Change::default() };
    let long = Change { size: Some(1 << 40), ..Change::default() };
    let cluster = Cluster::read(&nodes.file()).expect("a cluster");
    let make = async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.expect("answers");
        client.create_path("/link", link).await?;
        client.setattr_path("/link", target).await?;
        client.create_path("/long", Attributes::default()).await?;
        client.setattr_path("/long", long).await?;
        client.close().await;
        Ok::<(), ppmds_service::client::OperationError>(())
    };
    block_on(make).expect("a runtime").expect("made")
}

#[test]
fn python_has_all_operations() {
    let place = place("python");
    let nodes = Nodes::start(&place, false);
    make_others(&nodes);
    let mut python = python();
    python.args(["-m", "unittest", "-q", "test_tenbin_meta"]);
    run(python.env("TENBIN_META_CLUSTER", nodes.file()));
}

#[test]
fn the_example_of_the_page_prints_what_it_shows() {
    let place = place("page");
    let nodes = Nodes::start(&place, false);
    let page = "../docs/service.md";
    let text = example(page, "python");
    let (program, output) = (text.replace("meta.toml", &nodes.file().to_string_lossy()), "# ");
    let shown: Vec<&str> =
        text.lines().filter_map(|line| Some(line.split_once(output)?.1)).collect();
    assert!(program != text && !shown.is_empty());
    assert_eq!(run(python().arg("-c").arg(program)).lines().collect::<Vec<_>>(), shown);
}
