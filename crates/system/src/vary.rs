//! Parses `--set KEY=VALUE` and `--vary KEY=A,B`.
use crate::failure::Failure;

/// (key, value).
pub type Set = (String, String);

/// Splits `TABLE.KEY=VALUE` at the first `=`. Fails without `=`, key or value.
pub fn set(text: &str) -> Result<Set, Failure> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => {
            Ok((named(key), value.trim().to_string()))
        }
        _ => Err(Failure::BadInput(format!(
            "--set {text}: expected TABLE.KEY=VALUE, as in --set policy.rereplication=ring"
        ))),
    }
}

pub fn sets(texts: &[String]) -> Result<Vec<Set>, Failure> {
    texts.iter().map(|text| set(text)).collect()
}

pub fn axes(texts: &[String]) -> Result<Vec<(String, Vec<String>)>, Failure> {
    texts.iter().map(|text| axis(text)).collect()
}

/// Removes the quotes of scenario files: `ozone-site."hdds.heartbeat.interval"`.
fn named(key: &str) -> String {
    key.trim().replace('"', "")
}

/// (key, values). Fails without `=`, key or values.
pub fn axis(text: &str) -> Result<(String, Vec<String>), Failure> {
    let wrong = || {
        Failure::BadInput(format!(
            "--vary {text}: expected TABLE.KEY=A,B, as in --vary policy.rereplication=default,ring"
        ))
    };
    let (key, values) = text.split_once('=').ok_or_else(wrong)?;
    let values: Vec<String> = values.split(',').map(|v| v.trim().to_string()).collect();
    if key.is_empty() || values.iter().any(String::is_empty) {
        return Err(wrong());
    }
    Ok((named(key), values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_cut_at_the_first_equals_sign() {
        assert_eq!(set("a.b=c=d").unwrap(), ("a.b".into(), "c=d".into()));
        assert_eq!(set("a.\"b.c\"=\"d\"").unwrap(), ("a.b.c".into(), "\"d\"".into()));
        for wrong in ["", "a.b", "a.b=", "=c"] {
            assert!(matches!(set(wrong), Err(Failure::BadInput(_))), "{wrong}");
        }
    }

    #[test]
    fn an_axis_is_cut_at_its_commas() {
        let values = vec!["default".to_string(), "ring".into()];
        assert_eq!(axis("policy.x=default, ring").unwrap(), ("policy.x".into(), values));
        for wrong in ["policy", "a.b=", "a.b=1,,2", "=1"] {
            assert!(matches!(axis(wrong), Err(Failure::BadInput(_))), "{wrong}");
        }
    }
}
