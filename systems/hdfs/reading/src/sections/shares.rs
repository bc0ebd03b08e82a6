//! What held it up, a bar a cause.
use page::{Body, Fleet, Kind, Link, Section, Share, Shares};

/// The last block's wait; a bar leads to the transfers behind it. `risk_note` may say why nothing
/// was waited for.
pub fn shares(shares: &[Share], fleet: &Fleet, risk_note: Option<&str>) -> Section {
    let row = |share: &Share| Share { all: all(fleet, share), ..share.clone() };
    let rows = shares.iter().map(row).collect();
    let body = Body::Shares(Shares { unit: "s".into(), head: "waited".into(), whole: true, rows });
    let qualifier = "the last block’s wait, now; click a bar for its intervals";
    let section = Section::new("shares", "What held it up", qualifier, body);
    let none = "Nothing was waited for: no block had to be copied.";
    match shares.is_empty() {
        true => section.empty(risk_note.unwrap_or(none), ""),
        false => section,
    }
}

/// The transfers behind a share, where the fleet knows them: by what held the queue, or by the
/// kind of what limited the copy.
fn all(fleet: &Fleet, share: &Share) -> Option<Link> {
    let kind = share.kind?;
    let waits = |place: &u32| fleet.causes.get(*place as usize);
    let operations = &fleet.operations;
    let held = operations.held.iter().filter_map(waits).any(|cause| cause.name == share.name);
    let limits = || operations.cause.iter().filter_map(waits).any(|cause| cause.kind == kind);
    let href = match (held, kind) {
        (true, _) => format!("transfers?held={}", escaped(&share.name)),
        (false, Kind::Setting) => return None,
        (false, kind) if limits() => format!("transfers?limit={}", word(kind)),
        _ => return None,
    };
    Some(Link { name: "All transfers that waited for it".into(), href })
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Setting => "setting",
        Kind::Disk => "disk",
        Kind::Network => "network",
        Kind::Cpu => "cpu",
        Kind::Wait => "wait",
        Kind::Risk => "risk",
        Kind::Unexplained => "unexplained",
    }
}

/// A value in an address's query.
fn escaped(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).into(),
        b' ' => "+".into(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(letter).collect()
}
