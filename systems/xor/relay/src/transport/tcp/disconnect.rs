//! Why a connection has ended.
use std::io::ErrorKind;

pub(super) struct Disconnect(pub(super) String);

/// Reason of an orderly end.
pub(super) const CLOSED: &str = "closed the connection";
pub(super) const SILENT: &str = "no answer";

pub(super) fn failed(e: std::io::Error) -> Disconnect {
    Disconnect(match e.kind() {
        ErrorKind::ConnectionRefused => "no process listens there".into(),
        ErrorKind::TimedOut => SILENT.into(),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => CLOSED.into(),
        _ => e.to_string(),
    })
}
