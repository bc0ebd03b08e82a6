//! Arguments of commands that read finished runs, simulated or logged.
use clap::Args;
use std::path::PathBuf;

/// `tenbin why`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin import mapreduce job_1795197530166_0002*.jhist -o run/
  tenbin why run/
  tenbin why run/ --task m_000007
  tenbin why run/ --json")]
pub struct Why {
    /// Folder written by `run`, `compare`, `plan`, `diff` or an import.
    pub run: PathBuf,
    /// Only this job.
    #[arg(long, value_name = "JOB")]
    pub job: Option<String>,
    /// Only this task: its waits and phases.
    #[arg(long, value_name = "TASK")]
    pub task: Option<String>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin report`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin report run/ -o report.html")]
pub struct ReportOf {
    /// Folders written by `run`, `compare`, `plan`, `diff` or an import.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// File to write [default: report.html in the first folder].
    #[arg(short, long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

/// `tenbin export`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin export run/ --csv tables/
  tenbin export run/ --parquet tables/")]
pub struct Export {
    /// Folder written by `import` or `run`.
    pub run: PathBuf,
    /// Folder for trace.json.gz, for Perfetto and chrome://tracing.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["parquet", "csv"])]
    pub chrome_trace: Option<PathBuf>,
    /// Folder for Parquet files, one per table.
    #[arg(long, value_name = "DIR")]
    pub parquet: Option<PathBuf>,
    /// Folder for CSV files of jobs' intervals and facts.
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
}

/// `tenbin serve`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin serve run1/ run2/ --port 8000")]
pub struct Serve {
    /// Folders written by `run`, `compare`, `plan`, `diff` or an import, or their parents.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Port on 127.0.0.1; 0: a free one.
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
}
