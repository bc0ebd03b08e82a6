//! The fifth document: Li Cheng, "Multi-Raft pipelines in Apache Ozone", 2020.
mod base;
mod disks;
mod judge;
mod open;
use crate::OZONE;
use base::{Bench, Case};
use judge::{c31, c32_disks, c32_latency, c33_absolute, c33_loads, c33_ratio, c34_even, c34_over};
use open::Open;
use serde_json::json;
use system::claims::{Asked, Claim, Document, Reproduction};
use system::lab::Lab;
use system::{Failure, partial};

pub static S3: Document = Document {
    name: "s3",
    also: &[],
    title: "Multi-Raft pipelines in Apache Ozone (Li Cheng, 2020)",
    reproduce,
    real: None,
};

fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    let (lab, sets) = (Lab::of(&OZONE)?, asked.sets.to_vec());
    let bench = Bench::run(&lab, &base::cases(), asked)?;
    let seeds: Vec<u64> = (1..=u64::from(asked.seeds)).collect();
    let kept = |why, claims: &[Claim], missing: &str| {
        asked.kept_with(why, partial::of_lab(bench.rows()), claims, missing)
    };
    let open = Open::run(&lab, &sets, &seeds).map_err(|why| {
        let decided = [c31(), c32_disks(&bench), c34_even(&bench), c34_over(&bench)];
        kept(why, &decided, "the other claims, which need what was drawn at random, and figures")
    })?;
    let claims = vec![
        c31(),
        c32_latency(&bench, &open),
        c32_disks(&bench),
        c33_ratio(&bench, &open),
        c33_absolute(&bench, &open),
        c33_loads(&open),
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
    let mut figures = open.figures();
    let disks = disks::figures(&lab, &sets).map_err(|why| kept(why, &claims, "figures"))?;
    figures.extend(disks);
    figures.push(bench.table());
    Ok(Reproduction { claims, parameters, figures })
}
