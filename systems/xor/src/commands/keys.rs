//! `tenbin relay keys`.
use super::args::{RelayAuthority, RelayParty};
use super::reach::failure;
use system::{Failure, console};
use xor_relay::keys;

pub(super) fn init(args: &RelayAuthority) -> Result<(), Failure> {
    keys::init(&args.folder).map_err(failure)?;
    let folder = args.folder.display();
    console::text(&format!(
        "{folder} can make the cluster's certificates: tenbin relay keys add {folder} 0\n"
    ))
}

pub(super) fn add(args: &RelayParty) -> Result<(), Failure> {
    let own = keys::add(&args.folder, &args.party, args.days).map_err(failure)?;
    let fingerprint = keys::fingerprint_in(&own).map_err(failure)?;
    let own = own.display();
    console::text(&format!(
        "{own} is for that party only: --keys {own}\nTo revoke it, add a line to the cluster's \
         file: revoked {fingerprint}\n"
    ))
}
