//! The fourth document's claims: `tenbin reproduce s4`.
mod beyond;
mod c4_1;
mod c4_2;
mod c4_3;
mod c4_5;
mod c4_6;
mod figures;
mod grid;
mod speeds;

use grid::Grid;
use serde_json::json;
use speeds::Speeds;
use system::Failure;
use system::claims::{Asked, Claim, Document, Reproduction};

/// Kirii, Tatebe, Ross 2015.
pub static S4: Document = Document {
    name: "s4",
    title: "PPMDS, a distributed metadata server, simulated (Kirii, Tatebe, Ross, 2015)",
    reproduce,
};

/// Its claims.
const IDS: [&str; 8] = ["C4.1", "C4.2", "C4.3", "C4.4", "C4.5", "C4.6", "C4.7a", "C4.7b"];

fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    if let Some(why) = asked.unknown(&IDS) {
        return Err(why);
    }
    let mut grid = Grid::new(asked.sets);
    let asks: [(&str, fn(&mut Grid)); 5] = [
        ("C4.1", c4_1::ask),
        ("C4.3", c4_3::ask_latency),
        ("C4.4", c4_3::ask_startup),
        ("C4.6", c4_6::ask),
        ("C4.7b", c4_3::ask_rise),
    ];
    asks.iter().filter(|(id, _)| asked.wants(id)).for_each(|(_, ask)| ask(&mut grid));
    if asked.claim.is_none() {
        c4_3::ask_figures(&mut grid)
    }
    grid.run(asked)?;
    judge(asked, &grid).map_err(|why| asked.kept(why, grid.rows()))
}

fn judge(asked: &Asked<'_>, grid: &Grid) -> Result<Reproduction, Failure> {
    let (mut claims, mut figures) = (Vec::new(), Vec::new());
    let judges: [(&str, fn(&Grid) -> Claim); 5] = [
        ("C4.1", c4_1::judge),
        ("C4.3", c4_3::c4_3),
        ("C4.4", c4_3::c4_4),
        ("C4.6", c4_6::judge),
        ("C4.7b", c4_3::rise),
    ];
    claims.extend(judges.iter().filter(|(id, _)| asked.wants(id)).map(|(_, judge)| judge(grid)));
    let long = match asked.wants("C4.2") {
        true => Some(c4_2::run(asked)?),
        false => None,
    };
    claims.extend(long.as_ref().map(c4_2::judge));
    if let (None, Some(long)) = (asked.claim, &long) {
        figures.extend(figures::all(grid, long));
        figures.push(beyond::figure(asked)?)
    }
    if asked.wants("C4.5") || asked.wants("C4.7a") {
        let speeds = Speeds::of(asked.sets)?;
        claims.extend([c4_5::judge(&speeds), c4_5::conclusion(&speeds)]);
        figures.extend(speeds.sections())
    }
    claims.sort_by_key(|claim| claim.id);
    let parameters = json!({
        "document": "Kirii, Tatebe, Ross 2015, table 2",
        "creates_per_client": grid::CREATES,
        "creates_per_client of C4.2": 1_000,
        "network.switch": "port: the document does not say; one NIC caps every server count",
        "network.megabyte": "binary, as CODES' simple-net",
        "store.mode": "delay: the answer is late, nothing is occupied",
        "rate": "while all clients are at work",
        "set": asked.sets,
    });
    Ok(Reproduction { claims, parameters, figures })
}
