//! Hardware by name, each with the source of its figures: `tenbin list hardware`.
//!
//! A catalogue's figure is a starting point, not a measurement of the user's machines; whatever is
//! taken from it without being written in a scenario is shown as assumed.
mod curves;
mod disks;
mod networks;
use crate::DiskCurve;
use crate::hardware::Channels;
use std::fmt::Write;
use units::{Bytes, BytesPerSec, Nanos};

/// A disk of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogueDisk {
    /// As a scenario names it.
    pub name: &'static str,
    pub what: &'static str,
    /// Sequential rate of one stream.
    pub rate: BytesPerSec,
    /// Lost at each switch between concurrent streams.
    pub seek: Nanos,
    /// Of that, a turn of the platter, half of which is waited for; 0 without one.
    pub turn: Nanos,
    pub batch: Bytes,
    /// One small write at a random place, until the disk has it for good.
    pub flush: Nanos,
    /// Whether reads and writes share the rate.
    pub channels: Channels,
    /// Where the figures are from, and how they were made of it.
    pub source: &'static str,
}

/// A network of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogueNetwork {
    /// As a scenario names it.
    pub name: &'static str,
    /// Bit rate of the link, each way, before headers.
    pub rate: BytesPerSec,
    /// Where it is from.
    pub source: &'static str,
}

/// A curve of the catalogue: what many streams lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogueCurve {
    pub name: &'static str,
    pub what: &'static str,
    pub curve: DiskCurve,
    /// Where it is from.
    pub source: &'static str,
}

/// All curves, the gentlest first.
pub fn curves() -> &'static [CatalogueCurve] {
    &curves::CURVES
}

/// The curve of this name.
pub fn curve(name: &str) -> Option<&'static CatalogueCurve> {
    curves().iter().find(|c| c.name == name)
}

/// All disks, slowest first.
pub fn disks() -> &'static [CatalogueDisk] {
    &disks::DISKS
}

/// All networks, slowest first.
pub fn networks() -> &'static [CatalogueNetwork] {
    &networks::NETWORKS
}

/// The disk of this name.
pub fn disk(name: &str) -> Option<&'static CatalogueDisk> {
    disks().iter().find(|d| d.name == name)
}

/// The network of this name.
pub fn network(name: &str) -> Option<&'static CatalogueNetwork> {
    networks().iter().find(|n| n.name == name)
}

/// What `tenbin list hardware` prints.
pub fn text() -> String {
    let mut out = String::from("disks (hardware.disk)\n");
    for d in disks() {
        let (rate, seek, batch, flush) = (d.rate, d.seek, d.batch, d.flush);
        let _ = writeln!(
            out,
            "  {:<14} {rate:>9}  seek {seek:>7}  batch {batch:>6}  flush {flush:>7}  {}",
            d.name, d.what
        );
        let _ = writeln!(out, "  {:<14} {}", "", d.source);
    }
    out += "networks (hardware.nic, hardware.inter_rack), each way, before headers\n";
    for n in networks() {
        let rate = n.rate;
        let _ = writeln!(out, "  {:<14} {rate:>9}  {}", n.name, n.source);
    }
    out
}
