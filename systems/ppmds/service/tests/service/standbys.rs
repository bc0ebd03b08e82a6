//! Servers with a standby: it follows, is promoted, and no two copies ever answer.
use crate::disk::Scratch;
use crate::nodes::{Node, OF, options};
use ppmds_service::Error;
use ppmds_service::client::{Client, ClientOptions, OperationError};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::growth::{rebalance, spread_word, with_server};
use ppmds_service::node::{NodeOptions, serve};
use ppmds_service::operator::Operator;
use ppmds_service::rows::Role;
use ppmds_service::runtime::block_on;
use std::net::TcpListener;
use std::time::Duration;

/// One server with a standby.
fn pair() -> Cluster {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let [server, standby] =
        listeners.each_ref().map(|listener| listener.local_addr().unwrap().to_string());
    Cluster::with_standbys(vec![server], vec![Some(standby)]).unwrap()
}

/// The file after a promotion.
fn exchanged(pair: &Cluster) -> Cluster {
    let (server, standby) = (pair.addresses[0].clone(), pair.standbys[0].clone());
    let mut other = pair.clone();
    (other.addresses[0], other.standbys[0]) = (standby.unwrap(), Some(server));
    other
}

fn server(pair: &Cluster, scratch: &Scratch, folder: &str) -> NodeOptions {
    NodeOptions { metrics: None, ..options(pair, 0, &scratch.0.join(folder), Durability::Group) }
}

fn standby(pair: &Cluster, scratch: &Scratch, folder: &str) -> NodeOptions {
    let listen = pair.standbys[0].clone().unwrap();
    NodeOptions { is_standby: true, listen, ..server(pair, scratch, folder) }
}

fn fails(options: &NodeOptions) -> String {
    let serve = || serve(options, &mut |_| {}, &|| false);
    match std::thread::scope(|scope| scope.spawn(serve).join()).unwrap() {
        Err(Error::Failed(why) | Error::BadInput(why)) => why,
        Ok(()) => panic!("it ended without an error"),
    }
}

async fn promote(pair: &Cluster) -> Result<u32, String> {
    let address = pair.standbys[0].as_ref().unwrap();
    Operator::connect_to(pair, 0, address).await?.promote().await
}

async fn names(client: &Client) -> usize {
    client.readdir_path("/").await.unwrap().len()
}

async fn create(client: &Client, names: std::ops::Range<u32>) {
    for n in names {
        client.create_path(&format!("/{n}"), OF).await.unwrap();
    }
}

/// A client that does not wait long.
async fn hurried(pair: &Cluster) -> Client {
    Client::connect(pair, ClientOptions { deadline: Duration::from_secs(1) }).await.unwrap()
}

#[test]
fn a_promoted_standby_has_all_and_a_new_one_follows_it() {
    let (scratch, pair) = (Scratch::new("promoted"), pair());
    let second = Node::start(standby(&pair, &scratch, "b"));
    let first = Node::start(server(&pair, &scratch, "a"));
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        create(&client, 0..50).await;
        let address = &pair.standbys[0].clone().unwrap();
        let mut other = Operator::connect_to(&pair, 0, address).await.unwrap();
        let status = other.status().await.unwrap();
        assert!((status.role, status.follows) == (Role::Standby, true) && status.commits > 0);
        drop(first);
        while other.status().await.unwrap().follows {
            tokio::task::yield_now().await
        }
        assert_eq!(promote(&pair).await, Ok(2));
        // The same client continues at the other address.
        create(&client, 50..60).await;
        assert_eq!(names(&client).await, 60);
        let why = promote(&pair).await.unwrap_err();
        assert!(why.contains("server 0 itself"), "{why}");
        // The former server, restarted by mistake, must not serve.
        let why = fails(&server(&pair, &scratch, "a"));
        assert!(why.contains("generation 2") && why.contains("out of date"), "{why}");
        // Exchanged, an empty folder follows, and is promoted in turn.
        drop(second);
        let exchanged = exchanged(&pair);
        let second = Node::start(server(&exchanged, &scratch, "b"));
        let third = Node::start(standby(&exchanged, &scratch, "c"));
        create(&client, 60..70).await;
        drop(second);
        assert_eq!(promote(&exchanged).await, Ok(3));
        assert_eq!(names(&client).await, 70);
        client.close().await;
        drop(third)
    })
    .unwrap()
}

#[test]
fn a_promoted_standby_knows_servers_that_were_added() {
    let (scratch, pair) = (Scratch::new("grown"), pair());
    let second = Node::start(standby(&pair, &scratch, "b"));
    let first = Node::start(server(&pair, &scratch, "a"));
    let added = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let grown = with_server(&pair, &added, None).unwrap();
    let other = options(&grown, 1, &scratch.0, Durability::Group);
    let other = Node::start(NodeOptions { metrics: None, ..other });
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        create(&client, 0..20).await;
        spread_word(&grown).await.unwrap();
        rebalance(&grown, &mut |_| Ok(())).await.unwrap();
        create(&client, 20..40).await;
        drop(first);
        assert_eq!(promote(&pair).await, Ok(2));
        create(&client, 40..60).await;
        client.rename_path("/0", "/renamed").await.unwrap();
        assert_eq!(names(&client).await, 60);
        client.close().await
    })
    .unwrap();
    drop(second);
    let why = fails(&server(&exchanged(&pair), &scratch, "b"));
    assert!(why.contains("older than the rows"), "{why}");
    let third = Node::start(standby(&exchanged(&grown), &scratch, "c"));
    let second = Node::start(server(&exchanged(&grown), &scratch, "b"));
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        assert_eq!(names(&client).await, 60);
        client.close().await
    })
    .unwrap();
    drop((second, third, other))
}

#[test]
fn a_server_that_is_replaced_while_it_runs_answers_nothing() {
    let (scratch, pair) = (Scratch::new("replaced"), pair());
    let second = Node::start(standby(&pair, &scratch, "b"));
    let running = std::thread::spawn({
        let options = server(&pair, &scratch, "a");
        move || fails(&options)
    });
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        create(&client, 0..20).await;
        assert_eq!(promote(&pair).await, Ok(2));
        create(&client, 20..40).await;
        assert_eq!(names(&client).await, 40);
        client.close().await
    })
    .unwrap();
    // It learns of its end when it is next asked, or at its next start.
    let why = running.join().unwrap();
    assert!(why.contains("out of date"), "{why}");
    drop(second)
}

#[test]
fn a_server_waits_while_its_standby_is_away() {
    let (scratch, pair) = (Scratch::new("waits"), pair());
    let second = Node::start(standby(&pair, &scratch, "b"));
    let first = Node::start(server(&pair, &scratch, "a"));
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        create(&client, 0..20).await;
        drop(second);
        let late = hurried(&pair).await;
        let made = late.create_path("/late", OF).await;
        assert!(matches!(made, Err(OperationError::Unanswered(_))), "{made:?}");
        // Reads stop as well, once its right to answer them has passed.
        std::thread::sleep(Duration::from_secs(2));
        let read = late.stat_path("/0").await;
        assert!(matches!(read, Err(OperationError::Unanswered(_))), "{read:?}");
        let second = Node::start(standby(&pair, &scratch, "b"));
        create(&client, 20..30).await;
        assert!((30..=31).contains(&names(&client).await), "with or without the late one");
        client.close().await;
        drop(first);
        drop(second)
    })
    .unwrap()
}

#[test]
fn a_wrong_start_is_refused_and_loses_nothing() {
    let (scratch, pair) = (Scratch::new("wrong"), pair());
    let second = Node::start(standby(&pair, &scratch, "b"));
    let first = Node::start(server(&pair, &scratch, "a"));
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        create(&client, 0..10).await;
        client.close().await
    })
    .unwrap();
    drop(first);
    // An empty folder in place of the server's.
    let why = fails(&server(&pair, &scratch, "empty"));
    assert!(why.contains("empty folder") && why.contains("promote"), "{why}");
    drop(second);
    // The standby's folder as the server, and the server without its standby.
    let why = fails(&server(&pair, &scratch, "b"));
    assert!(why.contains("promote it first"), "{why}");
    let alone = Cluster { standbys: vec![None], ..pair.clone() };
    let why = fails(&server(&alone, &scratch, "a"));
    assert!(why.contains("--without-standby"), "{why}");
    let detached = NodeOptions { without_standby: true, ..server(&alone, &scratch, "a") };
    let first = Node::start(detached);
    block_on(async {
        let client = Client::connect(&alone, ClientOptions::default()).await.unwrap();
        create(&client, 10..20).await;
        client.close().await
    })
    .unwrap();
    drop(first);
    // The folder of a server does not become a standby of an older or equal one.
    let exchanged = exchanged(&pair);
    let second = Node::start(standby(&exchanged, &scratch, "a"));
    block_on(async {
        let why = promote(&exchanged).await.unwrap_err();
        assert!(why.contains("has not got all its rows"), "{why}")
    })
    .unwrap();
    drop(second);
    // Its own server again.
    let second = Node::start(standby(&pair, &scratch, "new"));
    let first = Node::start(server(&pair, &scratch, "a"));
    block_on(async {
        let client = Client::connect(&pair, ClientOptions::default()).await.unwrap();
        assert_eq!(names(&client).await, 20);
        client.close().await
    })
    .unwrap();
    drop(first);
    drop(second)
}
