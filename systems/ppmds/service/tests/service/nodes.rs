//! Nodes and clients in this process, on real sockets.
use crate::disk::Scratch;
use ppmds_protocol::{Attributes, Errno, Key, Kind, Name, Stored};
use ppmds_service::Error;
use ppmds_service::client::{Client, ClientOptions, OperationError};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::fsck::fsck;
use ppmds_service::node::{NodeOptions, Notice, serve};
use ppmds_service::operator::moment;
use ppmds_service::runtime::block_on;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A node on a thread; it stops when this is dropped.
pub struct Node {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), Error>>>,
    metrics: Option<SocketAddr>,
}

pub fn options(
    cluster: &Cluster,
    server: u32,
    folder: &Path,
    durability: Durability,
) -> NodeOptions {
    NodeOptions {
        cluster: cluster.clone(),
        server,
        is_standby: false,
        without_standby: false,
        listen: cluster.addresses[server as usize].clone(),
        data: folder.join(format!("server-{server}")),
        durability,
        metrics: Some(String::from("127.0.0.1:0")),
        is_insecure: false,
    }
}

impl Node {
    pub fn start(options: NodeOptions) -> Node {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let (ready, started) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut notify = |notice: Notice<'_>| match notice {
                Notice::Ready { metrics, .. } => ready.send(metrics).unwrap(),
                Notice::Line(_) => {}
            };
            serve(&options, &mut notify, &|| stopped.load(Ordering::SeqCst))
        });
        let metrics = started.recv().expect("the node starts");
        Node { stop, thread: Some(thread), metrics }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let result = self.thread.take().map(|thread| thread.join().unwrap());
        assert_eq!(result, Some(Ok(())))
    }
}

pub fn cluster(servers: usize) -> Cluster {
    let listeners: Vec<TcpListener> =
        (0..servers).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    Cluster::new(listeners.iter().map(address).collect()).unwrap()
}

fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

pub const OF: Attributes = Attributes { mode: 0o644, owner: 0, group: 0 };

fn errno<T: std::fmt::Debug>(result: Result<T, OperationError>) -> Errno {
    match result {
        Err(OperationError::Errno(errno)) => errno,
        other => panic!("{other:?}"),
    }
}

/// All servers' rows of one moment.
pub async fn rows(cluster: &Cluster) -> Vec<Vec<(Key, Stored)>> {
    let mut rows = vec![Vec::new(); cluster.servers() as usize];
    for (server, mut operator) in moment(cluster, &cluster.numbers()).await.unwrap() {
        rows[server as usize] = operator.rows().await.unwrap()
    }
    rows
}

pub async fn use_paths(client: &Client) -> Result<(), OperationError> {
    for path in ["/a", "/a/b", "/c"] {
        client.mkdir_path(path, OF).await?;
    }
    for n in 0..30 {
        client.create_path(&format!("/a/b/file{n}"), OF).await?;
    }
    let file = client.stat_path("/a/b/file7").await?.ino;
    let moved = client.rename_path("/a/b", "/c/moved").await?;
    assert_eq!(client.lookup(client.stat_path("/c").await?.ino, &name("moved")).await?, moved);
    assert_eq!(client.stat_path("/c/moved/file7").await?.ino, file);
    client.link_path("/c/moved/file7", "/a/second").await?;
    assert_eq!(client.stat_path("/a/second").await?.links, 2);
    client.unlink_path("/c/moved/file7").await?;
    assert_eq!(client.readdir_path("/c/moved").await?.len(), 29);
    assert_eq!(errno(client.rmdir_path("/c").await), Errno::ENOTEMPTY);
    assert_eq!(errno(client.create_path("/a/second", OF).await), Errno::EEXIST);
    assert_eq!(errno(client.stat_path("/a/second/x").await), Errno::ENOTDIR);
    assert_eq!(errno(client.stat_path("relative").await), Errno::EINVAL);
    assert_eq!(errno(client.rename_path("/c", "/c/moved/in").await), Errno::EINVAL);
    assert_eq!(client.stat_path("/").await?.kind, Kind::Directory);
    Ok(())
}

#[test]
fn paths_survive_a_restart_of_all_nodes() {
    let (scratch, cluster) = (Scratch::new("nodes"), cluster(3));
    let start = |durability: Durability| -> Vec<Node> {
        (0..3).map(|n| Node::start(options(&cluster, n, &scratch.0, durability))).collect()
    };
    let nodes = start(Durability::Group);
    block_on(async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.unwrap();
        use_paths(&client).await.unwrap();
        client.close().await
    })
    .unwrap();
    drop(nodes);
    for durability in [Durability::Sync, Durability::Async] {
        let nodes = start(durability);
        block_on(async {
            let client = Client::connect(&cluster, ClientOptions::default()).await.unwrap();
            assert_eq!(client.readdir_path("/c/moved").await.unwrap().len(), 29);
            assert_eq!(client.stat_path("/a/second").await.unwrap().links, 1);
            let new = format!("/c/{}", durability.name());
            client.create_path(&new, OF).await.unwrap();
            client.close().await;
            let mut rows = rows(&cluster).await;
            let wrong = fsck(&rows, &cluster.layout().placement());
            assert!(wrong.is_empty(), "{wrong:?}");
            rows.iter_mut().for_each(|all| all.retain(|(key, _)| key.name.is_none()));
            assert!(!fsck(&rows, &cluster.layout().placement()).is_empty())
        })
        .unwrap();
        let mut page = String::new();
        let mut stream = TcpStream::connect(nodes[0].metrics.unwrap()).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").unwrap();
        stream.read_to_string(&mut page).unwrap();
        assert!(page.starts_with("HTTP/1.0 200 OK") && page.contains("tenbin_meta_rows "), "{page}")
    }
}

#[test]
fn a_client_waits_for_a_server_that_restarts() {
    let (scratch, cluster) = (Scratch::new("away"), cluster(2));
    let start = |n| Node::start(options(&cluster, n, &scratch.0, Durability::Group));
    let (first, second) = (start(0), start(1));
    block_on(async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.unwrap();
        client.mkdir_path("/a", OF).await.unwrap();
        drop(second);
        let hurried = ClientOptions { deadline: Duration::from_millis(300) };
        let hurried = Client::connect(&cluster, hurried).await.unwrap();
        let mut unanswered = 0;
        for n in 0..8 {
            let made = hurried.create_path(&format!("/x{n}"), OF).await;
            unanswered += u32::from(matches!(made, Err(OperationError::Unanswered(_))))
        }
        assert!(unanswered > 0, "half of the names are on the other server");
        let again = std::thread::spawn({
            let (cluster, folder) = (cluster.clone(), scratch.0.clone());
            move || {
                std::thread::sleep(Duration::from_millis(300));
                Node::start(options(&cluster, 1, &folder, Durability::Group))
            }
        });
        for n in 0..8 {
            client.create_path(&format!("/a/y{n}"), OF).await.unwrap();
        }
        assert_eq!(client.readdir_path("/a").await.unwrap().len(), 8);
        client.close().await;
        drop(again.join().unwrap());
    })
    .unwrap();
    drop(first)
}

#[test]
fn a_node_refuses_other_clusters_and_open_addresses() {
    let (scratch, right) = (Scratch::new("refuses"), cluster(1));
    let good = options(&right, 0, &scratch.0, Durability::Group);
    let exposed = NodeOptions { listen: String::from("0.0.0.0:0"), ..good.clone() };
    let Err(Error::BadInput(why)) = serve(&exposed, &mut |_| {}, &|| true) else {
        panic!("it listens")
    };
    assert!(why.contains("no encryption") && why.contains("--insecure"), "{why}");
    let node = Node::start(good.clone());
    let Err(Error::Failed(why)) = serve(
        &NodeOptions { listen: String::from("127.0.0.1:0"), metrics: None, ..good.clone() },
        &mut |_| {},
        &|| true,
    ) else {
        panic!("two nodes in one folder")
    };
    assert!(why.contains("another node uses this folder"), "{why}");
    let other = Cluster { id: right.id + 1, ..right.clone() };
    block_on(async {
        let refused = Client::connect(&other, ClientOptions::default()).await.err();
        let Some(Error::BadInput(why)) = refused else { panic!("{refused:?}") };
        assert!(why.contains("this is") && why.contains("use this cluster's file"), "{why}")
    })
    .unwrap();
    // Bytes of another protocol close only their own connection.
    let mut stream = TcpStream::connect(&right.addresses[0]).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: tenbin\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    drop(node);
    let Err(Error::BadInput(why)) =
        serve(&NodeOptions { cluster: other, metrics: None, ..good }, &mut |_| {}, &|| true)
    else {
        panic!("a folder of another cluster")
    };
    assert!(why.contains("server:2: "), "{why}")
}
