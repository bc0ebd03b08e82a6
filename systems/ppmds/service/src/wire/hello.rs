//! The handshake. Its first bytes have the same form in all versions.
use super::WireError;
use crate::cluster::{Layout, Members};
use serde::{Deserialize, Serialize};

/// Changes with every change of a message or of the rows in a status.
pub const VERSION: u16 = 3;

const MAGIC: &[u8; 8] = b"TBNMETA\n";

/// A client's id, and the number of its first operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Session {
    pub id: u32,
    pub next: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Caller {
    /// `None`: requests a new session.
    Client(Option<Session>),
    Server(u32),
    Operator,
    /// The server itself, to its standby.
    Main,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    pub layout: Layout,
    /// The number that the caller expects this server to have.
    pub server: u32,
    pub caller: Caller,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// With the session that was requested, and the servers if the cluster has grown.
    Welcome(Option<Session>, Option<Box<Members>>),
    Refused(String),
    /// Refused for now: the server starts, or waits for its standby.
    Waiting(String),
}

/// Magic, version, and the rest in the form of this version.
#[derive(Serialize, Deserialize)]
struct Opening([u8; 8], [u8; 2], Vec<u8>);

pub fn encode_hello(hello: &Hello) -> impl Serialize + use<> {
    let rest = postcard::to_stdvec(hello).expect("memory is written to");
    Opening(*MAGIC, VERSION.to_le_bytes(), rest)
}

/// # Errors
/// Not a caller of this service, or of another version: the reason for the refusal.
pub fn decode_hello(header: [u8; super::HEADER], body: &[u8]) -> Result<Hello, String> {
    let words = |e: WireError| format!("the first frame is not a handshake: {e}");
    let Opening(magic, version, rest) = super::body(header, body).map_err(words)?;
    if magic != *MAGIC {
        return Err(words(WireError::Form));
    }
    let version = u16::from_le_bytes(version);
    if version != VERSION {
        return Err(format!(
            "the caller speaks version {version}: expected {VERSION}. Use one version of tenbin \
             for all nodes and clients"
        ));
    }
    postcard::from_bytes(&rest).map_err(|_| words(WireError::Form))
}
