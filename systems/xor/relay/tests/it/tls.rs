//! Nodes and clients with certificates: accepted ones, and reasons for rejection.
use crate::tcp::{Local, get, put};
use crate::world::bytes;
use std::path::{Path, PathBuf};
use xor_relay::client::{Strategy, connect};
use xor_relay::keys::{CLIENT, Keys, add, authority, fingerprint_in, name_of};
use xor_relay::transport::Kind;

/// Removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(what: &str) -> Folder {
        let name = format!("xor-tls-{what}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }

    fn of(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn keys(folder: &Path) -> Keys {
    Keys::read(folder).expect("a party's folder")
}

/// Three nodes with certificates of one authority.
fn cluster(folder: &Folder) -> Local {
    authority(&folder.0, 3).expect("a new folder");
    Local::with(3, &|node| Some(keys(&folder.of(&format!("node-{node}")))))
}

/// Why nodes reject a client with these keys.
fn refused(local: &Local, shown: Option<&Keys>) -> String {
    let client = connect(&local.addresses(), shown, Kind::Tcp).expect("a client");
    let missing = client.missing();
    assert_eq!(missing.len(), 3, "no client is admitted");
    missing[0].1.clone()
}

#[test]
fn what_is_written_is_read_back_also_without_two() {
    let folder = Folder::new("whole");
    let local = cluster(&folder);
    let own = keys(&folder.of(CLIENT));
    let content = bytes(7, 3 << 20);
    let mut client = connect(&local.addresses(), Some(&own), Kind::Tcp).expect("a client");
    assert_eq!(client.missing(), []);
    put(&mut client, &content, 4096, Strategy::Auto).expect("it is written");
    let read = get(&mut client).expect("it is read");
    assert!(read == content, "no bit differs");
}

#[test]
fn strangers_hear_why() {
    let (folder, other) = (Folder::new("ours"), Folder::new("theirs"));
    let local = cluster(&folder);
    authority(&other.0, 1).expect("a new folder");
    let theirs = keys(&other.of(CLIENT));
    assert!(refused(&local, Some(&theirs)).contains("of another authority"));
    assert!(refused(&local, None).contains("--keys"));
    // The client trusts the cluster's authority, but its certificate is of another one.
    let mixed = other.of("mixed");
    std::fs::create_dir_all(&mixed).expect("a folder");
    for (from, file) in [
        (folder.of(CLIENT), "authority.pem"),
        (other.of(CLIENT), "certificate.pem"),
        (other.of(CLIENT), "key.pem"),
    ] {
        std::fs::copy(from.join(file), mixed.join(file)).expect("a copy");
    }
    let why = refused(&local, Some(&keys(&mixed)));
    assert!(why.contains("rejects our certificate: of another authority"), "{why}");
}

#[test]
fn a_certificate_that_has_expired_opens_nothing() {
    let folder = Folder::new("old");
    let local = cluster(&folder);
    let old = add(&folder.0, "old", 0).expect("a party");
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let why = refused(&local, Some(&keys(&old)));
    assert!(why.contains("rejects our certificate: expired"), "{why}");
}

#[test]
fn what_is_revoked_opens_nothing() {
    let folder = Folder::new("revoked");
    authority(&folder.0, 3).expect("a new folder");
    let lost = fingerprint_in(&folder.of(CLIENT)).expect("its certificate");
    let of = |node: usize| keys(&folder.of(&name_of(node))).without([lost.clone()]);
    let local = Local::with(3, &|node| Some(of(node)));
    let own = keys(&folder.of(CLIENT));
    let why = refused(&local, Some(&own));
    assert!(why.contains("rejects our certificate: revoked"), "{why}");
    let other = keys(&add(&folder.0, "other", 1).expect("a party"));
    let client = connect(&local.addresses(), Some(&other), Kind::Tcp).expect("a client");
    assert_eq!(client.missing(), []);
    // Clients reject a revoked node, too.
    let node = fingerprint_in(&folder.of("node-1")).expect("its certificate");
    let wary = other.without([node]);
    let client = connect(&local.addresses(), Some(&wary), Kind::Tcp).expect("a client");
    assert!(matches!(&client.missing()[..], [(1, why)] if why.contains("is revoked")));
}

#[test]
fn a_node_is_no_other_node() {
    let folder = Folder::new("places");
    authority(&folder.0, 3).expect("a new folder");
    // Nodes 0 and 1 have each other's certificates.
    let place = |node| folder.of(&format!("node-{}", [1, 0, 2][node]));
    let local = Local::with(3, &|node| Some(keys(&place(node))));
    let own = keys(&folder.of(CLIENT));
    let client = connect(&local.addresses(), Some(&own), Kind::Tcp).expect("a client");
    let missing = client.missing();
    assert_eq!(missing.iter().map(|(node, _)| *node).collect::<Vec<_>>(), [0, 1]);
    assert!(missing[0].1.contains("another node or client"), "{}", missing[0].1);
}

#[test]
fn a_node_without_keys_is_none_of_a_cluster_with_them() {
    let folder = Folder::new("plain");
    authority(&folder.0, 3).expect("a new folder");
    let local = Local::with(3, &|_| None);
    let why = refused(&local, Some(&keys(&folder.of(CLIENT))));
    assert!(why.contains("was the node started with --keys?"), "{why}");
}
