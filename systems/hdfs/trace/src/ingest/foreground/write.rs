//! Writes `[workload.foreground]` and the table of shares.
use super::import::Imported;
use super::load::Load;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trace::parquet_io::TempFile;

/// First line of the table; `systems/hdfs/scenario` reads it.
const HEAD: &str = "node,reads,writes";
const ABOUT: &str = "# Requests per second of each DataNode; the table of `shares`.";

impl Imported {
    /// `NAME-shares.csv` in the folder of `NAME.toml`.
    pub fn shares_beside(toml: &Path) -> PathBuf {
        let stem = toml.file_stem().unwrap_or_default().to_string_lossy();
        toml.with_file_name(format!("{stem}-shares.csv"))
    }

    pub fn is_shares(text: &str) -> bool {
        text.lines().find(|line| !line.starts_with('#')).is_some_and(|line| line.trim() == HEAD)
    }

    pub fn toml(&self, shares: &str) -> String {
        let Load { seconds, reads, read_bytes, local, writes, write_bytes, shares: nodes } =
            &self.load;
        let mut text = format!(
            "# Made by `tenbin import foreground`.\n\
             [workload.foreground]      # from {} DataNodes, {seconds:.0} s\n",
            nodes.len()
        );
        let mut line = |key: &str, value: String, about: &str| {
            let pair = format!("{key} = {value}");
            let _ = match about {
                "" => writeln!(text, "{pair}"),
                _ => writeln!(text, "{pair:<26} # {about}"),
            };
        };
        if *reads > 0.0 {
            line("reads", number(*reads), "per second, whole cluster");
            if let Some(bytes) = read_bytes {
                line("read_bytes", format!("\"{bytes}\""), "mean")
            }
            line("local", number(*local), "without short-circuit reads")
        }
        if *writes > 0.0 {
            line("writes", number(*writes), "blocks per second, whole cluster");
            if let Some(bytes) = write_bytes {
                line("write_bytes", format!("\"{bytes}\""), "mean")
            }
        }
        let shares = shares.replace('\\', "\\\\").replace('"', "\\\"");
        line("shares", format!("\"{shares}\""), "node,reads,writes: each node's part");
        text
    }

    pub fn csv(&self) -> String {
        let row =
            |s: &super::NodeShare| format!("{},{},{}\n", s.node, number(s.reads), number(s.writes));
        let rows: String = self.load.shares.iter().map(row).collect();
        format!("{ABOUT}\n{HEAD}\n{rows}")
    }

    /// Writes both files; renames them only when both are complete, the table first.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, toml: &Path) -> io::Result<()> {
        let beside = Self::shares_beside(toml);
        let shares = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let draft = |place: &Path, text: &str| -> io::Result<TempFile> {
            let (temp, mut out) = TempFile::create(place)?;
            out.write_all(text.as_bytes())?;
            out.sync_all()?;
            Ok(temp)
        };
        let (table, file) = (draft(&beside, &self.csv())?, draft(toml, &self.toml(&shares))?);
        table.keep()?;
        file.keep()
    }
}

fn number(n: f64) -> String {
    if n <= 0.0 {
        return "0".into();
    }
    let short: f64 = format!("{n:.5e}").parse().unwrap_or(n);
    if short < 1e6 { short.to_string() } else { format!("{n:.0}") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_short() {
        let table = [
            (0.0, "0"),
            (812.4, "812.4"),
            (1.0 / 3.0, "0.333333"),
            (1e6 / 3.0, "333333"),
            (1_234_567.0, "1234567"),
            (0.63, "0.63"),
            (2.5e-7, "0.00000025"),
        ];
        for (n, text) in table {
            assert_eq!(super::number(n), text);
        }
    }
}
