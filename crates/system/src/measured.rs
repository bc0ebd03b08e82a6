//! Rates that the input measured, compared with the model's. If they are far apart, the model is
//! not of this system: no cause or change is named.
use crate::value_text::figure;
use page::{Do, Sentence, say};
use serde_json::{Value, json};
use std::path::Path;

/// Factor, up or down, from which on the model is far from the measurement.
const FAR: f64 = 1.5;

/// A rate from the input, and from the simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct Rate {
    /// "File creation".
    pub name: String,
    /// From the input \[1/s\].
    pub measured: f64,
    /// Mean over seeds \[1/s\].
    pub simulated: f64,
}

impl Rate {
    pub fn ratio(&self) -> f64 {
        self.simulated / self.measured
    }

    pub fn factor(&self) -> f64 {
        self.ratio().max(1.0 / self.ratio())
    }

    /// Whether the simulation is far from the measured system.
    pub fn is_far(&self) -> bool {
        self.factor() > FAR
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct MeasuredRates {
    /// The tool: "mdtest".
    pub by: &'static str,
    pub rates: Vec<Rate>,
    /// Name prefix of rates that count only if there are no others.
    pub minor: &'static str,
    /// A rate's name, and settings that would each bring the simulation to it.
    pub explains: (String, Vec<(String, String)>),
    /// Assumed keys that may explain it as well.
    pub assumed: &'static [&'static str],
}

impl MeasuredRates {
    /// The rate with the largest deviation, if it is beyond `FAR`.
    pub fn far(&self) -> Option<&Rate> {
        let is_minor = |rate: &&Rate| rate.name.starts_with(self.minor);
        let all_minor = self.rates.iter().all(|rate| is_minor(&rate));
        let counts = self.rates.iter().filter(|rate| all_minor || !is_minor(rate));
        let far = counts.filter(|rate| rate.is_far());
        far.max_by(|a, b| a.factor().total_cmp(&b.factor()))
    }

    /// "Simulated 7.7 times what mdtest measured: 30 804/s against 4 000/s (File creation). " Empty
    /// if the simulation is near.
    pub fn headline(&self) -> Sentence {
        let Some(rate) = self.far() else { return Sentence::default() };
        let (times, by) = (format!("{:.1} times", rate.factor()), self.by);
        let (ours, theirs) = (figure(rate.simulated), figure(rate.measured));
        let said = match rate.ratio() > 1.0 {
            true => say("Simulated ")
                .number(times)
                .say(format!(" what {by} measured: {ours}/s against {theirs}/s")),
            false => say(format!("{by} measured "))
                .number(times)
                .say(format!(" what is simulated: {theirs}/s against {ours}/s")),
        };
        let (name, all) = (&rate.name, self.rates.len());
        let far = self.rates.iter().filter(|rate| rate.is_far()).count();
        let said = said.say(format!(" ({name})."));
        match far {
            1 => said.say(" "),
            _ => said.say(format!(" {far} of {all} rates are off by more than {FAR} times. ")),
        }
    }

    /// Replaces advice: what would explain the deviation.
    pub fn doing(&self, file: &Path) -> Do {
        let MeasuredRates { explains: (of, explains), assumed, .. } = self;
        let values: Vec<String> =
            explains.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let assumed = assumed.join(", ");
        let found = match values.is_empty() {
            true => format!("Assumed values may explain the difference: {assumed}."),
            false => format!(
                "By closed form, each of these brings {of} to the measured rate: {}. Several of \
                 {assumed} together may, too.",
                values.join("; ")
            ),
        };
        let more = format!(
            "{found} Find out which, set the value and run again. Until then, the model's \
             bottleneck may not be that of this system."
        );
        let command = explains
            .first()
            .map(|(key, value)| format!("tenbin run {} --set {key}={value}", file.display()));
        let point = say("").strong("Neither a cause nor a change is named").say(".");
        Do { point: point.done(), more: say(more).done(), command }
    }
}

pub fn json(measured: &MeasuredRates) -> Value {
    let rate = |rate: &Rate| {
        let Rate { name, measured, simulated } = rate;
        json!({ "name": name, "measured": measured, "simulated": simulated,
                "ratio": rate.ratio(), "far": rate.is_far() })
    };
    let value = |(key, value): &(String, String)| json!({ "key": key, "value": value });
    json!({
        "by": measured.by,
        "rates": measured.rates.iter().map(rate).collect::<Vec<_>>(),
        "would_explain": measured.explains.1.iter().map(value).collect::<Vec<_>>(),
        "assumed": measured.assumed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rates: &[(&str, f64, f64)]) -> MeasuredRates {
        let rate = |(name, measured, simulated): &(&str, f64, f64)| Rate {
            name: name.to_string(),
            measured: *measured,
            simulated: *simulated,
        };
        let rates = rates.iter().map(rate).collect();
        MeasuredRates {
            by: "mdtest",
            rates,
            minor: "Tree",
            explains: Default::default(),
            assumed: &["a", "b"],
        }
    }

    fn said(rates: &[(&str, f64, f64)]) -> String {
        page::words::spaces(&page::plain(&of(rates).headline().done())).trim_end().to_string()
    }

    #[test]
    fn what_is_far_is_said_first_either_way() {
        let create = ("File creation", 4_000.0, 30_804.0);
        let stat = ("File stat", 119_113.0, 30_872.0);
        let tree = ("Tree creation", 1.0, 1_000.0);
        assert_eq!(
            said(&[create, tree, ("File read", 100.0, 140.0)]),
            "Simulated 7.7 times what mdtest measured: 30 804/s against 4 000/s (File creation). 2 \
             of 3 rates are off by more than 1.5 times."
        );
        assert_eq!(
            said(&[stat]),
            "mdtest measured 3.9 times what is simulated: 119 113/s against 30 872/s (File stat)."
        );
        assert_eq!(said(&[("File stat", 100.0, 149.0), ("File read", 149.0, 100.0), tree]), "");
        assert!(said(&[tree]).contains("(Tree creation)"));
        let doing = page::plain(&of(&[create]).doing(Path::new("x.toml")).more);
        assert!(doing.starts_with("Assumed values may explain the difference: a, b."), "{doing}");
    }
}
