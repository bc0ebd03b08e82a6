//! Shortens messages of logs for use in a sentence.

/// Maximum length \[characters\].
const MOST: usize = 150;

/// Strips times, process IDs, attempt IDs and packages of classes.
pub(super) fn short(text: &str) -> String {
    let text = text.trim().trim_start_matches("Error: ");
    let dated = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let text = match text.strip_prefix('[').filter(|rest| dated(rest)) {
        Some(rest) => rest.split_once(']').map_or(text, |(_, rest)| rest),
        None => text,
    };
    let text = match (text.find("[pid="), text.find("[pid=").map(|at| text[at..].find(']'))) {
        (Some(from), Some(Some(length))) => {
            format!("{}{}", &text[..from], &text[from + length + 1..])
        }
        _ => text.to_string(),
    };
    let named = |word: &&str| !word.starts_with("AttemptID:");
    let words: Vec<String> = text.split_whitespace().filter(named).map(class).collect();
    let said = words.join(" ").replace("; Caused by: ", ", since ");
    let said = said.trim_start_matches("Error: ").trim_end_matches([';', ',']);
    let shown: String = said.chars().take(MOST).collect();
    if shown.len() < said.len() { shown.trim_end().to_string() + "…" } else { shown }
}

/// `org.apache.hadoop.mapred.Shuffle$ShuffleError:` → `ShuffleError:`; other words stay.
fn class(word: &str) -> String {
    let parts: Vec<&str> = word.split('.').collect();
    let is_package = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    match parts.split_last() {
        Some((name, packages))
            if packages.len() >= 2
                && packages.iter().all(is_package)
                && name.starts_with(|c: char| c.is_ascii_uppercase()) =>
        {
            name.rsplit('$').next().unwrap_or(name).to_string()
        }
        _ => word.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_message_keeps_its_cause() {
        let memory = "[2026-11-26 05:39:01.123]Container [pid=1,containerID=container_1_01] is \
                      running 52428800B beyond the 'PHYSICAL' memory limit.";
        assert_eq!(
            short(memory),
            "Container is running 52428800B beyond the 'PHYSICAL' memory limit."
        );
        let shuffle = "Error: org.apache.hadoop.mapreduce.task.reduce.Shuffle$ShuffleError: error \
                       in shuffle; Caused by: java.io.IOException: Exceeded MAX; bailing-out.";
        assert_eq!(
            short(shuffle),
            "ShuffleError: error in shuffle, since IOException: Exceeded MAX; bailing-out."
        );
        assert_eq!(short("AttemptID:attempt_1_m_0 Timed out"), "Timed out");
        assert_eq!(short("java.io: x"), "java.io: x");
        assert_eq!(short(&"é".repeat(200)).chars().count(), 151)
    }
}
