//! A node as a process, until it receives a stop signal.
use crate::disk::Folder;
use crate::error::Error;
use crate::node::{Limits, Node};
use crate::refusals::Refusals;
use crate::store::Store;
use crate::transport::{Connections, Kind, TcpOptions};
use keys::Keys;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Port 0 lets the system choose.
    pub listen: String,
    /// Folder of the objects; created if missing.
    pub data: PathBuf,
    /// `None`: no authentication, every peer is accepted.
    pub keys: Option<Keys>,
    /// Allows a listening address that other machines reach, without any protection.
    pub is_insecure: bool,
    pub io: Io,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Io {
    /// Bypasses the page cache if file system and kernel support it.
    Auto,
    Direct,
    Buffered,
}

pub enum NodeNotice<'a> {
    Ready(NodeReady<'a>),
    Refused(&'a str),
}

pub struct NodeReady<'a> {
    pub address: SocketAddr,
    pub store: &'a Store,
    /// Why [`Io::Auto`] could not bypass the page cache.
    pub cached: Option<String>,
}

/// Longest wait between two checks of `stop`.
const BETWEEN: Duration = Duration::from_millis(200);

/// Runs a node until `stop` returns true. `notify` receives its address, its content and each
/// rejection.
pub fn serve(
    options: &ServeOptions,
    notify: &mut dyn FnMut(NodeNotice<'_>),
    stop: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let address = address(options)?;
    let tcp = TcpOptions { keys: options.keys.clone(), ..TcpOptions::default() };
    let transport = Connections::listen(options.kind, address, tcp)?;
    let in_folder = |e: std::io::Error| {
        Error::Failed(format!("{}: {e}: give another folder (--data)", options.data.display()))
    };
    let mut folder = Folder::open(&options.data).map_err(in_folder)?;
    let cached = bypass(&mut folder, options)?;
    let store = Store::open(Arc::new(folder)).map_err(in_folder)?;
    let listens = |e: std::io::Error| Error::Failed(format!("cannot listen on {address}: {e}"));
    let address = transport.address().map_err(listens)?;
    notify(NodeNotice::Ready(NodeReady { address, store: &store, cached }));
    let mut node = Node::new(transport, store, Limits::default());
    let (mut refusals, started) = (Refusals::default(), crate::clock::now());
    while !stop() {
        // Up to 1024 events between two checks of `stop`, to keep its cost low.
        for _ in 0..1024 {
            if !node.step(BETWEEN) {
                break;
            }
        }
        for line in refusals.lines(started.elapsed(), node.take_refused()) {
            notify(NodeNotice::Refused(&line))
        }
    }
    Ok(())
}

/// Bypasses the page cache if requested. Returns why not, if that is no error.
fn bypass(folder: &mut Folder, options: &ServeOptions) -> Result<Option<String>, Error> {
    if options.io == Io::Buffered {
        return Ok(None);
    }
    let Err(e) = folder.bypass_cache() else { return Ok(None) };
    let why = format!("{}: blocks cannot bypass the page cache: {e}", options.data.display());
    match options.io {
        Io::Auto => Ok(Some(why)),
        _ => Err(Error::BadInput(format!("{why}: use --io auto, or buffered"))),
    }
}

fn address(options: &ServeOptions) -> Result<SocketAddr, Error> {
    let listen = &options.listen;
    let expected = "expected HOST:PORT, as in 127.0.0.1:7400";
    let wrong = |e: std::io::Error| Error::BadInput(format!("--listen {listen}: {e}: {expected}"));
    let found = listen.to_socket_addrs().map_err(wrong)?.next();
    let found = found.ok_or_else(|| Error::BadInput(format!("--listen {listen}: no such host")))?;
    match found.ip().is_loopback() || options.keys.is_some() || options.is_insecure {
        true => Ok(found),
        false => Err(Error::BadInput(format!(
            "--listen {listen}: anyone with access to this address could read, overwrite and \
             remove everything: no encryption, no authentication. Give the node its keys (--keys, \
             `tenbin relay keys`), listen on a loopback address, or add --insecure on a private \
             network"
        ))),
    }
}
