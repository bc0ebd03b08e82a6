//! A node: sockets on one thread, the state machine and its disk on another.
//!
//! ```text
//!  sockets ──► inputs ──► batch ──► core ──► changes ──► disk ──► answers ──► sockets
//!     ▲          │
//!     └── a connection waits while 64 of its messages are in the queue
//! ```
mod accept;
mod gather;
mod inputs;
mod links;
mod machine;
mod meter;
mod metrics;
mod notices;

use crate::Error;
use crate::cluster::Cluster;
use crate::core::Core;
use crate::disk::{Disk, Journaled, all_rows};
use crate::durability::Durability;
use crate::folder::Folder;
use accept::Door;
use inputs::Inputs;
use machine::Machine;
use notices::Notices;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::oneshot;

#[derive(Clone, Debug)]
pub struct NodeOptions {
    pub cluster: Cluster,
    pub server: u32,
    /// HOST:PORT; the other servers and clients use the address of the cluster file.
    pub listen: String,
    pub data: PathBuf,
    pub durability: Durability,
    /// Address of the metrics page; a loopback address.
    pub metrics: Option<String>,
    /// Allows an address that other machines reach, without keys: no encryption, no
    /// authentication.
    pub is_insecure: bool,
}

pub enum Notice<'a> {
    Ready {
        address: SocketAddr,
        metrics: Option<SocketAddr>,
        rows: usize,
    },
    /// A line of the log.
    Line(&'a str),
}

/// Runs a node until `stop` returns true.
///
/// # Errors
/// A wrong option or folder, an address in use, or a disk that fails or is full.
pub fn serve(
    options: &NodeOptions,
    notify: &mut dyn FnMut(Notice<'_>),
    stop: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let is_open = options.cluster.keys.is_some() || options.is_insecure;
    let listener = listen("--listen", &options.listen, is_open)?;
    let metrics = options.metrics.as_deref();
    let metrics = metrics.map(|address| listen("--metrics", address, false)).transpose()?;
    let (core, disk) = open(options)?;
    let address = |listener: &TcpListener| {
        listener.local_addr().map_err(|e| Error::Failed(format!("no local address: {e}")))
    };
    let ready = Notice::Ready {
        address: address(&listener)?,
        metrics: metrics.as_ref().map(address).transpose()?,
        rows: core.server().store.len(),
    };
    let (inputs, queue) = Inputs::channel();
    let (notices, lines) = Notices::channel();
    let (senders, links) = links::links(&options.cluster, options.server);
    let (layout, keys) = (options.cluster.layout(), options.cluster.keys.clone());
    let door = Door { layout, me: options.server, keys, inputs, notices: notices.clone() };
    let (end, ended) = oneshot::channel::<()>();
    let sockets = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let door = Arc::new(door);
            if let Some(metrics) = metrics {
                let metrics = tokio::net::TcpListener::from_std(metrics)?;
                tokio::spawn(metrics::serve(metrics, door.inputs.clone()));
            }
            for link in links {
                tokio::spawn(link.run(notices.clone()));
            }
            tokio::spawn(accept::accept(listener, door));
            let _ = ended.await;
            std::io::Result::Ok(())
        })
    });
    notify(ready);
    let mut machine = Machine::new(core, disk, options.durability, senders);
    let mut result = machine.start();
    while result.is_ok() && !stop() && !sockets.is_finished() {
        result = machine.turn(&queue);
        lines.try_iter().for_each(|line| notify(Notice::Line(&line)))
    }
    drop(end);
    let sockets = sockets.join().map_err(|_| Error::Failed("the socket thread failed".into()))?;
    let failed = |e: std::io::Error| Error::Failed(format!("the sockets failed: {e}"));
    result.and_then(|()| machine.finish()).and(sockets.map_err(failed))
}

/// The server's state; creates a new server in an empty folder.
fn open(options: &NodeOptions) -> Result<(Core, Journaled), Error> {
    let (layout, me, data) = (options.cluster.layout(), options.server, &options.data);
    let folder = Folder::open(data, &layout, me)?;
    let is_new = folder.is_new;
    let mut disk = Journaled::open(folder, options.durability == Durability::Async)?;
    if is_new {
        disk.commit(&Core::first_rows(&layout, me), true)?;
        Folder::claim(data, &layout, me)?
    }
    let rows = all_rows(&disk)?;
    let core = Core::open(&layout, options.cluster.options(), me, rows.into_iter());
    let core = core.map_err(|e| Error::Failed(format!("{}: {e}", data.display())))?;
    Ok((core, disk))
}

/// `is_open`: allows other addresses than loopback.
fn listen(option: &str, address: &str, is_open: bool) -> Result<TcpListener, Error> {
    let expected = "expected HOST:PORT, as in 127.0.0.1:7500";
    let wrong = |e: &str| Error::BadInput(format!("{option} {address}: {e}: {expected}"));
    let found = address.to_socket_addrs().map_err(|e| wrong(&e.to_string()))?.next();
    let found = found.ok_or_else(|| wrong("no such host"))?;
    if !found.ip().is_loopback() && !is_open {
        let hint = if option == "--listen" {
            "give the node its keys (--keys, `tenbin relay keys`), listen on a loopback address, \
             or add --insecure on a private network"
        } else {
            "expected a loopback address"
        };
        return Err(Error::BadInput(format!(
            "{option} {address}: there is no encryption and no authentication, so any machine \
             that reaches this address could change all metadata: {hint}"
        )));
    }
    let failed = |e: std::io::Error| Error::Failed(format!("cannot listen on {address}: {e}"));
    let listener = TcpListener::bind(found).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}
