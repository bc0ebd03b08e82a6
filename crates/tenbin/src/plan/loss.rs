//! What is lost or leaves: the `[[event]]` tables of a plan.
use crate::failure::Failure;
use crate::job;
use std::fmt::Write;
use std::path::Path;

/// What the argument line asks about.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    /// `--lose`
    pub lose: Vec<String>,
    /// `--decommission`
    pub decommission: Vec<String>,
    /// `--maintenance`
    pub maintenance: Vec<String>,
}

/// One wish, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Loss {
    kind: &'static str,
    target: String,
}

impl Losses {
    /// The tables, all at the beginning of the run.
    ///
    /// # Errors
    /// Bad input: nothing was asked for, a file of names that cannot be read or is empty, a kind of
    /// thing that cannot be lost.
    pub fn tables(&self) -> Result<String, Failure> {
        let mut all = Vec::new();
        for text in &self.lose {
            all.push(lost(text)?)
        }
        for (kind, names) in
            [("decommission", &self.decommission), ("maintenance", &self.maintenance)]
        {
            for text in names {
                let names = names_of(kind, text)?;
                all.extend(names.into_iter().map(|target| Loss { kind, target }))
            }
        }
        if all.is_empty() {
            return Err(job::bad(
                "nothing is lost: expected --lose NODE, --lose rack=/RACK, --decommission NODE \
                 or @FILE, or --maintenance NODE",
            ));
        }
        let table = |text: &mut String, loss: &Loss| {
            // A string of JSON is one of TOML.
            let target = serde_json::Value::from(loss.target.as_str());
            let _ = write!(text, "[[event]]\nat = \"0s\"\nkind = \"{}\"\n", loss.kind);
            let _ = write!(text, "target = {target}\n\n");
        };
        Ok(all.iter().fold(String::new(), |mut text, loss| {
            table(&mut text, loss);
            text
        }))
    }

    /// Whether the plan is about nothing yet.
    pub fn is_empty(&self) -> bool {
        self.lose.is_empty() && self.decommission.is_empty() && self.maintenance.is_empty()
    }
}

/// `NODE`, `rack=/r3`, `disk=NODE/2`.
fn lost(text: &str) -> Result<Loss, Failure> {
    let (kind, target) = match text.split_once('=') {
        None => ("node-lost", text),
        Some(("node", target)) => ("node-lost", target),
        Some(("rack", target)) => ("rack-lost", target),
        Some(("disk", target)) => ("disk-lost", target),
        Some((other, _)) => {
            let expected = "expected NODE, rack=/RACK or disk=NODE/NUMBER";
            return Err(job::bad(format!("--lose {text}: no {other} can be lost; {expected}")));
        }
    };
    if target.is_empty() {
        return Err(job::bad(format!("--lose {text}: expected a name after the =")));
    }
    Ok(Loss { kind, target: target.to_string() })
}

/// A name, or those in a file: one a line, as `dfs.hosts.exclude` has them; `#` begins a comment.
fn names_of(kind: &str, text: &str) -> Result<Vec<String>, Failure> {
    let Some(file) = text.strip_prefix('@') else { return Ok(vec![text.to_string()]) };
    let wrong = |what: String| {
        let expected = "expected one host name a line, as in dfs.hosts.exclude";
        job::bad(format!("--{kind} @{file}: {what}; {expected}"))
    };
    let content = std::fs::read_to_string(Path::new(file)).map_err(|e| wrong(e.to_string()))?;
    let name = |line: &str| line.split('#').next().unwrap_or("").trim().to_string();
    let names: Vec<String> = content.lines().map(name).filter(|n| !n.is_empty()).collect();
    if names.is_empty() { Err(wrong("has no names".into())) } else { Ok(names) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_loss() {
        let losses = Losses { lose: vec!["dn-1".into(), "rack=/r3".into()], ..Losses::default() };
        assert_eq!(
            losses.tables().unwrap(),
            "[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"dn-1\"\n\n\
             [[event]]\nat = \"0s\"\nkind = \"rack-lost\"\ntarget = \"/r3\"\n\n"
        );
    }

    #[test]
    fn what_cannot_be_lost_is_said() {
        let say =
            |lose: &str| match (Losses { lose: vec![lose.into()], ..Losses::default() }).tables() {
                Err(Failure::BadInput(text)) => text,
                other => panic!("{other:?}"),
            };
        assert!(say("cable=7").contains("no cable can be lost"));
        assert!(say("rack=").contains("a name after the ="));
        assert!(matches!(Losses::default().tables(), Err(Failure::BadInput(_))));
    }
}
