use super::CatalogueNetwork;
use units::BytesPerSec;

const fn ethernet(name: &'static str, gbit: u64, source: &'static str) -> CatalogueNetwork {
    CatalogueNetwork { name, rate: BytesPerSec::gbit(gbit), source }
}

pub(super) static NETWORKS: [CatalogueNetwork; 7] = [
    ethernet("1GbE", 1, "IEEE 802.3ab, 1000BASE-T"),
    ethernet("10GbE", 10, "IEEE 802.3ae"),
    ethernet("25GbE", 25, "IEEE 802.3by"),
    ethernet("40GbE", 40, "IEEE 802.3ba"),
    ethernet("50GbE", 50, "IEEE 802.3cd"),
    ethernet("100GbE", 100, "IEEE 802.3ba"),
    ethernet("400GbE", 400, "IEEE 802.3bs"),
];
