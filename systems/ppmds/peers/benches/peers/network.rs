//! Peers in processes of their own: the service, Redis.
use crate::{Client, LISTED, Peer};
use ppmds_protocol::{Attributes, Ino, Key, Name, Operation, Outcome, ROOT, TwoPaths};
use ppmds_service::client::{Client as ServiceClient, ClientOptions};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::node::{NodeOptions, serve};
use redis::{Commands, Script};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::runtime::Runtime;

const OF: Attributes = Attributes { mode: 0o644, owner: 0, group: 0 };

fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Processes that end when this is dropped.
struct Children(Vec<Child>);

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A node of the service in this process, started by [`Service`].
pub fn node(arguments: &[String]) {
    let [file, server, listen, data] = arguments else { panic!("FILE SERVER ADDRESS DATA") };
    let cluster = Cluster::read(Path::new(file)).unwrap();
    let server: u32 = server.parse().unwrap();
    let options = NodeOptions {
        is_standby: cluster.addresses[server as usize] != *listen,
        listen: listen.clone(),
        cluster,
        server,
        without_standby: false,
        data: PathBuf::from(data),
        durability: Durability::Group,
        metrics: None,
        is_insecure: false,
    };
    serve(&options, &mut |_| {}, &|| false).unwrap()
}

pub struct Service {
    children: Children,
    cluster: Cluster,
    directory: Ino,
    listed: Ino,
}

impl Service {
    pub fn start(folder: &Path, servers: u16, has_standbys: bool) -> Service {
        let ports = || (0..servers).map(|_| format!("127.0.0.1:{}", free_port()));
        let standbys = ports().map(|address| Some(address).filter(|_| has_standbys));
        let cluster = Cluster::with_standbys(ports().collect(), standbys.collect()).unwrap();
        let file = folder.join("cluster.toml");
        std::fs::write(&file, cluster.text()).unwrap();
        let start = |(server, address): (u32, &String)| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg("node").arg(&file).arg(server.to_string()).arg(address);
            command.arg(folder.join(format!("data-{address}"))).spawn().unwrap()
        };
        let servers = 0..cluster.servers();
        let places = servers.flat_map(|n| cluster.places(n).map(move |address| (n, address)));
        let children = Children(places.map(start).collect());
        let (directory, listed) = Runtime::new().unwrap().block_on(async {
            let client = ServiceClient::connect(&cluster, ClientOptions::default()).await.unwrap();
            let directory = client.mkdir(ROOT, &name("bench"), OF).await.unwrap();
            let listed = client.mkdir(ROOT, &name("listed"), OF).await.unwrap();
            for n in 0..LISTED {
                client.create(listed, &name(&n.to_string()), OF).await.unwrap();
            }
            client.close().await;
            (directory, listed)
        });
        Service { children, cluster, directory, listed }
    }
}

impl Peer for Service {
    fn name(&self) -> String {
        let Cluster { addresses, standbys, .. } = &self.cluster;
        let with = if standbys.iter().any(Option::is_some) { ", with standbys" } else { "" };
        format!("tenbin meta, group, {} servers{with}", addresses.len())
    }
    fn client(&self, number: u32) -> Box<dyn Client + '_> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client =
            runtime.block_on(ServiceClient::connect(&self.cluster, ClientOptions::default()));
        let client = client.unwrap_or_else(|e| panic!("{e}"));
        Box::new(ServiceUser { service: self, runtime, client, number })
    }
    fn processes(&self) -> Vec<u32> {
        self.children.0.iter().map(Child::id).collect()
    }
}

struct ServiceUser<'a> {
    service: &'a Service,
    runtime: Runtime,
    client: ServiceClient,
    number: u32,
}

impl Client for ServiceUser<'_> {
    fn run(&mut self, kind: &str, n: u32) {
        let Service { directory, listed, .. } = self.service;
        let key = Key::entry(*directory, &name(&format!("file.{}.{n}", self.number)));
        let moved = Key::entry(*directory, &name(&format!("moved.{}", self.number)));
        let rename = |from: &Key, to: &Key| {
            Operation::Rename(Box::new(TwoPaths { from: from.clone(), to: to.clone() }))
        };
        let run = |operation: Operation| {
            let completed = self.runtime.block_on(self.client.run(operation)).unwrap();
            assert!(!matches!(completed.outcome, Outcome::Failed(_)), "{completed:?}")
        };
        match kind {
            "create" => run(Operation::Create(key, OF)),
            "unlink" => run(Operation::Unlink(key)),
            "stat" => run(Operation::Stat(key)),
            "rename" => {
                run(rename(&key, &moved));
                run(rename(&moved, &key))
            }
            _ => run(Operation::Readdir(Key::itself(*listed), 0, 0)),
        }
    }
}

/// A hash by directory: name to inode. Each operation is a script, so it is atomic.
pub struct Redis {
    children: Children,
    client: redis::Client,
    policy: &'static str,
}

impl Redis {
    pub fn start(folder: &Path, policy: &'static str) -> Redis {
        let port = free_port();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--save", "", "--appendonly", "yes"]);
        command.args(["--appendfsync", policy, "--dir"]).arg(folder).stdout(Stdio::null());
        let children = Children(vec![command.spawn().expect("redis-server is installed")]);
        let client = redis::Client::open(format!("redis://127.0.0.1:{port}/")).unwrap();
        let mut connection = loop {
            match client.get_connection() {
                Ok(connection) => break connection,
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        for n in 0..LISTED {
            let _: () = connection.hset("d0", format!("listed.{n}"), &[7; 60][..]).unwrap();
        }
        Redis { children, client, policy }
    }
}

impl Peer for Redis {
    fn name(&self) -> String {
        format!("Redis, appendfsync {}", self.policy)
    }
    fn client(&self, number: u32) -> Box<dyn Client + '_> {
        let script = |text: &str| Script::new(text);
        Box::new(RedisUser {
            connection: self.client.get_connection().unwrap(),
            number,
            create: script(
                "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
                 local ino = redis.call('INCR', 'ino')
                 redis.call('HSET', KEYS[1], ARGV[1], ino .. ARGV[2]) return ino",
            ),
            rename: script(
                "local row = redis.call('HGET', KEYS[1], ARGV[1])
                 if not row then return 0 end
                 redis.call('HDEL', KEYS[1], ARGV[1])
                 redis.call('HSET', KEYS[1], ARGV[2], row) return 1",
            ),
            unlink: script("return redis.call('HDEL', KEYS[1], ARGV[1])"),
        })
    }
    fn processes(&self) -> Vec<u32> {
        self.children.0.iter().map(Child::id).collect()
    }
}

struct RedisUser {
    connection: redis::Connection,
    number: u32,
    create: Script,
    rename: Script,
    unlink: Script,
}

impl Client for RedisUser {
    fn run(&mut self, kind: &str, n: u32) {
        let (connection, key) = (&mut self.connection, format!("file.{}.{n}", self.number));
        let moved = format!("moved.{}", self.number);
        let done: u64 = match kind {
            "create" => {
                let mut call = self.create.key("d1");
                call.arg(&key).arg(&[7; 60][..]).invoke(connection).unwrap()
            }
            "unlink" => self.unlink.key("d1").arg(&key).invoke(connection).unwrap(),
            "rename" => {
                let there: u64 =
                    self.rename.key("d1").arg(&key).arg(&moved).invoke(connection).unwrap();
                assert_eq!(there, 1);
                self.rename.key("d1").arg(&moved).arg(&key).invoke(connection).unwrap()
            }
            "stat" => {
                let row: Vec<u8> = connection.hget("d1", &key).unwrap();
                row.len() as u64
            }
            _ => {
                let all: Vec<(String, Vec<u8>)> = connection.hgetall("d0").unwrap();
                all.len() as u64
            }
        };
        assert!(done > 0)
    }
}
