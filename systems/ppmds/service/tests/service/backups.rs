//! A copy of all servers under load, restored as a new cluster.
use crate::disk::Scratch;
use crate::nodes::{Node, OF, cluster, options, rows};
use ppmds_service::Error;
use ppmds_service::backup::{backup, restore};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::fsck::fsck;
use ppmds_service::runtime::block_on;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn start(cluster: &Cluster, scratch: &Scratch, folder: &str) -> Vec<Node> {
    let servers = 0..cluster.servers();
    let folder = scratch.0.join(folder);
    servers.map(|n| Node::start(options(cluster, n, &folder, Durability::Group))).collect()
}

async fn connect(cluster: &Cluster) -> Client {
    Client::connect(cluster, ClientOptions::default()).await.unwrap()
}

/// Moves a file between two directories, again and again.
async fn juggle(cluster: &Cluster, moves: &AtomicUsize, is_over: &AtomicBool) {
    let client = connect(cluster).await;
    while !is_over.load(Ordering::SeqCst) {
        for (from, to) in [("/a/ball", "/b/ball"), ("/b/ball", "/a/ball")] {
            client.rename_path(from, to).await.unwrap();
            moves.fetch_add(1, Ordering::SeqCst);
        }
    }
    client.close().await
}

fn bad<T: std::fmt::Debug>(result: Result<T, Error>, words: &str) {
    let Err(Error::BadInput(why)) = result else { panic!("{words}: {result:?}") };
    assert!(why.contains(words), "{why}")
}

#[test]
fn a_copy_under_load_is_of_one_moment() {
    let (scratch, old, new) = (Scratch::new("backup"), cluster(3), cluster(3));
    let nodes = start(&old, &scratch, "old");
    let copy = scratch.0.join("copy");
    block_on(async {
        let client = connect(&old).await;
        for path in ["/a", "/b"] {
            client.mkdir_path(path, OF).await.unwrap();
        }
        for n in 0..200 {
            client.create_path(&format!("/a/{n}"), OF).await.unwrap();
        }
        client.create_path("/a/ball", OF).await.unwrap();
        client.close().await
    })
    .unwrap();
    let (moves, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| block_on(juggle(&old, &moves, &is_over)));
        block_on(async {
            for n in 0..5 {
                let before = moves.load(Ordering::SeqCst);
                while moves.load(Ordering::SeqCst) < before + 20 {
                    tokio::task::yield_now().await
                }
                let to = scratch.0.join(format!("copy{n}"));
                backup(&old, if n == 4 { &copy } else { &to }).await.unwrap();
            }
            bad(backup(&old, &copy).await, "has files");
        })
        .unwrap();
        is_over.store(true, Ordering::SeqCst)
    });
    let folder = |n: u32| scratch.0.join("new").join(format!("server-{n}"));
    bad(restore(&copy, &old, 0, &folder(0)), "a copy of this cluster");
    bad(restore(&copy, &cluster(2), 0, &folder(0)), "a copy of 3 servers");
    for n in 0..3 {
        restore(&copy, &new, n, &folder(n)).unwrap();
    }
    bad(restore(&copy, &new, 0, &folder(0)), "expected a new or empty folder");
    drop(nodes);
    let nodes = start(&new, &scratch, "new");
    block_on(async {
        let wrong = fsck(&rows(&new).await, &new.layout().placement());
        assert!(wrong.is_empty(), "{wrong:?}");
        let client = connect(&new).await;
        let [a, b] = [client.readdir_path("/a").await, client.readdir_path("/b").await];
        assert_eq!(a.unwrap().len() + b.unwrap().len(), 201, "the ball is in one of them");
        client.create_path("/b/new", OF).await.unwrap();
        client.close().await
    })
    .unwrap();
    drop(nodes)
}

#[test]
fn a_damaged_or_incomplete_copy_is_refused() {
    let (scratch, old, new) = (Scratch::new("damaged"), cluster(1), cluster(1));
    let nodes = start(&old, &scratch, "old");
    let (copy, data) = (scratch.0.join("copy"), scratch.0.join("data"));
    block_on(async {
        let client = connect(&old).await;
        client.create_path("/a", OF).await.unwrap();
        client.close().await;
        backup(&old, &copy).await.unwrap()
    })
    .unwrap();
    drop(nodes);
    let file = copy.join("server-0.rows");
    let good = std::fs::read(&file).unwrap();
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&file, bytes).unwrap();
        bad(restore(&copy, &new, 0, &data), "damaged")
    }
    std::fs::write(&file, &good[..good.len() - 1]).unwrap();
    bad(restore(&copy, &new, 0, &data), "damaged");
    std::fs::write(&file, &good).unwrap();
    let manifest = std::fs::read_to_string(copy.join("backup.json")).unwrap();
    std::fs::remove_file(copy.join("backup.json")).unwrap();
    bad(restore(&copy, &new, 0, &data), "the backup did not end");
    std::fs::write(copy.join("backup.json"), manifest).unwrap();
    // An interrupted restore: the node does not start, and the restore can be repeated.
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("restore"), "").unwrap();
    let options = options(&new, 0, &scratch.0, Durability::Group);
    let options = ppmds_service::node::NodeOptions { data: data.clone(), ..options };
    bad(ppmds_service::node::serve(&options, &mut |_| {}, &|| true), "did not end");
    restore(&copy, &new, 0, &data).unwrap();
}
