//! A value at half and at double.
use super::Setting;
use crate::keys::{Kind, Typed, Vocabulary};
use crate::{catalogue, keys};
use units::{Bytes, BytesPerSec, Nanos};

/// What to `--set` so that `key` has `times`/`over` of its value in `settings`: a disk named by the
/// catalogue keeps its seek and batch. `None` where the key has no number.
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
        Typed::Text(name) => BytesPerSec(scale(catalogue::network(&name)?.rate.0)).to_string(),
        Typed::Count(n) => scale(n).to_string(),
        Typed::Rate(rate) => BytesPerSec(scale(rate.0)).to_string(),
        Typed::Bytes(bytes) => Bytes(scale(bytes.0)).to_string(),
        Typed::Time(time) => Nanos(scale(time.0)).to_string(),
        Typed::Number(n) => {
            let scaled = n * times as f64 / over.max(1) as f64;
            let most = if known.kind == Kind::Share { 1.0 } else { f64::MAX };
            scaled.min(most).to_string()
        }
        Typed::Flag(_) => return None,
    };
    let mut sets = vec![(key.to_string(), scaled)];
    if known.kind == Kind::Disk {
        for also in ["hardware.disk_seek", "hardware.disk_batch"] {
            sets.extend(read(also).map(|value| (also.to_string(), value.to_string())))
        }
    }
    Some(sets)
}
