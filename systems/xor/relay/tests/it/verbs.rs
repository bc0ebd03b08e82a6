//! Clusters by RDMA verbs, with a device; and the error without one.
use crate::tcp::{Local, all_schedules_and_block_sizes, get, put, several_clients_write};
use crate::transports::device;
use crate::world::bytes;
use xor_relay::client::{Error, Strategy, connect};
use xor_relay::transport::{Connections, Kind, TcpOptions};

#[test]
fn all_schedules_and_block_sizes_go_by_verbs() {
    if device().is_some() {
        all_schedules_and_block_sizes(Kind::Verbs)
    }
}

#[test]
fn several_clients_write_at_once() {
    if device().is_some() {
        several_clients_write(Kind::Verbs)
    }
}

#[test]
fn a_client_without_a_device_is_served_over_tcp() {
    if device().is_none() {
        return;
    }
    let local = Local::over(Kind::Verbs, 3, &|_| None);
    let content = bytes(3, 300_000);
    let mut client = connect(&local.addresses(), None, Kind::Tcp).expect("a client");
    put(&mut client, &content, 4096, Strategy::Auto).expect("all nodes are there");
    let mut other = connect(&local.addresses(), None, Kind::Verbs).expect("a client");
    assert!(get(&mut other).expect("just written") == content);
}

#[test]
fn a_node_without_a_device_says_so() {
    if device().is_none() {
        return;
    }
    let local = Local::over(Kind::Tcp, 3, &|_| None);
    let client = connect(&local.addresses(), None, Kind::Verbs).expect("a client");
    let missing = client.missing();
    assert_eq!(missing.len(), 3);
    assert!(
        missing[0].1.contains("was the node started with --transport verbs?"),
        "{}",
        missing[0].1
    );
}

#[test]
fn where_there_is_no_device_that_is_said_with_what_to_do() {
    if device().is_some() {
        return;
    }
    let Err(Error::BadInput(why)) =
        Connections::client(Kind::Verbs, TcpOptions::default()).map(drop)
    else {
        panic!("no device is bad input")
    };
    assert!(why.starts_with("no RDMA device: ") && why.ends_with("--transport tcp"), "{why}");
}
