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
use page::Section;
use serde_json::{Value, json};
use speeds::Speeds;
use system::claims::{Asked, Claim, Document, Reproduction};
use system::{Failure, partial};

/// Kirii, Tatebe, Ross 2015.
pub static S4: Document = Document {
    name: "s4",
    also: &[],
    title: "PPMDS, a distributed metadata server, simulated (Kirii, Tatebe, Ross, 2015)",
    reproduce,
    real: None,
};

/// What a claim asks to be run, and how its runs are judged, each by the claim's name.
type Ask = (&'static str, fn(&mut Grid));
type Judge = (&'static str, fn(&Grid) -> Claim);

const IDS: [&str; 8] = ["C4.1", "C4.2", "C4.3", "C4.4", "C4.5", "C4.6", "C4.7a", "C4.7b"];

fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    if let Some(why) = asked.unknown(&IDS) {
        return Err(why);
    }
    let mut grid = Grid::new(asked.sets);
    let asks: [Ask; 5] = [
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
    let mut claims = Vec::new();
    let figures = judge(asked, &grid, &mut claims);
    claims.sort_by_key(|claim| claim.id);
    let figures = figures.map_err(|why| {
        let missing = asked.lacks(&claims, &IDS);
        asked.kept_with(why, partial::of_lab(grid.rows()), &claims, &missing)
    })?;
    Ok(Reproduction { claims, parameters: parameters(asked), figures })
}

/// Adds each claim as it is decided; what else there is to see.
fn judge(asked: &Asked<'_>, grid: &Grid, claims: &mut Vec<Claim>) -> Result<Vec<Section>, Failure> {
    let mut figures = Vec::new();
    let judges: [Judge; 5] = [
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
    Ok(figures)
}

fn parameters(asked: &Asked<'_>) -> Value {
    json!({
        "document": "Kirii, Tatebe, Ross 2015, table 2",
        "creates_per_client": grid::CREATES,
        "creates_per_client of C4.2": 1_000,
        "network.switch": "port: the document does not say; one NIC caps every server count",
        "network.megabyte": "binary, as CODES' simple-net",
        "store.mode": "delay: the answer is late, nothing is occupied",
        "rate": "while all clients are at work",
        "set": asked.sets,
    })
}
