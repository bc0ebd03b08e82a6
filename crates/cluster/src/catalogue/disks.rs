use super::CatalogueDisk;
use crate::hardware::Channels;
use units::{Bytes, BytesPerSec, Nanos};

/// A DataNode's read-ahead (`dfs.datanode.readahead.bytes`, 4 MiB): bytes that a disk moves for one
/// stream before the next.
const READAHEAD: Bytes = Bytes::mib(4);

/// An SSD has no seeks; its batch only orders the streams.
const NO_SEEK: Nanos = Nanos::ZERO;

pub(super) static DISKS: [CatalogueDisk; 5] = [
    CatalogueDisk {
        name: "hdd-7200",
        what: "hard disk, 3.5 inch, 7200 rpm",
        rate: BytesPerSec::mb(150),
        seek: Nanos::micros(12_360),
        turn: Nanos(8_333_333),
        batch: READAHEAD,
        flush: Nanos::micros(12_360),
        channels: Channels::Shared,
        source: "Seagate Constellation ES.3 manual §4.1.2: 83–175 MB/s from inner to outer tracks, \
                 150 is the mean over the outer two thirds of its capacity; rotational latency \
                 4.16 ms, and HGST Ultrastar 7K4000 specification §4.4.1: seek 8.2 ms; a flush is \
                 one of each",
    },
    CatalogueDisk {
        name: "ssd-sata",
        what: "SSD, SATA 6 Gbit/s",
        rate: BytesPerSec::mb(490),
        seek: NO_SEEK,
        turn: Nanos::ZERO,
        batch: READAHEAD,
        flush: Nanos::micros(52),
        channels: Channels::Shared,
        source: "Intel SSD DC S4500 specification: sequential read 500, write 490 MB/s; the lower; \
                 flush: random write latency",
    },
    CatalogueDisk {
        name: "ssd-sata-fast",
        what: "SSD, SATA 6 Gbit/s, at the interface's limit",
        rate: BytesPerSec::mb(530),
        seek: NO_SEEK,
        turn: Nanos::ZERO,
        batch: READAHEAD,
        flush: Nanos::micros(52),
        channels: Channels::Shared,
        source: "Kingston DC600M 960 GB: sequential read 560, write 530 MB/s; the lower; flush: as \
                 ssd-sata",
    },
    CatalogueDisk {
        name: "ssd-nvme",
        what: "SSD, NVMe, PCIe 3.0 x4",
        rate: BytesPerSec::mb(1_800),
        seek: NO_SEEK,
        turn: Nanos::ZERO,
        batch: READAHEAD,
        flush: Nanos::micros(20),
        channels: Channels::Shared,
        source: "Intel SSD DC P4500 4 TB (Lenovo Press): sequential read 3200, write 1800 MB/s; \
                 the lower; flush: random write latency",
    },
    CatalogueDisk {
        name: "ssd-nvme-gen4",
        what: "SSD, NVMe, PCIe 4.0 x4",
        rate: BytesPerSec::mb(3_500),
        seek: NO_SEEK,
        turn: Nanos::ZERO,
        batch: READAHEAD,
        flush: Nanos::micros(20),
        channels: Channels::Shared,
        source: "Samsung PM9A3 U.2 (announcement): sequential read 6500, write 3500 MB/s; the \
                 lower; flush: as ssd-nvme",
    },
];
