use super::{Scenario, assembly};
use crate::keys;
use cluster::{BadInput, Sheet};
use std::path::Path;

impl Scenario {
    /// Reads a scenario; `sets` (`hardware.disk`, `105MB/s`) override the file.
    ///
    /// # Errors
    /// All problems in the file, the imported cluster file, and `sets`.
    pub fn read(path: impl AsRef<Path>, sets: &[(String, String)]) -> Result<Scenario, BadInput> {
        Sheet::read(path, sets, &keys::HDFS, assembly).map(|sheet| Scenario::of(&sheet).clone())
    }

    /// As [`Scenario::read`], from a text. `file` is for messages; paths are relative to it.
    pub fn from_str(
        text: &str,
        file: impl AsRef<Path>,
        sets: &[(String, String)],
    ) -> Result<Scenario, BadInput> {
        Sheet::from_str(text, file, sets, &keys::HDFS, assembly)
            .map(|sheet| Scenario::of(&sheet).clone())
    }

    /// # Panics
    /// If the sheet belongs to another system.
    pub fn of(sheet: &Sheet) -> &Scenario {
        let own = sheet.own.as_ref().and_then(|own| own.downcast_ref());
        own.expect("a sheet of HDFS holds its scenario")
    }
}
