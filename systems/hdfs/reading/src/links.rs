//! Links from the causes of a repair's length to their transfers.
use page::{Body, Fleet, Kind, Link, Page, Share};

/// Adds links from bars to the transfers that waited for them.
pub fn linked(mut page: Page) -> Page {
    let Some(fleet) = &page.fleet else { return page };
    for section in &mut page.sections {
        if let Body::Shares(shares) = &mut section.body {
            shares.rows.iter_mut().for_each(|share| share.all = all(fleet, share))
        }
    }
    page
}

/// The transfers of a share: by the cause of the queue, or by the kind of the copy's limit.
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

fn escaped(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).into(),
        b' ' => "+".into(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(letter).collect()
}
