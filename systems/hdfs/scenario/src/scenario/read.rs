//! Reading a scenario.
use super::{Scenario, assembly};
use crate::keys;
use cluster::{BadInput, Sheet};
use std::path::Path;

impl Scenario {
    /// Reads a scenario; `sets` (`hardware.disk`, `105MB/s`) go over what the file says.
    ///
    /// # Errors
    /// All that is wrong with the file, the cluster file that it imports, and `sets`.
    pub fn read(path: impl AsRef<Path>, sets: &[(String, String)]) -> Result<Scenario, BadInput> {
        Sheet::read(path, sets, &keys::HDFS, assembly).map(|sheet| Scenario::of(&sheet).clone())
    }

    /// As [`Scenario::read`], from a text; `file` is for messages, and paths are relative to it.
    pub fn from_str(
        text: &str,
        file: impl AsRef<Path>,
        sets: &[(String, String)],
    ) -> Result<Scenario, BadInput> {
        Sheet::from_str(text, file, sets, &keys::HDFS, assembly)
            .map(|sheet| Scenario::of(&sheet).clone())
    }

    /// The scenario of a sheet.
    ///
    /// # Panics
    /// The sheet is of another system.
    pub fn of(sheet: &Sheet) -> &Scenario {
        let own = sheet.own.as_ref().and_then(|own| own.downcast_ref());
        own.expect("a sheet of HDFS holds its scenario")
    }
}
