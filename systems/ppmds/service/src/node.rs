//! A node: sockets on one thread, the state machine and its disk on another.
//!
//! ```text
//!  sockets ──► inputs ──► batch ──► core ──► changes ──► disk ──► answers ──► sockets
//!     ▲          │
//!     └── a connection waits while 64 of its messages are in the queue
//! ```
mod accept;
mod copy;
mod follower;
mod gather;
mod inputs;
mod links;
mod machine;
mod meter;
mod metrics;
mod mirror;
mod moment;
mod notices;
mod options;
pub use options::NodeOptions;

use crate::Error;
use crate::rows::Role;
use crate::runtime::runtime;
use accept::Door;
use copy::Copy;
use inputs::Inputs;
use machine::Machine;
use notices::Notices;
use std::cell::RefCell;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};

pub enum Notice<'a> {
    Ready {
        address: SocketAddr,
        metrics: Option<SocketAddr>,
        role: Role,
    },
    /// A line of the log.
    Line(&'a str),
}

/// Runs a node until `stop` returns true.
///
/// # Errors
/// A wrong option or folder, an address in use, a disk that fails or is full, or a standby that has
/// become the server.
pub fn serve(
    options: &NodeOptions,
    notify: &mut dyn FnMut(Notice<'_>),
    stop: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let is_open = options.cluster.keys.is_some() || options.is_insecure;
    let listener = listen("--listen", &options.listen, is_open)?;
    let metrics = options.metrics.as_deref();
    let metrics = metrics.map(|address| listen("--metrics", address, false)).transpose()?;
    let address = |listener: &TcpListener| {
        listener.local_addr().map_err(|e| Error::Failed(format!("no local address: {e}")))
    };
    let addresses = (address(&listener)?, metrics.as_ref().map(address).transpose()?);
    let notify = RefCell::new(notify);
    let mut is_first = true;
    let mut ready = |role| {
        let (address, metrics) = addresses;
        if std::mem::take(&mut is_first) {
            notify.borrow_mut()(Notice::Ready { address, metrics, role })
        }
    };
    let mut print = |line: &str| notify.borrow_mut()(Notice::Line(line));
    loop {
        let clone = |listener: &TcpListener| {
            listener.try_clone().map_err(|e| Error::Failed(format!("the listener: {e}")))
        };
        let sockets = (clone(&listener)?, metrics.as_ref().map(clone).transpose()?);
        if !serve_once(options, sockets, &mut ready, &mut print, stop)? {
            return Ok(());
        }
    }
}

/// Runs a node until it stops, or until the cluster has other servers: the latter is true.
fn serve_once(
    options: &NodeOptions,
    (listener, metrics): (TcpListener, Option<TcpListener>),
    ready: &mut dyn FnMut(Role),
    print: &mut dyn FnMut(&str),
    stop: &dyn Fn() -> bool,
) -> Result<bool, Error> {
    let mut copy = Copy::open(options)?;
    let cluster = copy.cluster(options.cluster.clone())?;
    copy.check_pair(options, &cluster)?;
    let options = &NodeOptions { cluster: cluster.clone(), ..options.clone() };
    copy.check(options)?;
    ready(copy.role(options));
    let me = options.server;
    let (inputs, queue) = Inputs::channel();
    let (notices, lines) = Notices::channel();
    let (close, closed) = watch::channel(Some(format!("server {me} is starting")));
    let (senders, links) = links::links(&cluster, me);
    let version = cluster.version();
    let door = Door { cluster, me, inputs, notices: notices.clone(), closed };
    let (end, ended) = oneshot::channel::<()>();
    let log = notices.clone();
    let sockets = std::thread::spawn(move || {
        runtime()?.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let door = Arc::new(door);
            if let Some(metrics) = metrics {
                let metrics = tokio::net::TcpListener::from_std(metrics)?;
                tokio::spawn(metrics::serve(metrics, door.inputs.clone()));
            }
            for link in links {
                tokio::spawn(link.run(log.clone(), door.closed.clone()));
            }
            tokio::spawn(accept::accept(listener, door));
            let _ = ended.await;
            std::io::Result::Ok(())
        })
    });
    let print = RefCell::new(print);
    // Prints the log; whether to stop.
    let pause = || {
        lines.try_iter().for_each(|line| print.borrow_mut()(&line));
        stop() || sockets.is_finished()
    };
    let result = (|| {
        if copy.role(options) == Role::Standby {
            // Promoted, it starts again, with the servers that its rows name.
            return copy.follow(me, &queue, &close, &pause);
        }
        let core = copy.core(options, &notices)?;
        notices.warn(&format!("server {me} starts with {} rows", core.server().store.len()));
        let disk = copy.serving(options, (close.clone(), notices), &pause)?;
        let mut machine = Machine::new(core, disk, options.durability, (version, senders));
        let mut result = machine.start();
        close.send_replace(None);
        while result.is_ok() && !pause() && !machine.is_changed() {
            result = machine.turn(&queue)
        }
        result.and_then(|()| machine.finish()).map(|()| machine.is_changed())
    })();
    if matches!(result, Ok(true)) {
        // The reply to the command leaves.
        std::thread::sleep(LAST_REPLY)
    }
    pause();
    drop(end);
    let sockets = sockets.join().map_err(|_| Error::Failed("the socket thread failed".into()))?;
    let failed = |e: std::io::Error| Error::Failed(format!("the sockets failed: {e}"));
    result.and_then(|again| sockets.map_err(failed).map(|()| again))
}

/// Time for the last reply before a node starts again with other servers.
const LAST_REPLY: Duration = Duration::from_millis(20);

/// `is_open`: allows other addresses than loopback.
fn listen(option: &str, address: &str, is_open: bool) -> Result<TcpListener, Error> {
    let expected = "expected HOST:PORT, as in 127.0.0.1:7500";
    let wrong = |e: &str| Error::BadInput(format!("{option} {address}: {e}: {expected}"));
    let found = address.to_socket_addrs().map_err(|e| wrong(&e.to_string()))?.next();
    let found = found.ok_or_else(|| wrong("no such host"))?;
    if !found.ip().is_loopback() && !is_open {
        let why = if option == "--listen" {
            "there is no encryption and no authentication, so any machine that reaches this \
             address could change all metadata: give the node its keys (--keys, `tenbin relay \
             keys`), listen on a loopback address, or add --insecure on a private network"
        } else {
            "expected a loopback address, since any machine that reaches it could read the metrics"
        };
        return Err(Error::BadInput(format!("{option} {address}: {why}")));
    }
    let failed = |e: std::io::Error| Error::Failed(format!("cannot listen on {address}: {e}"));
    let listener = TcpListener::bind(found).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}
