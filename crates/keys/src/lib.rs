//! Authentication: a cluster has an authority, which issues each party a certificate with its name.
//!
//! ```text
//!  authority/               stays with the operator
//!    authority.pem  authority.key
//!    node-0/  node-1/ …  client/      each goes to its party, and nowhere else
//!      authority.pem  certificate.pem  key.pem
//! ```
//! Connections are TLS 1.3 with certificates of both ends. A client of node 2 accepts only the name
//! `node-2`.
mod authority;
mod error;

pub use authority::{CLIENT, add, authority, init};
pub use error::Error;

use rustls::crypto::aws_lc_rs::cipher_suite::{
    TLS13_AES_128_GCM_SHA256, TLS13_CHACHA20_POLY1305_SHA256,
};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::{ParsedCertificate, WebPkiClientVerifier};
use rustls::version::TLS13;
use rustls::{
    AlertDescription, CertificateError, ClientConfig, RootCertStore, ServerConfig,
    SupportedCipherSuite,
};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Certificate of the authority; the party's certificate and key.
const AUTHORITY: &str = "authority.pem";
const CERTIFICATE: &str = "certificate.pem";
const KEY: &str = "key.pem";

const FINGERPRINT_BYTES: usize = 16;
/// The fastest with AES instructions, then the fastest without.
const SUITES: [SupportedCipherSuite; 2] =
    [TLS13_AES_128_GCM_SHA256, TLS13_CHACHA20_POLY1305_SHA256];

/// A party's certificate and the authority that it trusts.
#[derive(Clone, Debug)]
pub struct Keys {
    pub server: Arc<ServerConfig>,
    /// For outgoing connections.
    pub client: Arc<ClientConfig>,
    /// Fingerprints of revoked certificates.
    revoked: BTreeSet<String>,
}

impl Keys {
    /// Reads a party's folder.
    ///
    /// # Errors
    /// A file is missing or invalid.
    pub fn read(folder: &Path) -> Result<Keys, Error> {
        let bad = |file: &str, why: &dyn std::fmt::Display| {
            let place = folder.join(file);
            Error::BadInput(format!(
                "--keys: {}: {why}: expected a folder of `tenbin relay keys add`",
                place.display()
            ))
        };
        let certificate = |file: &str| {
            CertificateDer::from_pem_file(folder.join(file)).map_err(|e| bad(file, &e))
        };
        let mut roots = RootCertStore::empty();
        roots.add(certificate(AUTHORITY)?).map_err(|e| bad(AUTHORITY, &e))?;
        let (roots, own) = (Arc::new(roots), vec![certificate(CERTIFICATE)?]);
        let key = PrivateKeyDer::from_pem_file(folder.join(KEY)).map_err(|e| bad(KEY, &e))?;
        let suites = SUITES.to_vec();
        let provider = CryptoProvider { cipher_suites: suites, ..aws_lc_rs::default_provider() };
        let provider = Arc::new(provider);
        let verifier = WebPkiClientVerifier::builder_with_provider(roots.clone(), provider.clone())
            .build()
            .map_err(|e| bad(AUTHORITY, &e))?;
        let mut server = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&TLS13])
            .map_err(|e| bad(KEY, &e))?
            .with_client_cert_verifier(verifier)
            .with_single_cert(own.clone(), key.clone_key())
            .map_err(|e| bad(KEY, &e))?;
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .map_err(|e| bad(KEY, &e))?
            .with_root_certificates(roots)
            .with_client_auth_cert(own, key)
            .map_err(|e| bad(KEY, &e))?;
        // The transport encrypts records in place, so it needs the secrets. Sessions are never
        // resumed.
        (server.enable_secret_extraction, client.enable_secret_extraction) = (true, true);
        server.send_tls13_tickets = 0;
        let revoked = BTreeSet::new();
        Ok(Keys { server: Arc::new(server), client: Arc::new(client), revoked })
    }

    pub fn without(self, revoked: impl IntoIterator<Item = String>) -> Keys {
        Keys { revoked: revoked.into_iter().collect(), ..self }
    }

    pub fn is_revoked(&self, certificate: &CertificateDer<'_>) -> bool {
        self.revoked.contains(&fingerprint(certificate))
    }
}

/// Fingerprint of the certificate in a party's folder.
pub fn fingerprint_in(folder: &Path) -> Result<String, Error> {
    let place = folder.join(CERTIFICATE);
    let certificate = CertificateDer::from_pem_file(&place);
    let bad = |e| Error::BadInput(format!("{}: {e}", place.display()));
    certificate.map(|own| fingerprint(&own)).map_err(bad)
}

/// The first 128 bits of a certificate's SHA-256, in hexadecimal.
fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let hash = Sha256::digest(certificate);
    hash[..FINGERPRINT_BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn is_fingerprint(text: &str) -> bool {
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    text.len() == 2 * FINGERPRINT_BYTES && text.bytes().all(is_digit)
}

/// The name in a node's certificate.
pub fn name_of(node: usize) -> String {
    format!("node-{node}")
}

pub fn server_name(node: usize) -> ServerName<'static> {
    ServerName::try_from(name_of(node)).expect("letters, digits and a dash")
}

pub fn is_of(certificate: &CertificateDer<'_>, node: usize) -> bool {
    let parsed = ParsedCertificate::try_from(certificate);
    parsed.is_ok_and(|own| rustls::client::verify_server_name(&own, &server_name(node)).is_ok())
}

/// Explains a failed handshake to users.
pub fn why(error: &rustls::Error) -> String {
    use rustls::Error as E;
    match error {
        E::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "its certificate is of another authority".into()
        }
        E::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        ) => "its certificate has expired: make a new one with `tenbin relay keys add`".into(),
        E::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "its certificate is of another node or client".into(),
        E::NoCertificatesPresented => "no certificate".into(),
        E::InvalidMessage(_) => "does not speak TLS: was the node started with --keys?".into(),
        E::AlertReceived(alert) => format!("rejects our certificate: {}", refused(*alert)),
        other => format!("TLS: {other}"),
    }
}

fn refused(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::UnknownCA => "of another authority".into(),
        AlertDescription::CertificateExpired => "expired".into(),
        AlertDescription::CertificateRevoked => "revoked".into(),
        AlertDescription::CertificateRequired => "missing".into(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_folder_that_is_no_partys_is_refused_with_its_file() {
        let folder = Folder(std::env::temp_dir().join(format!("keys-{}", std::process::id())));
        let missing = Keys::read(&folder.0).map(|_| ());
        assert!(matches!(missing, Err(Error::BadInput(why)) if why.contains("authority.pem")));
        init(&folder.0).expect("a new folder");
        let own = add(&folder.0, "1", 9).expect("a party");
        std::fs::write(own.join("key.pem"), "nothing").expect("it is ours");
        let broken = Keys::read(&own).map(|_| ());
        assert!(matches!(broken, Err(Error::BadInput(why)) if why.contains("key.pem")));
        assert!(matches!(add(&folder.0, "1", 9), Err(Error::BadInput(_))));
        assert!(matches!(init(&folder.0), Err(Error::BadInput(_))));
    }
}
