//! The utilisation law, as if a document claimed it.
use crate::Echo;
use system::Failure;
use system::claims::{Asked, Band, Claim, Document, Reproduction};
use system::lab::Lab;

/// "A server that always has somebody to serve answers 1 / `server.time` requests a second."
pub struct Law;

impl Document for Law {
    fn name(&self) -> &'static str {
        "echo"
    }
    fn title(&self) -> &'static str {
        "The utilisation law (Denning and Buzen, 1978)"
    }
    fn reproduce(&self, asked: &Asked<'_>) -> Result<Reproduction, Failure> {
        let scenario = include_str!("../../../scenarios/echo.toml");
        let clients = [("cluster.clients", "8"), ("cluster.clients", "64")];
        let means = Lab::of(&Echo)?.means(scenario, asked.sets, clients, asked.seeds)?;
        let (sheet, [few, many]) = means;
        let law = 1.0 / sheet.time("server.time").as_secs();
        let (band, says) = (Band::near(law, 0.05), (format!("{law:.0}"), "requests/s"));
        let words = "a busy server answers 1 / server.time requests a second";
        let claim = Claim::of("E1", words, says, &few, band);
        let claim = claim.with("cluster.clients", "64", &many, band);
        Ok(Reproduction::of(vec![claim], [("server.time", sheet.text("server.time"))]))
    }
}
