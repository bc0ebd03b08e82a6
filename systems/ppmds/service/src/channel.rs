//! Connections with TLS 1.3 if there are keys, else plain.
use keys::{Keys, server_name, why};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, copy, sink, split};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::{Error as TlsError, pki_types::CertificateDer};
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

pub type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// Longest wait for a refused caller to read why.
const LINGER: Duration = Duration::from_secs(1);

pub struct Channel {
    pub from: Reader,
    pub to: Writer,
    /// The peer's; `None`: without TLS.
    pub certificate: Option<CertificateDer<'static>>,
}

impl Channel {
    fn plain(stream: TcpStream) -> Channel {
        let (from, to) = stream.into_split();
        Channel { from: Box::new(from), to: Box::new(to), certificate: None }
    }

    fn encrypted(stream: TlsStream<TcpStream>) -> io::Result<Channel> {
        let all = stream.get_ref().1.peer_certificates();
        let certificate = all.and_then(|all| all.first()).cloned();
        let certificate = Some(certificate.ok_or_else(|| invalid("no certificate"))?);
        let (from, to) = split(stream);
        Ok(Channel { from: Box::new(from), to: Box::new(to), certificate })
    }

    /// Connects to a server. With keys, it must show its certificate.
    pub async fn connect(address: &str, server: u32, keys: Option<&Keys>) -> io::Result<Channel> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let Some(keys) = keys else { return Ok(Channel::plain(stream)) };
        let connector = TlsConnector::from(Arc::clone(&keys.client));
        let opened = connector.connect(server_name(server as usize), stream).await;
        let channel = Channel::encrypted(opened.map_err(explained)?.into())?;
        match channel.certificate.as_ref().is_some_and(|own| keys.is_revoked(own)) {
            true => Err(invalid("its certificate is revoked")),
            false => Ok(channel),
        }
    }

    /// Whether the certificate is revoked is checked later, when the peer can receive the reason.
    pub async fn accept(stream: TcpStream, keys: Option<&Keys>) -> io::Result<Channel> {
        stream.set_nodelay(true)?;
        let Some(keys) = keys else { return Ok(Channel::plain(stream)) };
        let acceptor = TlsAcceptor::from(Arc::clone(&keys.server));
        match acceptor.accept(stream).into_fallible().await {
            Ok(stream) => Channel::encrypted(stream.into()),
            Err((e, stream)) => {
                Channel::plain(stream).refuse().await;
                Err(explained(e))
            }
        }
    }

    /// Closes after the peer: unread bytes would reset the connection before the peer reads why.
    pub async fn refuse(mut self) {
        let _ = self.to.shutdown().await;
        let _ = timeout(LINGER, copy(&mut self.from, &mut sink())).await;
    }
}

pub fn invalid(e: impl ToString) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, e.to_string())
}

/// The error of a TLS connection in words for users.
pub fn explained(e: io::Error) -> io::Error {
    match e.get_ref().and_then(|e| e.downcast_ref::<TlsError>()) {
        Some(tls) => invalid(why(tls)),
        None => e,
    }
}
