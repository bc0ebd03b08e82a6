//! The second document's claims: `tenbin reproduce s2`.
use system::Failure;
use system::claims::{Document, Reproduction};

/// Otsuji, Tatebe 2013.
pub struct S2;

impl Document for S2 {
    fn name(&self) -> &'static str {
        "s2"
    }

    fn title(&self) -> &'static str {
        "Low-overhead redundant write with 2-D xor over RDMA (Otsuji, Tatebe, 2013)"
    }

    fn reproduce(&self, _seeds: u32, _sets: &[(String, String)]) -> Result<Reproduction, Failure> {
        Ok(Reproduction {
            claims: Vec::new(),
            parameters: serde_json::json!({}),
            figures: Vec::new(),
        })
    }
}
