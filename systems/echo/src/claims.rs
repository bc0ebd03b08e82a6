//! Claim E1: the utilisation law of Denning and Buzen 1978.
use crate::ECHO;
use system::Failure;
use system::claims::{Band, Claim, Document, ReproduceRequest, Reproduction};
use system::lab::Lab;

/// "A busy server answers 1 / `server.time` requests a second."
pub static LAW: Document = Document {
    name: "echo",
    also: &[],
    title: "The utilisation law (Denning and Buzen, 1978)",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    let scenario = include_str!("../../../scenarios/echo.toml");
    let clients = [("cluster.clients", "8"), ("cluster.clients", "64")];
    let means = Lab::of(&ECHO)?.means(scenario, asked.sets, clients, asked.seeds.first)?;
    let (sheet, [few, many]) = means;
    let law = 1.0 / sheet.time("server.time").as_secs();
    let (band, says) = (Band::near(law, 0.05), (format!("{law:.0}"), "requests/s"));
    let words = "a busy server answers 1 / server.time requests a second";
    let claim = Claim::of("E1", words, says, &few, band);
    let claim = claim.with("cluster.clients", "64", &many, band);
    Ok(Reproduction::of(vec![claim], [("server.time", sheet.text("server.time"))]))
}
