//! Hardware by name, with sources: `tenbin list hardware`. Its figures are starting points, not
//! measurements of the user's machines; a default from here is shown as assumed.
mod curves;
mod disks;
mod networks;
use crate::DiskCurve;
use crate::hardware::Channels;
use std::fmt::Write;
use units::{Bytes, BytesPerSec, Nanos};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogueDisk {
    pub name: &'static str,
    pub what: &'static str,
    /// Sequential rate of one stream.
    pub rate: BytesPerSec,
    /// Lost at each switch between concurrent streams.
    pub seek: Nanos,
    /// One rotation, half of which is part of `seek`; 0: no moving parts.
    pub turn: Nanos,
    pub batch: Bytes,
    /// Duration of one small random write until it is durable.
    pub flush: Nanos,
    pub channels: Channels,
    /// Origin and derivation of the figures.
    pub source: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogueNetwork {
    pub name: &'static str,
    /// Raw bit rate of the link, each direction.
    pub rate: BytesPerSec,
    pub source: &'static str,
}

/// A curve of the rate lost by concurrent streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogueCurve {
    pub name: &'static str,
    pub what: &'static str,
    pub curve: DiskCurve,
    pub source: &'static str,
}

/// Smallest loss first.
pub fn curves() -> &'static [CatalogueCurve] {
    &curves::CURVES
}

pub fn curve(name: &str) -> Option<&'static CatalogueCurve> {
    curves().iter().find(|c| c.name == name)
}

/// Slowest first.
pub fn disks() -> &'static [CatalogueDisk] {
    &disks::DISKS
}

/// Slowest first.
pub fn networks() -> &'static [CatalogueNetwork] {
    &networks::NETWORKS
}

pub fn disk(name: &str) -> Option<&'static CatalogueDisk> {
    disks().iter().find(|d| d.name == name)
}

pub fn network(name: &str) -> Option<&'static CatalogueNetwork> {
    networks().iter().find(|n| n.name == name)
}

/// Output of `tenbin list hardware`.
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
