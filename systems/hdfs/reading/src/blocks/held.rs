//! What held it up, a bar a cause.
use super::{small, tagged};
use crate::report::{HolderKind, Report, Share};
use page::{Body, Link, Section, Shares, Width};

/// The last block's wait.
pub fn held(report: &Report) -> Section {
    let shares = report.variants.first().map_or(&[][..], |now| &now.shares);
    let of = |share: &Share| share_of(share, all(report, share));
    let body = Body::Shares(of_wait(shares.iter().map(of).collect()));
    let qualifier = "the last block’s wait, now; click a bar for its intervals";
    let section = Section::new("shares", "What held it up", qualifier, body);
    let section = tagged(section, report, "shares", None).width(Width::Smaller).wide(small(report));
    let none = "Nothing was waited for: no block had to be copied.";
    match shares.is_empty() {
        true => section.empty(report.risk_note.as_deref().unwrap_or(none), ""),
        false => section,
    }
}

/// Bars that sum to the wait.
pub fn of_wait(rows: Vec<page::Share>) -> Shares {
    Shares { unit: "s".into(), head: "waited".into(), whole: true, rows }
}

/// A bar, and where all that waited for it stands.
pub fn share_of(share: &Share, all: Option<Link>) -> page::Share {
    page::Share {
        kind: Some(share.kind),
        name: share.name.clone(),
        amount: Some(share.waited_s),
        share: share.share,
        percent: i32::try_from(share.percent).unwrap_or(i32::MAX),
        intervals: share.intervals.clone(),
        all,
        ..page::Share::default()
    }
}

/// The transfers behind a share, where the drill-down knows them: by what held the queue, or by
/// the kind of what limited the copy.
fn all(report: &Report, share: &Share) -> Option<Link> {
    let drill = &report.drill;
    let waits = |place: &u32| drill.causes.get(*place as usize);
    let held = drill.transfers.held.iter().filter_map(waits).any(|cause| cause.name == share.name);
    let limits = || drill.transfers.cause.iter().filter_map(waits).any(|c| c.kind == share.kind);
    let href = match (held, share.kind) {
        (true, _) => format!("transfers?held={}", escaped(&share.name)),
        (false, HolderKind::Setting) => return None,
        (false, kind) if limits() => format!("transfers?limit={}", word(kind)),
        _ => return None,
    };
    Some(Link { name: "All transfers that waited for it".into(), href })
}

/// As addresses write it.
fn word(kind: HolderKind) -> &'static str {
    match kind {
        HolderKind::Setting => "setting",
        HolderKind::Disk => "disk",
        HolderKind::Network => "network",
        HolderKind::Cpu => "cpu",
        HolderKind::Wait => "wait",
        HolderKind::Risk => "risk",
        HolderKind::Unexplained => "unexplained",
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
