//! Nodes of this process over real sockets and folders, each on its own thread.
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{JoinHandle, spawn};
use xor_relay::keys::{Keys, authority, name_of};
use xor_relay::transport::Kind;
use xor_relay::{Io, NodeNotice, ServeOptions, serve};

struct Running {
    address: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A cluster; it ends when this is dropped.
pub struct Nodes {
    folder: PathBuf,
    running: Vec<Running>,
}

impl Nodes {
    pub fn start(folder: &Path, count: usize) -> Nodes {
        Nodes::start_with(folder, count, false)
    }

    /// Each node has keys of the cluster's own authority.
    pub fn start_with(folder: &Path, count: usize, has_keys: bool) -> Nodes {
        let keys = has_keys.then(|| authority(&folder.join("keys"), count).expect("keys"));
        let start = |node: usize| {
            let keys =
                keys.as_ref().map(|all| Keys::read(&all.join(name_of(node))).expect("a key"));
            run("127.0.0.1:0", folder.join(format!("node-{node}")), keys)
        };
        Nodes { folder: folder.to_path_buf(), running: (0..count).map(start).collect() }
    }

    pub fn addresses(&self) -> Vec<&str> {
        self.running.iter().map(|node| node.address.as_str()).collect()
    }

    pub fn stop(&mut self) {
        self.running.iter().for_each(|node| node.stop.store(true, Ordering::SeqCst));
        for thread in self.running.iter_mut().filter_map(|node| node.thread.take()) {
            // A failed node has already reported its error.
            let _ = thread.join();
        }
    }

    /// Restarts all nodes at their addresses, with their data.
    pub fn start_again(&mut self) {
        for (number, node) in self.running.iter_mut().enumerate() {
            *node = run(&node.address, self.folder.join(format!("node-{number}")), None)
        }
    }

    pub fn keys(&self) -> PathBuf {
        self.folder.join("keys").join(xor_relay::keys::CLIENT)
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.stop()
    }
}

fn run(listen: &str, data: PathBuf, keys: Option<Keys>) -> Running {
    let stop = Arc::new(AtomicBool::new(false));
    let serve_until = stop.clone();
    let options = ServeOptions {
        listen: listen.into(),
        data,
        keys,
        is_insecure: false,
        io: Io::Buffered,
        kind: Kind::Tcp,
    };
    let (tell, told) = mpsc::channel();
    let thread = spawn(move || {
        let mut on_notice = |notice: NodeNotice<'_>| {
            if let NodeNotice::Ready(ready) = notice {
                tell.send(ready.address.to_string()).expect("somebody waits")
            }
        };
        serve(&options, &mut on_notice, &|| serve_until.load(Ordering::SeqCst)).expect("a node");
    });
    Running { address: told.recv().expect("it listens"), stop, thread: Some(thread) }
}
