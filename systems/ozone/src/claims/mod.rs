//! Claims of Li Cheng, "Multi-Raft pipelines in Apache Ozone", 2020.
mod cases;
mod disks;
mod drawn;
mod table;
use crate::OZONE;
use serde_json::{Map, json};
use system::Failure;
use system::claims::{Document, ReproduceRequest, Reproduction, Run, Table};

pub static S3: Document = Document {
    name: "s3",
    also: &[],
    title: "Multi-Raft pipelines in Apache Ozone (Li Cheng, 2020)",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    let table = Table {
        system: &OZONE,
        what: "reproduce s3",
        needs: &[],
        rows: table::rows,
        figures: drawn::figures,
        extra: disks::add,
        joint: None,
    };
    let of = |(name, run): (&str, Run)| {
        let sets: Vec<String> = run.sets().iter().map(|(k, v)| format!("{k}={v}")).collect();
        (name.to_string(), json!(sets))
    };
    let cases = cases::cases().into_iter().map(of).collect::<Map<_, _>>();
    table.reproduce(asked, json!({ "base": cases::BASE.text, "cases": cases }))
}
