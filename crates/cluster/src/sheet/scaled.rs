use super::Setting;
use crate::keys::{Kind, TypedValue, Vocabulary};
use crate::{catalogue, keys};
use units::{Bytes, BytesPerSec, Nanos};

/// The `--set` that scales `key` by `times`/`over`, in the format of its kind; a disk of the
/// catalogue keeps its seek, batch and flush time. `None`: not a number, or the result is invalid.
pub fn scaled(
    settings: &[Setting],
    vocabulary: &Vocabulary,
    key: &str,
    times: u64,
    over: u64,
) -> Option<Vec<(String, String)>> {
    let scale = |n: u64| {
        let scaled = u128::from(n) * u128::from(times) / u128::from(over.max(1));
        u64::try_from(scaled).unwrap_or(u64::MAX).max(1)
    };
    let read = |key: &str| {
        let setting = settings.iter().find(|s| s.key == key)?;
        vocabulary.find(key)?.kind.read(&setting.value).ok()
    };
    let known: &keys::Key = vocabulary.find(key)?;
    let scaled = match read(key)? {
        disk if known.kind == Kind::Disk => BytesPerSec(scale(disk.rate()?.0)).to_string(),
        TypedValue::Text(name) => BytesPerSec(scale(catalogue::network(&name)?.rate.0)).to_string(),
        TypedValue::Count(n) => scale(n).to_string(),
        TypedValue::Rate(rate) => BytesPerSec(scale(rate.0)).to_string(),
        TypedValue::Bytes(bytes) => written_bytes(known.kind, scale(bytes.0)),
        TypedValue::Time(time) => written_time(known.kind, scale(time.0)),
        TypedValue::Number(n) => {
            let scaled = n * times as f64 / over.max(1) as f64;
            let most = if known.kind == Kind::Share { 1.0 } else { f64::MAX };
            scaled.min(most).to_string()
        }
        TypedValue::Flag(_) => return None,
    };
    known.kind.read(&scaled).ok()?;
    let mut sets = vec![(key.to_string(), scaled)];
    if known.kind == Kind::Disk {
        for also in ["hardware.disk_seek", "hardware.disk_batch", "hardware.flush_time"] {
            sets.extend(read(also).map(|value| (also.to_string(), value.to_string())))
        }
    }
    Some(sets)
}

/// Hadoop's and Ozone's formats lack MiB.
fn written_bytes(kind: Kind, bytes: u64) -> String {
    match kind {
        Kind::HadoopSize { .. } => bytes.to_string(),
        Kind::OzoneSize => format!("{bytes}B"),
        _ => Bytes(bytes).to_string(),
    }
}

/// Hadoop's times are integers of a unit, so half of 3 s is 1500 ms.
fn written_time(kind: Kind, nanos: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];
    match kind {
        Kind::HadoopTime { .. } | Kind::HadoopTimeout { .. } => {
            let whole = UNITS.iter().find(|(_, unit)| nanos.is_multiple_of(*unit));
            let (name, unit) = whole.copied().unwrap_or(("ns", 1));
            format!("{}{name}", nanos / unit)
        }
        _ => Nanos(nanos).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A written value is read back as the same value by its kind.
    #[test]
    fn each_kind_reads_what_is_written_for_it() {
        let time = Kind::HadoopTime { unit: 1_000_000_000, zero: false };
        let timeout = Kind::HadoopTimeout { unit: 1_000_000_000 };
        let plain = Kind::Time { zero: false };
        for nanos in [1, 999, 1_500, 2_500_000, 1_500_000_000, 60_000_000_000, 90_000_000_001] {
            for kind in [time, timeout, plain] {
                let read = kind.read(&written_time(kind, nanos));
                assert_eq!(read, Ok(TypedValue::Time(Nanos(nanos))), "{kind}")
            }
        }
        assert_eq!(written_time(time, 1_500_000_000), "1500ms");
        for bytes in [1, 1_000, 1 << 26, (1 << 26) + 1] {
            for kind in [Kind::HadoopSize { zero: false }, Kind::OzoneSize, Kind::Amount] {
                let read = kind.read(&written_bytes(kind, bytes));
                assert_eq!(read, Ok(TypedValue::Bytes(Bytes(bytes))), "{kind}")
            }
        }
    }
}
