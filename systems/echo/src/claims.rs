//! The utilisation law, as if a document claimed it.
use crate::Echo;
use analysis::stat;
use serde_json::json;
use std::path::Path;
use system::Failure;
use system::claims::{Band, Claim, Document, Reproduction, Sensitivity, Verdict};
use system::lab::{Lab, Row};

/// "A server that always has somebody to serve answers 1 / `server.time` requests a second."
pub struct Law;

const SCENARIO: &str = include_str!("../../../scenarios/echo.toml");

impl Document for Law {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn title(&self) -> &'static str {
        "The utilisation law (Denning and Buzen, 1978)"
    }

    fn reproduce(&self, seeds: u32, sets: &[(String, String)]) -> Result<Reproduction, Failure> {
        let lab = Lab::of(&Echo)?;
        let mut rows = Vec::new();
        for clients in ["8", "64"] {
            let mut set = vec![("cluster.clients".to_string(), clients.to_string())];
            set.extend(sets.iter().cloned());
            let sheet = lab.read_text(SCENARIO, Path::new("echo.toml"), &set)?;
            rows.push(Row { name: format!("{clients} clients"), set, sheet })
        }
        let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
        let done = lab.run(&rows, &seeds, false, "reproduce echo")?;
        system::interrupt::check()?;
        let law = 1.0 / rows[0].sheet.time("server.time").as_secs();
        let of = |place: usize| stat(&done.rows[place].values().expect("each run has its rate"));
        let (few, many) = (of(0), of(1));
        let band = Band::near(law, 0.05);
        let verdict = Verdict::of([band.holds(&few)]);
        let reason =
            format!("{:.0} ± {:.0} with 8 clients; the law says {law:.0}", few.mean, few.ci95);
        let sensitivity = vec![Sensitivity {
            what: "cluster.clients".into(),
            value: "64".into(),
            ours: many.mean,
            verdict: Verdict::of([band.holds(&many)]),
        }];
        let claim = Claim {
            id: "E1",
            claim: "a busy server answers 1 / server.time requests a second",
            document: format!("{law:.0}"),
            ours: Some(few.mean),
            spread: Some(few.ci95),
            unit: "requests/s",
            verdict,
            reason,
            sensitivity,
        };
        let parameters = json!({ "server.time": rows[0].sheet.text("server.time") });
        Ok(Reproduction { claims: vec![claim], parameters, figures: Vec::new() })
    }
}
