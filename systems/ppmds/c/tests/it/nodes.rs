//! Three servers of this process over real sockets and folders, each on its own thread.
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::keys::{CLIENT, authority, name_of};
use ppmds_service::node::{NodeOptions, Notice, serve};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{JoinHandle, spawn};

/// A cluster; its servers stop when this is dropped.
pub struct Nodes {
    folder: PathBuf,
    cluster: Cluster,
    keys: Option<PathBuf>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Nodes {
    pub fn start(folder: &Path, has_keys: bool) -> Nodes {
        let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let address = |listener: &TcpListener| listener.local_addr().expect("bound").to_string();
        let cluster = Cluster::new(listeners.iter().map(address).collect()).expect("a cluster");
        drop(listeners);
        let keys = has_keys.then(|| authority(&folder.join("keys"), 3).expect("keys"));
        let mut nodes = Nodes {
            folder: folder.to_path_buf(),
            cluster,
            keys,
            stop: Arc::default(),
            threads: Vec::new(),
        };
        std::fs::write(nodes.file(), nodes.cluster.text()).expect("a cluster file");
        nodes.start_again();
        nodes
    }

    /// The cluster file.
    pub fn file(&self) -> PathBuf {
        self.folder.join("meta.toml")
    }

    pub fn client_keys(&self) -> PathBuf {
        self.folder.join("keys").join(CLIENT)
    }

    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        self.threads.drain(..).for_each(|thread| thread.join().expect("a node"))
    }

    pub fn start_again(&mut self) {
        self.stop.store(false, Ordering::SeqCst);
        self.threads = (0..3).map(|server| self.run(server)).collect()
    }

    fn run(&self, server: u32) -> JoinHandle<()> {
        let mut cluster = self.cluster.clone();
        if let Some(keys) = &self.keys {
            cluster = cluster.with_keys(&keys.join(name_of(server as usize))).expect("its keys")
        }
        let options = NodeOptions {
            listen: cluster.addresses[server as usize].clone(),
            cluster,
            server,
            is_standby: false,
            without_standby: false,
            data: self.folder.join(format!("server-{server}")),
            durability: Durability::Async,
            metrics: None,
            is_insecure: false,
        };
        let (ready, started) = mpsc::channel();
        let stop = Arc::clone(&self.stop);
        let thread = spawn(move || {
            let mut notify = |notice: Notice<'_>| {
                if let Notice::Ready { .. } = notice {
                    ready.send(()).expect("the caller waits")
                }
            };
            serve(&options, &mut notify, &|| stop.load(Ordering::SeqCst)).expect("a node")
        });
        started.recv().expect("the node starts");
        thread
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.stop()
    }
}
