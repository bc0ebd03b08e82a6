//! Arguments of all twins.
use clap::Args;
use cluster::Sheet;
use std::path::{Path, PathBuf};
use system::claims::RealRunOptions;
use system::lab::{Lab, bad};
use system::{Failure, vary};

/// `tenbin twin SYSTEM`
#[derive(Args, Debug)]
#[command(after_help = "\
Needs Linux, root, FUSE, Maven and a Java 11 or later; the first time it loads 100 MB and more from
Maven Central. A run takes some minutes; run nothing else during that time.")]
pub struct TwinArgs {
    /// Scenario to run for real; docs/testbed.md has one of each system.
    pub scenario: PathBuf,
    /// Real runs, each on a fresh cluster.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Seeds 1 to N of the simulation.
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub seeds: u32,
    /// Hadoop version.
    #[arg(long, value_name = "VERSION", default_value = "3.4.3")]
    pub hadoop: String,
    /// Tenbin's plug-in, needed if the scenario names a policy other than Hadoop's own.
    #[arg(long, value_name = "FILE")]
    pub jar: Option<PathBuf>,
    /// Change a key of the scenario first, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Run the scenario with each of these values, as `compare` does.
    #[arg(long = "vary", value_name = "KEY=A,B")]
    pub vary: Vec<String>,
    /// Name of the testbed.
    #[arg(long, value_name = "NAME", default_value = "twin")]
    pub name: String,
    /// Folder for the disks' data [default: memory].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Folder for the results [default: out/twin-NAME].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

impl TwinArgs {
    /// Arguments of runs for a paper's claims.
    pub fn of_claims(document: &str, how: &RealRunOptions<'_>) -> TwinArgs {
        TwinArgs {
            scenario: PathBuf::from(format!("{document}.toml")),
            runs: how.runs,
            seeds: how.seeds,
            hadoop: how.hadoop.to_string(),
            jar: how.jar.map(Path::to_path_buf),
            sets: Vec::new(),
            vary: Vec::new(),
            name: format!("claims-{document}"),
            store: how.store.map(Path::to_path_buf),
            out: Some(how.place.to_path_buf()),
            json: false,
        }
    }

    /// The scenario, or one per varied value with its name.
    ///
    /// # Errors
    /// Bad input, as of a comparison.
    pub fn varied(&self, lab: &Lab, sheet: &Sheet) -> Result<Vec<(String, Sheet)>, Failure> {
        if self.vary.is_empty() {
            return Ok(vec![(sheet.name.clone(), sheet.clone())]);
        }
        let rows = sheet.vary(&vary::axes(&self.vary)?).map_err(bad)?;
        let with = |row: cluster::Variant| Ok((row.name, lab.with(sheet, &row.set)?));
        rows.into_iter().map(with).collect()
    }
}
