//! The authority of a cluster and the certificates that it signs.
use super::{AUTHORITY, CERTIFICATE, Error, KEY, name_of};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use std::fmt::Display;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use time::{Duration, OffsetDateTime};
use x509_parser::prelude::{FromDer as _, X509Certificate};

const AUTHORITY_KEY: &str = "authority.key";
const YEARS: i64 = 10;
/// Letters of a party's name.
const LONGEST: usize = 40;

/// Name of the client of [`authority`].
pub const CLIENT: &str = "client";

/// Creates an authority in a new folder.
///
/// # Errors
/// The folder has an authority or cannot be written.
pub fn init(folder: &Path) -> Result<(), Error> {
    let certificate = folder.join(AUTHORITY);
    if certificate.exists() {
        let place = certificate.display();
        return Err(Error::BadInput(format!("{place} exists: expected a new folder")));
    }
    let key = KeyPair::generate().map_err(failed)?;
    let mut params = CertificateParams::new(Vec::new()).map_err(failed)?;
    let number = getrandom::u64().map_err(failed)?;
    let name = format!("tenbin relay authority {number:016x}");
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    lasts(&mut params, 365 * YEARS);
    let signed = params.self_signed(&key).map_err(failed)?;
    std::fs::create_dir_all(folder).map_err(|e| at(folder, &e))?;
    write(&folder.join(AUTHORITY_KEY), &key.serialize_pem())?;
    write(&certificate, &signed.pem())
}

/// Creates a certificate for a party: a node's number or a client's name. Returns its folder.
///
/// # Errors
/// The party has one, there is no authority, `days` go beyond its end, or the name is invalid.
pub fn add(folder: &Path, party: &str, days: u32) -> Result<PathBuf, Error> {
    let name = named(party)?;
    let own = folder.join(&name);
    if own.join(CERTIFICATE).exists() {
        let place = own.display();
        return Err(Error::BadInput(format!("{place} exists: remove it to make a new one")));
    }
    let read = |file: &str| {
        let place = folder.join(file);
        std::fs::read_to_string(&place).map_err(|e| {
            let why = format!("{}: {e}: create it with `tenbin relay keys init`", place.display());
            Error::BadInput(why)
        })
    };
    let authority = read(AUTHORITY)?;
    let signer = KeyPair::from_pem(&read(AUTHORITY_KEY)?).map_err(|e| at(folder, &e))?;
    let issuer = Issuer::from_ca_cert_pem(&authority, signer).map_err(|e| at(folder, &e))?;
    let end = end_of(&authority).map_err(|e| at(folder, &e))?;
    check_days(days.into(), end - OffsetDateTime::now_utc())?;
    let key = KeyPair::generate().map_err(failed)?;
    let mut params = CertificateParams::new(vec![name.clone()]).map_err(failed)?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    lasts(&mut params, days.into());
    params.not_after = params.not_after.min(end);
    let signed = params.signed_by(&key, &issuer).map_err(failed)?;
    std::fs::create_dir_all(&own).map_err(|e| at(&own, &e))?;
    write(&own.join(AUTHORITY), &authority)?;
    write(&own.join(KEY), &key.serialize_pem())?;
    write(&own.join(CERTIFICATE), &signed.pem())?;
    Ok(own)
}

/// For nodes 0 to `nodes` − 1 and a client, in its own folder; the certificates last one day.
pub fn authority(folder: &Path, nodes: usize) -> Result<PathBuf, Error> {
    init(folder)?;
    for node in 0..nodes {
        add(folder, &node.to_string(), 1)?;
    }
    add(folder, CLIENT, 1)?;
    Ok(folder.to_path_buf())
}

fn end_of(authority: &str) -> Result<OffsetDateTime, String> {
    let unreadable = |e: &dyn Display| format!("{AUTHORITY}: {e}");
    let der = CertificateDer::from_pem_slice(authority.as_bytes()).map_err(|e| unreadable(&e))?;
    let (_, own) = X509Certificate::from_der(&der).map_err(|e| unreadable(&e))?;
    let end = own.validity().not_after.timestamp();
    OffsetDateTime::from_unix_timestamp(end).map_err(|e| unreadable(&e))
}

/// A certificate must not outlive its authority.
fn check_days(days: i64, left: Duration) -> Result<(), Error> {
    let last = (left + Duration::DAY - Duration::SECOND).whole_days();
    match () {
        () if left <= Duration::ZERO => Err(Error::BadInput(
            "the authority has expired: create another one with `tenbin relay keys init`; all \
             nodes and clients need new certificates"
                .into(),
        )),
        () if days > last => Err(Error::BadInput(format!(
            "--days {days}: expected 1 to {last}, as the authority ends then"
        ))),
        () => Ok(()),
    }
}

/// `node-N` for a node's number. Clients may not have such names.
fn named(party: &str) -> Result<String, Error> {
    if let Ok(node) = party.parse::<u8>() {
        return Ok(name_of(node.into()));
    }
    let is_name = (1..=LONGEST).contains(&party.len())
        && party.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !party.starts_with('-')
        && !party.ends_with('-');
    match is_name && !party.starts_with("node-") {
        true => Ok(party.to_string()),
        false => Err(Error::BadInput(format!(
            "{party:?}: expected a node's number, as in 2, or a client's name of small letters, \
             digits and dashes, as in backup-1"
        ))),
    }
}

/// Starts an hour ago, for clocks that are behind.
fn lasts(params: &mut CertificateParams, days: i64) {
    let now = OffsetDateTime::now_utc();
    params.not_before = now - Duration::hours(1);
    params.not_after = now + Duration::days(days)
}

fn write(place: &Path, text: &str) -> Result<(), Error> {
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(place);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|e| at(place, &e))
}

fn at(place: &Path, error: &dyn Display) -> Error {
    Error::Failed(format!("{}: {error}", place.display()))
}

fn failed(error: impl Display) -> Error {
    Error::Failed(format!("cannot create a key: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_ends_before_its_authority() {
        let left = Duration::days(3650) - Duration::minutes(1);
        assert!([0, 825, 3650].into_iter().all(|days| check_days(days, left).is_ok()));
        assert!(check_days(3651, left).is_err());
        let ended = check_days(1, Duration::ZERO).expect_err("no day is left").to_string();
        assert!(ended.contains("the authority has expired"), "{ended}");
    }

    #[test]
    fn nodes_go_by_numbers_and_nobody_else_by_their_names() {
        assert_eq!(named("2"), Ok("node-2".into()));
        assert_eq!(named("backup-1"), Ok("backup-1".into()));
        for wrong in ["", "node-2", "Backup", "a b", "-a", "../x", "300x/"] {
            assert!(named(wrong).is_err(), "{wrong}")
        }
    }
}
