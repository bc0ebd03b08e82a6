//! The NameNode's address, for `hdfs dfsadmin -reconfig`.

/// Default RPC port (`HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT`).
const PORT: u16 = 8020;

/// Followed by ids with high availability.
const RPC: &str = "dfs.namenode.rpc-address";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct NameNodes {
    /// Values of `dfs.namenode.rpc-address` and its variants for high availability.
    rpc: Vec<String>,
    /// `fs.defaultFS` without scheme.
    default_fs: Option<String>,
    /// `dfs.nameservices`: names that are not hosts.
    pub(super) services: Vec<String>,
}

impl NameNodes {
    /// Records a property by its current name; true if it contains a NameNode's address.
    pub(super) fn property(&mut self, name: &str, value: &str) -> bool {
        let is_rpc =
            name.strip_prefix(RPC).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let is_of_namenodes = is_rpc || ["fs.defaultFS", "dfs.nameservices"].contains(&name);
        if value.contains("${") {
            return is_of_namenodes;
        }
        if is_rpc {
            self.rpc.extend(address(value).filter(|new| !self.rpc.contains(new)))
        } else if name == "fs.defaultFS" {
            let authority = value.strip_prefix("hdfs://").unwrap_or("");
            let authority = authority.split('/').next().unwrap_or("");
            self.default_fs = Some(authority.to_string()).filter(|a| !a.is_empty())
        } else if name == "dfs.nameservices" {
            self.services = value.split(',').map(|s| s.trim().to_string()).collect()
        }
        is_of_namenodes
    }

    /// (HOST:PORT, note if uncertain). `fsck`: the host of its first line.
    pub(super) fn address(&self, fsck: Option<&str>) -> (Option<String>, Option<String>) {
        match &self.rpc[..] {
            [only] => return (Some(only.clone()), None),
            [] => {}
            several => {
                let all = several.join(", ");
                let note = format!(
                    "{} NameNodes ({all}): run `hdfs dfsadmin -reconfig` for each",
                    several.len()
                );
                return (None, Some(note));
            }
        }
        let host = |fs: &&String| !self.services.contains(*fs);
        if let Some(found) = self.default_fs.as_ref().filter(host).and_then(|fs| address(fs)) {
            return (Some(found), None);
        }
        let Some(found) = fsck.and_then(address) else { return (None, None) };
        let note =
            format!("the NameNode is assumed to be {found}: fsck prints its host, not its port");
        (Some(found), Some(note))
    }
}

/// The host of `Connecting to namenode via http://nn1:9870/fsck?ugi=..`.
pub(super) fn of_fsck(line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line).ok()?;
    let url = text.strip_prefix("Connecting to namenode via ")?;
    let authority = url.split_once("://")?.1.split('/').next()?;
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    plain(host).then(|| host.to_string())
}

/// HOST:PORT with the default port added; `None` for a wildcard address.
fn address(text: &str) -> Option<String> {
    let text = text.trim();
    let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
    let port = if port.is_empty() { PORT } else { port.parse().ok()? };
    (plain(host) && host != "0.0.0.0").then(|| format!("{host}:{port}"))
}

/// True if `host` needs no quotes in a shell command.
fn plain(host: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || ".-_[]:".contains(c);
    !host.is_empty() && !host.starts_with('-') && host.chars().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_where_the_namenode_is() {
        let rpc = "dfs.namenode.rpc-address";
        let (ha1, ha2) = ("dfs.namenode.rpc-address.shop.nn1", "dfs.namenode.rpc-address.shop.nn2");
        type Case<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>, &'a str, &'a str);
        let table: [Case<'_>; 12] = [
            (&[], None, "-", ""),
            (&[(rpc, "nn1.shop:8025")], Some("nn9"), "nn1.shop:8025", ""),
            (&[(rpc, "nn1")], None, "nn1:8020", ""),
            (&[(rpc, "0.0.0.0:8020")], None, "-", ""),
            (&[(rpc, "${nn}:8020")], None, "-", ""),
            (&[(rpc, "a; rm -rf /:1")], None, "-", ""),
            (&[(ha1, "nn1:8020"), (ha2, "nn1:8020")], None, "nn1:8020", ""),
            (&[(ha1, "nn1:8020"), (ha2, "nn2:8020")], Some("nn1"), "-", "2 NameNodes"),
            (&[("fs.defaultFS", "hdfs://nn1:9000/")], None, "nn1:9000", ""),
            (&[("fs.defaultFS", "hdfs://shop"), ("dfs.nameservices", "shop")], None, "-", ""),
            (&[("fs.defaultFS", "file:///")], None, "-", ""),
            (&[], Some("nn1"), "nn1:8020", "assumed to be nn1:8020"),
        ];
        for (properties, fsck, expected, part) in table {
            let mut found = NameNodes::default();
            for (name, value) in properties {
                assert!(found.property(name, value), "{name}")
            }
            let (address, note) = found.address(fsck);
            assert_eq!(address.as_deref().unwrap_or("-"), expected, "{properties:?}");
            let note = note.unwrap_or_default();
            assert!(note.contains(part) && note.is_empty() == part.is_empty(), "{note}");
        }
    }

    #[test]
    fn fsck_names_a_host() {
        let line = b"Connecting to namenode via http://nn1.shop:9870/fsck?ugi=hdfs&path=%2F";
        assert_eq!(of_fsck(line).as_deref(), Some("nn1.shop"));
        assert_eq!(of_fsck(b"Connecting to namenode via x"), None);
        assert_eq!(of_fsck(b"FSCK started by hdfs"), None);
    }
}
