//! Writers that wait for memory on nodes, and for restarting nodes.
use crate::tcp::Local;
use crate::world::bytes;
use std::time::Duration;
use xor_relay::client::{Error, Strategy, connect};
use xor_relay::transport::Kind;

/// Data blocks of 1 MiB: the ring on each of five nodes is a quarter of a node's limit.
const BLOCK: u32 = 1 << 20;

fn put(local: &Local, name: &str, wait: Duration) -> Result<(), Error> {
    let content = bytes(1, 100_000);
    let mut feed = |at: u64, to: &mut [u8]| {
        to.copy_from_slice(&content[at as usize..][..to.len()]);
        // Gives other writers time to begin.
        std::thread::sleep(Duration::from_millis(30));
        Ok(())
    };
    let mut client = connect(&local.addresses(), None, Kind::Tcp).expect("a client");
    client.wait_for_memory(wait);
    let length = content.len() as u64;
    client.put(name, length, BLOCK, Strategy::Auto, &mut feed, &mut |_, _| true).map(drop)
}

fn all_put(local: &Local, wait: Duration) -> Vec<Result<(), Error>> {
    std::thread::scope(|scope| {
        let put = |nth: usize| scope.spawn(move || put(local, &format!("x{nth}"), wait));
        let all: Vec<_> = (0..30).map(put).collect();
        all.into_iter().map(|one| one.join().expect("no panic")).collect()
    })
}

#[test]
fn thirty_writers_of_large_blocks_all_get_in() {
    let local = Local::new(5);
    for result in all_put(&local, Duration::from_secs(60)) {
        result.expect("it waits for its turn")
    }
    let mut client = connect(&local.addresses(), None, Kind::Tcp).expect("a client");
    assert_eq!(client.survey_all().expect("all answer").whole().len(), 30);
    let (status, identified) = client.status();
    identified.expect("a cluster");
    assert_eq!(status.wrong, Vec::<String>::new());
    for node in status.nodes.iter().flatten() {
        assert_eq!((node.rings, node.writers, node.waiting, node.versions), (0, 0, 0, 30));
        assert!(node.disk_total > node.disk_free && node.connections >= 1, "{node:?}");
    }
}

#[test]
fn who_does_not_wait_is_told_what_is_full() {
    let local = Local::new(5);
    let failed: Vec<String> = all_put(&local, Duration::ZERO)
        .into_iter()
        .filter_map(|r| Some(r.err()?.to_string()))
        .collect();
    assert!(!failed.is_empty(), "30 rings are more than a node has");
    for why in failed {
        let is_full =
            why.contains("bytes of rings are taken") || why.contains("are writing to this node");
        assert!(why.starts_with("cannot begin: node ") && is_full, "{why}");
    }
}

#[test]
fn a_put_waits_for_a_node_that_restarts() {
    let mut local = Local::new(5);
    put(&local, "x", Duration::ZERO).expect("all are there");
    local.stop(2);
    let mut client = connect(&local.addresses(), None, Kind::Tcp).expect("a client");
    client.wait_for_nodes(Duration::from_millis(300), &mut || true).expect("a cluster");
    assert_eq!(client.missing().len(), 1, "it is not there yet");
    std::thread::scope(|scope| {
        let waited = scope.spawn(move || {
            client.wait_for_nodes(Duration::from_secs(20), &mut || true).expect("a cluster");
            client.missing()
        });
        std::thread::sleep(Duration::from_millis(500));
        local.restart(2);
        assert_eq!(waited.join().expect("no panic"), Vec::new());
    });
    put(&local, "y", Duration::ZERO).expect("all are there again");
}
