//! The fifth document: Li Cheng, "Multi-Raft pipelines in Apache Ozone", 2020.
mod base;
mod judge;
use base::{Bench, Case};
use judge::{c31, c32_disks, c32_latency, c33_absolute, c33_ratio, c34_even, c34_over};
use serde_json::json;
use system::Failure;
use system::claims::{Document, Reproduction};

/// The document.
pub struct MultiRaft;

impl Document for MultiRaft {
    fn name(&self) -> &'static str {
        "s3"
    }

    fn title(&self) -> &'static str {
        "Multi-Raft pipelines in Apache Ozone (Li Cheng, 2020)"
    }

    fn reproduce(&self, seeds: u32, sets: &[(String, String)]) -> Result<Reproduction, Failure> {
        let bench = Bench::run(&base::cases(), seeds, sets)?;
        let claims = vec![
            c31(),
            c32_latency(&bench),
            c32_disks(&bench),
            c33_ratio(&bench),
            c33_absolute(&bench),
            c34_even(&bench),
            c34_over(&bench),
        ];
        let of = |case: &Case| {
            let sets: Vec<String> = case.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
            (case.name.to_string(), json!(sets))
        };
        let parameters = json!({
            "base": base::BASE,
            "cases": base::cases().iter().map(of).collect::<serde_json::Map<_, _>>(),
        });
        Ok(Reproduction { claims, parameters, figures: vec![bench.table()] })
    }
}
