//! The fourth document's claims: `tenbin reproduce s4`.
mod beyond;
mod c4_1;
mod c4_3;
mod c4_5;
mod c4_6;
mod figures;
mod grid;

use grid::Grid;
use serde_json::json;
use system::Failure;
use system::claims::{Asked, Document, Reproduction};

/// Kirii, Tatebe, Ross 2015.
pub static S4: Document = Document {
    name: "s4",
    title: "PPMDS, a distributed metadata server, simulated (Kirii, Tatebe, Ross, 2015)",
    reproduce,
};

fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    let mut grid = Grid::new(asked.sets);
    c4_1::ask(&mut grid);
    c4_3::ask(&mut grid);
    c4_6::ask(&mut grid);
    grid.run(asked)?;
    judge(asked, &grid).map_err(|why| asked.kept(why, grid.rows()))
}

fn judge(asked: &Asked<'_>, grid: &Grid) -> Result<Reproduction, Failure> {
    let sets = asked.sets;
    let mut claims = c4_1::judge(grid);
    claims.extend(c4_3::judge(grid));
    let (speed, walls) = c4_5::judge(sets)?;
    claims.push(speed);
    claims.push(c4_6::judge(grid));
    let mut figures = figures::all(grid);
    figures.push(beyond::figure(asked)?);
    figures.extend(walls);
    let parameters = json!({
        "document": "Kirii, Tatebe, Ross 2015, table 2",
        "creates_per_client": grid::CREATES,
        "network.switch": "port: the document does not say; one NIC caps every server count",
        "network.megabyte": "binary, as CODES' simple-net",
        "store.mode": "delay: the answer is late, nothing is occupied",
        "rate": "while all clients are at work",
        "set": sets,
    });
    Ok(Reproduction { claims, parameters, figures })
}
