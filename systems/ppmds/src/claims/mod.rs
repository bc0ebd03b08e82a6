//! The claims of Kirii, Tatebe, Ross 2015: `tenbin reproduce s4`.
mod c4_5;
mod figures;
mod speeds;
pub mod table;

use crate::PPMDS;
use serde_json::json;
use system::Failure;
use system::claims::{Document, ReproduceRequest, Reproduction, Table};

pub static S4: Document = Document {
    name: "s4",
    also: &[],
    title: "PPMDS, a distributed metadata server, simulated (Kirii, Tatebe, Ross, 2015)",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    let table = Table {
        system: &PPMDS,
        what: "reproduce s4",
        needs: &[],
        rows: table::rows,
        figures: figures::all,
        extra: c4_5::judge,
        joint: None,
    };
    let parameters = json!({
        "document": "Kirii, Tatebe, Ross 2015, table 2",
        "creates_per_client": table::CREATES,
        "creates_per_client of C4.2": 1_000,
        "network.switch": "port: Kirii 2015 does not state this; one NIC caps every server count",
        "network.megabyte": "binary, as CODES' simple-net",
        "store.mode": "delay: the answer is late, without occupying a resource",
        "rate": "while all clients are active",
        "set": asked.sets,
    });
    table.reproduce(asked, parameters)
}
