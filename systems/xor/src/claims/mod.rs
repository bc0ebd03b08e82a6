//! The second document's claims: `tenbin reproduce s2`.
mod beyond;
mod c2_1;
mod c2_2;
mod c2_3;
mod runs;

use serde_json::json;
use system::Failure;
use system::claims::{Asked, Document, Reproduction};

/// Otsuji, Tatebe 2013.
pub static S2: Document = Document {
    name: "s2",
    title: "Low-overhead redundant write with 2-D xor over RDMA (Otsuji, Tatebe, 2013)",
    reproduce,
};

/// Nothing here is drawn by chance, so that the number of seeds changes nothing.
fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    let Asked { sets, .. } = *asked;
    let (faster, figure_10) = c2_1::judge(sets)?;
    let (transport, mut figures) = c2_2::judge()?;
    let (exact, layouts) = c2_3::judge();
    figures.extend([figure_10, layouts, beyond::figure(sets)?]);
    let mut claims = vec![faster, transport];
    claims.extend(exact);
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
