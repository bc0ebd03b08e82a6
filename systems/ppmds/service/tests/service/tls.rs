//! Nodes and clients with certificates: accepted ones, and reasons for rejection.
use crate::disk::Scratch;
use crate::nodes::{Node, cluster, options, use_paths};
use ppmds_service::Error;
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability::Async;
use ppmds_service::keys::{CLIENT, add, authority, fingerprint_in, name_of};
use ppmds_service::node::{Notice, serve};
use ppmds_service::operator::Operator;
use ppmds_service::runtime::block_on;
use std::cell::{Cell, RefCell};
use std::fs::{copy, create_dir_all};

/// A folder with an authority, and a cluster without keys.
fn set_up(name: &str, servers: usize) -> (Scratch, Cluster) {
    let scratch = Scratch::new(name);
    authority(&scratch.0.join("keys"), servers).unwrap();
    (scratch, cluster(servers))
}

fn with(cluster: &Cluster, scratch: &Scratch, party: &str) -> Cluster {
    cluster.clone().with_keys(&scratch.0.join("keys").join(party)).unwrap()
}

/// A server that uses the keys of `party`.
fn start(cluster: &Cluster, scratch: &Scratch, server: u32, party: &str) -> Node {
    Node::start(options(&with(cluster, scratch, party), server, &scratch.0, Async))
}

/// Why a client with these keys is rejected.
fn refused(cluster: &Cluster) -> String {
    let client = block_on(Client::connect(cluster, ClientOptions::default())).unwrap();
    match client.err() {
        Some(Error::BadInput(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn assert_refused(cluster: &Cluster, words: &str) {
    let why = refused(cluster);
    assert!(why.contains(words), "{why:?} does not contain {words:?}")
}

#[test]
fn servers_and_clients_with_certificates_work() {
    let (scratch, plain) = set_up("tls", 2);
    let _nodes = [0, 1].map(|n| start(&plain, &scratch, n, &name_of(n as usize)));
    let own = with(&plain, &scratch, CLIENT);
    block_on(async {
        let client = Client::connect(&own, ClientOptions::default()).await.unwrap();
        use_paths(&client).await.unwrap();
        client.close().await;
        assert!(Operator::connect(&own, 1).await.unwrap().status().await.unwrap().rows > 0);
        let why = Operator::connect(&plain, 0).await.err().unwrap();
        assert!(why.contains("requires a client certificate"), "{why}")
    })
    .unwrap();
}

#[test]
fn strangers_are_refused_with_the_reason() {
    let (scratch, mut plain) = set_up("tls-ours", 1);
    let keys = scratch.0.join("keys");
    let lost = fingerprint_in(&add(&keys, "lost", 1).unwrap()).unwrap();
    add(&keys, "old", 0).unwrap();
    plain.revoked.push(lost);
    let _node = start(&plain, &scratch, 0, "node-0");
    let (other, _) = set_up("tls-theirs", 1);
    assert_refused(&plain, "requires a client certificate: pass --keys DIR");
    assert_refused(&with(&plain, &other, CLIENT), "its certificate is of another authority");
    assert_refused(&with(&plain, &scratch, "lost"), "the caller's certificate is revoked");
    // The client trusts the cluster's authority, but its certificate is of another one.
    let (theirs, mixed) = (other.0.join("keys").join(CLIENT), keys.join("mixed"));
    create_dir_all(&mixed).unwrap();
    copy(keys.join("authority.pem"), mixed.join("authority.pem")).unwrap();
    for file in ["certificate.pem", "key.pem"] {
        copy(theirs.join(file), mixed.join(file)).unwrap();
    }
    let mixed = with(&plain, &scratch, "mixed");
    assert_refused(&mixed, "rejects our certificate: of another authority");
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    assert_refused(&with(&plain, &scratch, "old"), "rejects our certificate: expired")
}

#[test]
fn a_server_is_only_who_its_certificate_names() {
    let (scratch, plain) = set_up("tls-places", 2);
    let first = start(&plain, &scratch, 0, "node-0");
    // Server 1 has a client's certificate: server 0 refuses its connection.
    let claims = options(&with(&plain, &scratch, CLIENT), 1, &scratch.0, Async);
    let (refusal, polls) = (RefCell::new(String::new()), Cell::new(0));
    let mut notify = |notice: Notice<'_>| {
        if let Notice::Line(line) = notice
            && line.starts_with("no connection to server 0")
        {
            *refusal.borrow_mut() = line.to_string()
        }
    };
    let stop = || {
        polls.set(polls.get() + 1);
        !refusal.borrow().is_empty() || polls.get() > 1_000
    };
    serve(&claims, &mut notify, &stop).unwrap();
    let why = refusal.take();
    assert!(why.contains("is server 1, but its certificate is of another party"), "{why}");
    drop(first);
    let (scratch, plain) = set_up("tls-place", 2);
    let _first = start(&plain, &scratch, 0, "node-1");
    let own = with(&plain, &scratch, CLIENT);
    let why = block_on(Operator::connect(&own, 0)).unwrap().err().unwrap();
    assert!(why.contains("its certificate is of another node or client"), "{why}");
}

#[test]
fn a_node_without_keys_is_none_of_a_cluster_with_them() {
    let (scratch, plain) = set_up("tls-plain", 1);
    let _node = Node::start(options(&plain, 0, &scratch.0, Async));
    let own = with(&plain, &scratch, CLIENT);
    assert_refused(&own, "does not speak TLS: was the node started with --keys?")
}
