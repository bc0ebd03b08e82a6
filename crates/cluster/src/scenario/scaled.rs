//! A scenario's assumed values at half and at double.
use super::{Origin, Scenario, Setting};
use crate::keys::{self, Kind, Typed};
use units::{Bytes, BytesPerSec, Nanos};

impl Scenario {
    /// The settings that no input says and that matter.
    pub fn assumed(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.origin == Origin::Assumed)
    }

    /// What to `--set` so that `key` has `times`/`over` of its value: a disk named by the catalogue
    /// keeps its seek and batch. None where the key has no number.
    pub fn scaled(&self, key: &str, times: u64, over: u64) -> Option<Vec<(String, String)>> {
        let scale = |n: u64| {
            u64::try_from(n as u128 * times as u128 / over as u128).unwrap_or(u64::MAX).max(1)
        };
        let set = |key: &str, value: String| (key.to_string(), value);
        let setting = self.settings.iter().find(|s| s.key == key)?;
        let known = keys::find(key)?;
        let disk = &self.hardware.disk;
        let scaled = match known.kind.read(&setting.value).ok()? {
            _ if known.kind == Kind::Disk => BytesPerSec(scale(disk.rate.0)).to_string(),
            Typed::Text(name) => {
                BytesPerSec(scale(crate::catalogue::network(&name)?.rate.0)).to_string()
            }
            Typed::Count(n) => scale(n).to_string(),
            Typed::Rate(rate) => BytesPerSec(scale(rate.0)).to_string(),
            Typed::Bytes(bytes) => Bytes(scale(bytes.0)).to_string(),
            Typed::Time(time) => Nanos(scale(time.0)).to_string(),
            Typed::Flag(_) | Typed::Number(_) => return None,
        };
        let mut sets = vec![set(key, scaled)];
        if known.kind == Kind::Disk {
            sets.push(set("hardware.disk_seek", disk.seek.to_string()));
            sets.push(set("hardware.disk_batch", disk.batch.to_string()));
        }
        Some(sets)
    }
}
