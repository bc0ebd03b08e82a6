//! TLS handshakes: `rustls` does them record by record, then hands over the keys.
use super::records;
use keys::{Keys, server_name, why};
use rustls::client::{ClientConnectionData, UnbufferedClientConnection};
use rustls::kernel::KernelConnection;
use rustls::pki_types::CertificateDer;
use rustls::server::{ServerConnectionData, UnbufferedServerConnection};
use rustls::unbuffered::{ConnectionState, EncodeError, EncodeTlsData, UnbufferedStatus};
use rustls::{ConnectionTrafficSecrets, ExtractedSecrets};
use std::io;

/// A plain-text alert, "unexpected message", for peers that do not use TLS.
const NO_TLS: [u8; 7] = [21, 3, 3, 0, 2, 2, 10];

pub(super) enum Handshake {
    Client(UnbufferedClientConnection),
    Server(UnbufferedServerConnection),
}

pub(super) enum Step {
    /// Needs more bytes from the other end.
    Blocked,
    Over,
}

/// Source of new keys.
pub(super) enum Keeper {
    Client(KernelConnection<ClientConnectionData>),
    Server(KernelConnection<ServerConnectionData>),
}

impl Handshake {
    /// `to`: outgoing, to a node with this number in its certificate. `None`: incoming.
    pub(super) fn new(keys: &Keys, to: Option<usize>) -> Handshake {
        let complete = "what was read as keys is complete";
        match to {
            Some(node) => {
                let (config, name) = (keys.client.clone(), server_name(node));
                Handshake::Client(UnbufferedClientConnection::new(config, name).expect(complete))
            }
            None => {
                let config = keys.server.clone();
                Handshake::Server(UnbufferedServerConnection::new(config).expect(complete))
            }
        }
    }

    pub(super) fn certificate(&self) -> Option<CertificateDer<'static>> {
        let all = match self {
            Handshake::Client(session) => session.peer_certificates(),
            Handshake::Server(session) => session.peer_certificates(),
        };
        all.and_then(|all| all.first()).map(|own| own.clone().into_owned())
    }

    /// Handles complete records of the inbox from `taken`, which it advances. Appends the answer to
    /// `out`.
    pub(super) fn go_on(
        &mut self,
        inbox: &mut [u8],
        taken: &mut usize,
        out: &mut Vec<u8>,
    ) -> io::Result<Step> {
        // A message may take several records: these were given, but are not used yet.
        let mut given = *taken;
        loop {
            let part = &mut inbox[*taken..given];
            let (discard, step) = match self {
                Handshake::Client(session) => step(session.process_tls_records(part), out),
                Handshake::Server(session) => step(session.process_tls_records(part), out),
            };
            *taken += discard;
            match step {
                Ok(Some(Step::Over)) => return Ok(Step::Over),
                Ok(None) => {}
                Ok(Some(Step::Blocked)) => {
                    let rest = &inbox[given..];
                    match records::length(rest).inspect_err(|_| out.extend(NO_TLS))? {
                        Some(length) if length <= rest.len() => given += length,
                        _ => return Ok(Step::Blocked),
                    }
                }
                Err(error) => {
                    self.last_words(&mut inbox[*taken..given], out);
                    return Err(io::Error::other(why(&error)));
                }
            }
        }
    }

    /// Sends the alert of a failed handshake. `rest`: given, but unused bytes.
    fn last_words(&mut self, rest: &mut [u8], out: &mut Vec<u8>) {
        let _ = match self {
            Handshake::Client(session) => step(session.process_tls_records(rest), out),
            Handshake::Server(session) => step(session.process_tls_records(rest), out),
        };
    }

    /// The keys to send and to receive, and the source of new ones.
    pub(super) fn keys(self) -> io::Result<(records::Key, records::Key, Keeper)> {
        let failed = |e: rustls::Error| io::Error::other(why(&e));
        let (secrets, keeper) = match self {
            Handshake::Client(session) => {
                let (secrets, kept) = session.dangerous_into_kernel_connection().map_err(failed)?;
                (secrets, Keeper::Client(kept))
            }
            Handshake::Server(session) => {
                let (secrets, kept) = session.dangerous_into_kernel_connection().map_err(failed)?;
                (secrets, Keeper::Server(kept))
            }
        };
        let ExtractedSecrets { tx, rx } = secrets;
        Ok((records::Key::new(tx)?, records::Key::new(rx)?, keeper))
    }
}

impl Keeper {
    pub(super) fn next(&mut self, to_send: bool) -> io::Result<records::Key> {
        let next: Result<(u64, ConnectionTrafficSecrets), rustls::Error> = match (self, to_send) {
            (Keeper::Client(kept), true) => kept.update_tx_secret(),
            (Keeper::Client(kept), false) => kept.update_rx_secret(),
            (Keeper::Server(kept), true) => kept.update_tx_secret(),
            (Keeper::Server(kept), false) => kept.update_rx_secret(),
        };
        records::Key::new(next.map_err(|e| io::Error::other(why(&e)))?)
    }
}

/// Performs one state of the handshake. Returns the used bytes, and what to wait for.
fn step<Data>(
    status: UnbufferedStatus<'_, '_, Data>,
    out: &mut Vec<u8>,
) -> (usize, Result<Option<Step>, rustls::Error>) {
    let UnbufferedStatus { discard, state } = status;
    let step = match state {
        Err(error) => Err(error),
        Ok(ConnectionState::EncodeTlsData(data)) => {
            encode(data, out);
            Ok(None)
        }
        Ok(ConnectionState::TransmitTlsData(data)) => {
            // `out` is sent in order with all that follows.
            data.done();
            Ok(None)
        }
        Ok(ConnectionState::BlockedHandshake) => Ok(Some(Step::Blocked)),
        Ok(ConnectionState::WriteTraffic(_)) => Ok(Some(Step::Over)),
        Ok(_) => Err(rustls::Error::HandshakeNotComplete),
    };
    (discard, step)
}

fn encode<Data>(mut data: EncodeTlsData<'_, Data>, out: &mut Vec<u8>) {
    let start = out.len();
    let needed = match data.encode(&mut []) {
        Err(EncodeError::InsufficientSize(error)) => error.required_size,
        _ => return,
    };
    out.resize(start + needed, 0);
    if data.encode(&mut out[start..]).is_err() {
        out.truncate(start)
    }
}
