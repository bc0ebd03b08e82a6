//! Servers are added and removed under load; clients keep their old list of servers.
use crate::disk::Scratch;
use crate::nodes::{Node, OF, cluster, options, rows};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::fsck::fsck;
use ppmds_service::growth::{finish_removal, rebalance, spread_word, with_leaving, with_server};
use ppmds_service::operator::{Operator, learn};
use ppmds_service::runtime::block_on;
use ppmds_service::wire::Misplaced;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const DIRECTORIES: usize = 30;

fn start(cluster: &Cluster, server: u32, scratch: &Scratch) -> Node {
    Node::start(options(cluster, server, &scratch.0, Durability::Group))
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

async fn connect(cluster: &Cluster) -> Client {
    Client::connect(cluster, ClientOptions::default()).await.unwrap()
}

/// Renames a file round all directories, and reads each of them.
async fn load(client: &Client, rounds: &AtomicUsize, is_over: &AtomicBool) {
    while !is_over.load(Ordering::SeqCst) {
        for n in 0..DIRECTORIES {
            let [from, to] = [n, (n + 1) % DIRECTORIES].map(|n| format!("/d{n}/ball"));
            client.rename_path(&from, &to).await.unwrap();
            client.stat_path(&to).await.unwrap();
        }
        rounds.fetch_add(1, Ordering::SeqCst);
    }
}

async fn check(cluster: &Cluster, client: &Client, of: &[usize]) {
    let rows = rows(cluster).await;
    let wrong = fsck(&rows, &cluster.placement());
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(rows.iter().map(Vec::len).map(|len| len.min(1)).collect::<Vec<_>>(), of);
    let mut files = 0;
    for n in 0..DIRECTORIES {
        let all = client.readdir_path(&format!("/d{n}")).await.unwrap();
        // The ball moves meanwhile.
        files += all.iter().filter(|listed| listed.name.bytes().starts_with(b"f")).count()
    }
    assert_eq!(files, DIRECTORIES * 10)
}

async fn move_all(cluster: &Cluster) {
    spread_word(cluster).await.unwrap();
    assert_eq!(rebalance(cluster, &mut |_| Ok(())).await.unwrap(), Misplaced::default())
}

/// Adds a server with a new number, then one at a wrong address, which is removed.
async fn replace(
    (old, last): (&Cluster, &Cluster),
    client: &Client,
    scratch: &Scratch,
    wait: &dyn Fn(usize),
) -> (Cluster, Node) {
    let again = with_server(last, &free_address(), None).unwrap();
    let fourth = start(&again, 3, scratch);
    move_all(&again).await;
    wait(1);
    check(&again, client, &[1, 1, 0, 1]).await;
    assert_eq!(learn(old.clone()).await.version(), again.version());
    // One whose address was wrong never answers.
    let typo = with_server(&again, &free_address(), None).unwrap();
    for server in [0, 1, 3] {
        let mut operator = Operator::connect(&again, server).await.unwrap();
        operator.set_members(&typo.members().unwrap()).await
    }
    let leaving = with_leaving(&typo, 4).unwrap();
    move_all(&leaving).await;
    let last = finish_removal(&leaving, 4).await.unwrap();
    wait(1);
    (last, fourth)
}

#[test]
fn a_server_joins_and_leaves_under_load() {
    let (scratch, old) = (Scratch::new("growth"), cluster(2));
    let nodes = [start(&old, 0, &scratch), start(&old, 1, &scratch)];
    let (rounds, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (ready, go) = (AtomicBool::new(false), &is_over);
    let fourth = std::thread::scope(|scope| {
        let player = scope.spawn(|| {
            block_on(async {
                let client = connect(&old).await;
                for n in 0..DIRECTORIES {
                    client.mkdir_path(&format!("/d{n}"), OF).await.unwrap();
                    for file in 0..10 {
                        client.create_path(&format!("/d{n}/f{file}"), OF).await.unwrap();
                    }
                }
                client.create_path("/d0/ball", OF).await.unwrap();
                ready.store(true, Ordering::SeqCst);
                load(&client, &rounds, go).await;
                // Its list of servers is the first one.
                client.create_path("/late", OF).await.unwrap();
                client.close().await
            })
            .unwrap()
        });
        let wait = |more: usize| {
            let least = rounds.load(Ordering::SeqCst) + more;
            while rounds.load(Ordering::SeqCst) < least || !ready.load(Ordering::SeqCst) {
                assert!(!player.is_finished(), "the client fails");
                std::thread::sleep(std::time::Duration::from_millis(5))
            }
        };
        wait(1);
        let grown = with_server(&old, &free_address(), None).unwrap();
        assert_eq!(Cluster::parse(&grown.text(), "c").unwrap().members(), grown.members());
        let third = start(&grown, 2, &scratch);
        block_on(async {
            move_all(&grown).await;
            let client = connect(&old).await;
            wait(2);
            check(&grown, &client, &[1, 1, 1]).await;
            assert!(with_leaving(&grown, 1).unwrap_err().contains("one of the first 2"));
            let leaving = with_leaving(&grown, 2).unwrap();
            move_all(&leaving).await;
            let last = finish_removal(&leaving, 2).await.unwrap();
            wait(1);
            drop(third);
            wait(2);
            check(&last, &client, &[1, 1, 0]).await;
            let (last, fourth) = replace((&old, &last), &client, &scratch, &wait).await;
            is_over.store(true, Ordering::SeqCst);
            check(&last, &client, &[1, 1, 0, 1, 0]).await;
            client.close().await;
            fourth
        })
        .unwrap()
    });
    drop(fourth);
    // A restart with the first file has the later servers.
    drop(nodes);
    let nodes = [start(&old, 0, &scratch), start(&old, 1, &scratch)];
    block_on(async {
        let status = Operator::connect(&old, 0).await.unwrap().status().await.unwrap();
        assert_eq!(status.members, 7)
    })
    .unwrap();
    drop(nodes)
}
