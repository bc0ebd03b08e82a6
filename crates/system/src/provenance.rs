//! Origin of every result: hash and command.
use crate::program;

pub fn hash_text(hash: u128) -> String {
    format!("{hash:032x}")
}

/// The command as typed, with the bare program name and shell quotes.
pub fn command_line() -> String {
    let quoted = |word: String| {
        if word.is_empty() || word.contains([' ', '"', '\'', '$', '\\', '*']) {
            format!("'{}'", word.replace('\'', "'\\''"))
        } else {
            word
        }
    };
    let words = program::line().into_iter().skip(1);
    let words = words.map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("tenbin".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

/// `{key: value}`.
pub fn set_json(sets: &[(String, String)]) -> serde_json::Value {
    sets.iter().map(|(k, v)| (k.clone(), serde_json::Value::from(v.as_str()))).collect()
}
