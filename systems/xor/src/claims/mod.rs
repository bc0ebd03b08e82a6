//! The second document's claims: `tenbin reproduce s2`.
mod beyond;
mod c2_1;
mod c2_2;
mod c2_3;
#[cfg(target_os = "linux")]
mod real;
mod runs;

use page::Section;
use serde_json::json;
use system::Failure;
use system::claims::{Asked, Claim, Document, ForReal, Reproduction};

/// Otsuji, Tatebe 2013.
pub static S2: Document = Document {
    name: "s2",
    also: &["otsuji13"],
    title: "Low-overhead redundant write with 2-D xor over RDMA (Otsuji, Tatebe, 2013)",
    reproduce,
    real: REAL,
};

/// Three runs of each cell take a quarter of an hour.
#[cfg(target_os = "linux")]
const REAL: Option<ForReal> = Some(ForReal { runs: 3, needs_jar: false, make: real::real });
#[cfg(not(target_os = "linux"))]
const REAL: Option<ForReal> = None;

/// Nothing here is drawn by chance, so that the number of seeds changes nothing.
fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    let sets = asked.sets;
    let (mut claims, layouts) = c2_3::judge();
    let mut figures = vec![layouts];
    let decided = measured(sets, &mut claims, &mut figures);
    claims.sort_by_key(|claim| claim.id);
    decided.map_err(|why| {
        let missing = asked.lacks(&claims, &["C2.1", "C2.2", "C2.3", "C2.4"]);
        asked.kept_with(why, Vec::new(), &claims, &missing)
    })?;
    let parameters = json!({
        "document": "Otsuji, Tatebe 2013: FDR InfiniBand, 2 x Xeon E5-2665",
        "network.rate": "54.5Gbit/s: what FDR carries of 56",
        "node.xor_rate": "6000MB/s into sums on one core (figure 4)",
        "node.block_time": "0us: the CPU is bypassed, but for sums; swept",
        "network.latency": "2us: a guess",
        "measured here": "figures 4 and 9",
        "set": sets,
    });
    Ok(Reproduction { claims, parameters, figures })
}

/// What runs and measurements decide is added claim by claim.
fn measured(
    sets: &[(String, String)],
    claims: &mut Vec<Claim>,
    figures: &mut Vec<Section>,
) -> Result<(), Failure> {
    let (faster, figure_10) = c2_1::judge(sets)?;
    claims.push(faster);
    let (transport, of_transport) = c2_2::judge()?;
    claims.push(transport);
    // Figures stand in the document's order.
    let layouts = std::mem::replace(figures, of_transport);
    figures.push(figure_10);
    figures.extend(layouts);
    figures.push(beyond::figure(sets)?);
    Ok(())
}
