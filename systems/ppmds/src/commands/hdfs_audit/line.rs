//! Parses a line of HDFS's audit log (`FSNamesystem.audit`): a time, then tab-separated
//! `key=value`.
use import::log4j;

#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    pub at_ms: i64,
    pub allowed: bool,
    /// User, address, and the caller context that the client sends.
    pub user: &'a str,
    pub address: &'a str,
    pub caller: &'a str,
    pub command: &'a str,
    pub from: Option<&'a str>,
    pub to: Option<&'a str>,
}

const KEYS: [&str; 9] =
    ["allowed=", "ugi=", "ip=", "cmd=", "src=", "dst=", "perm=", "proto=", "callerContext="];

/// `None`: the line is another logger's.
pub fn read(line: &str) -> Result<Option<Line<'_>>, String> {
    let Some(at) = line.find("allowed=") else { return Ok(None) };
    let Some((at_ms, _)) = log4j::stamp(line.as_bytes()) else {
        return Err("no time at the line's start: expected 2026-11-20 17:00:59,962 INFO …".into());
    };
    let rest = &line[at..];
    let value = |key: &str| value(rest, key).filter(|value| *value != "null");
    let command = value("cmd=").ok_or("no cmd=: the line is cut, or not an audit log's")?;
    // `rename (options=[OVERWRITE])`.
    let command = command.split_whitespace().next().unwrap_or(command);
    Ok(Some(Line {
        at_ms,
        allowed: value("allowed=") == Some("true"),
        user: value("ugi=").and_then(|ugi| ugi.split_whitespace().next()).unwrap_or(""),
        address: value("ip=").unwrap_or(""),
        caller: value("callerContext=").unwrap_or(""),
        command,
        from: value("src="),
        to: value("dst="),
    }))
}

/// The value ends at the next tab. Where tabs became spaces, it ends at the next key.
fn value<'a>(rest: &'a str, key: &str) -> Option<&'a str> {
    let begins = |(at, _): &(usize, &str)| {
        *at == 0 || rest[..*at].ends_with(|c: char| c.is_ascii_whitespace())
    };
    let (at, _) = rest.match_indices(key).find(begins)?;
    let value = &rest[at + key.len()..];
    let behind = |key: &&str| value.find(&format!(" {key}"));
    let end = match rest.contains('\t') {
        true => value.find('\t'),
        false => KEYS.iter().filter_map(behind).min(),
    };
    Some(value[..end.unwrap_or(value.len())].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABS: &str = "2026-11-28 09:00:00,123 INFO FSNamesystem.audit: allowed=true\tugi=alice \
                        (auth:SIMPLE)\tip=/10.0.0.1\tcmd=rename (options=[OVERWRITE])\tsrc=/a b/c\t\
                        dst=/d\tperm=alice:hdfs:rw-r--r--\tproto=rpc";

    #[test]
    fn tabs_and_what_became_of_them() {
        let line = read(TABS).unwrap().expect("it is one");
        assert_eq!((line.user, line.address, line.command), ("alice", "/10.0.0.1", "rename"));
        assert_eq!((line.from, line.to, line.allowed), (Some("/a b/c"), Some("/d"), true));
        let spaces = TABS.replace('\t', " ");
        assert_eq!(read(&spaces).unwrap(), read(TABS).unwrap());
        assert_eq!(read(&TABS.replace("dst=/d", "dst=null")).unwrap().expect("one").to, None);
    }

    #[test]
    fn other_loggers_and_damage() {
        assert_eq!(read("2026-11-28 09:00:00,123 INFO BlockStateChange: BLOCK* x"), Ok(None));
        assert!(read("INFO FSNamesystem.audit: allowed=true\tcmd=open").is_err());
        assert!(
            read("2026-11-28 09:00:00,123 INFO FSNamesystem.audit: allowed=true\tugi=a").is_err()
        );
    }
}
