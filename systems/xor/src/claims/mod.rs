//! The claims of Otsuji, Tatebe 2013: `tenbin reproduce s2`.
mod c2_2;
mod figures;
mod layouts;
pub mod table;

use crate::XOR;
use serde_json::json;
use system::Failure;
use system::claims::{Document, ReproduceRequest, Reproduction, Table};

pub static S2: Document = Document {
    name: "s2",
    also: &["otsuji13"],
    title: "Low-overhead redundant write with 2-D xor over RDMA (Otsuji, Tatebe, 2013)",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    let table = Table {
        system: &XOR,
        what: "reproduce s2",
        needs: &[],
        rows: table::rows,
        figures: figures::all,
        extra: c2_2::judge,
        joint: None,
    };
    let parameters = json!({
        "document": "Otsuji, Tatebe 2013: FDR InfiniBand, 2 x Xeon E5-2665",
        "network.rate": "54.5Gbit/s: the payload of FDR's 56",
        "node.xor_rate": "6000MB/s of sums on one core (figure 4)",
        "node.block_time": "0us: the CPU is bypassed, except for sums; swept",
        "network.latency": "2us: a guess",
        "measured here": "figures 4 and 9",
        "set": asked.sets,
    });
    table.reproduce(asked, parameters)
}
