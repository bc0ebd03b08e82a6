use import::{Issue, issue, quote};
use std::path::Path;

/// Names of a DataNode that does not know its host.
const NAMELESS: [&str; 2] = ["localhost", "UndefinedDataNodeName"];

const ENDINGS: [&str; 4] = [".gz", ".zst", ".json", ".jmx"];

/// HOST:PORT of a bean's HOST-PORT (data transfer port); for a DataNode without a known name, the
/// page's file name without extensions.
pub(super) fn of(bean: &str, file: &str) -> Result<String, Issue> {
    let port = |text: &str| text.parse::<u16>().is_ok();
    let name = match bean.rsplit_once('-') {
        _ if NAMELESS.iter().any(|no| bean.starts_with(no)) => stem(file),
        Some((host, number)) if !host.is_empty() && port(number) => format!("{host}:{number}"),
        _ => bean.to_string(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:[]".contains(c);
    match !name.is_empty() && name.chars().all(plain) {
        true => Ok(name),
        false => {
            let found = format!("DataNodeActivity-{}", quote(bean.as_bytes()));
            Err(issue(found, "HOST-PORT after DataNodeActivity-"))
        }
    }
}

fn stem(file: &str) -> String {
    let mut name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    while let Some(end) = ENDINGS.iter().find(|end| name.ends_with(*end)) {
        name.truncate(name.len() - end.len())
    }
    name
}

pub(super) fn host(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(host, _)| host)
}

pub(super) fn some(names: &[&str]) -> String {
    const MOST: usize = 5;
    let first = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn beans_and_files_name_nodes() {
        let table = [
            ("dn-r2-05-9866", "x.json", "dn-r2-05:9866"),
            ("10.0.0.7-50010", "x.json", "10.0.0.7:50010"),
            ("evan.hadoop", "x.json", "evan.hadoop"),
            ("localhost-9866", "before/dn-7.example.com.json.gz", "dn-7.example.com"),
            ("UndefinedDataNodeName-12345", "dn-8.json", "dn-8"),
        ];
        for (bean, file, name) in table {
            assert_eq!(of(bean, file).as_deref(), Ok(name))
        }
        for bean in ["", "a,b-9866", "a\nb-9866", "#a-1"] {
            assert!(of(bean, "x.json").is_err(), "{bean:?}")
        }
    }
}
