//! The cluster file: the servers of one service, and how directories are placed on them.
use crate::Error;
use keys::{Keys, is_fingerprint};
use ppmds_protocol::{
    HashPlacement, Ino, List, Options, Placement, Reads, Servers, Spread, contention,
};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::Path;
use toml::Spanned;

/// Servers of a cluster; a client's id contains its server's number.
pub const MOST_SERVERS: u32 = 64;

/// What nodes and clients must agree on. It is fixed for the life of a cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Layout {
    pub cluster: u64,
    /// Servers of the new cluster: each inode has its home on one of them for ever.
    pub homes: u32,
    /// Servers of the root, and of a new directory of the new cluster.
    pub spread: u32,
}

impl Layout {
    pub fn placement(&self) -> Places {
        Places { homes: self.homes, active: (0..self.homes).collect(), spread: self.spread }
    }
}

/// Each directory is on `spread` consecutive ones of the active servers, by the hash of the names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    pub homes: u32,
    /// In ascending order.
    pub active: Vec<u32>,
    pub spread: u32,
}

impl Placement for Places {
    fn home(&self, ino: Ino) -> u32 {
        HashPlacement { servers: self.homes, spread: self.spread }.home(ino)
    }

    fn list(&self, directory: Ino) -> List {
        let count = u32::try_from(self.active.len()).expect("at most 64 servers");
        let places = HashPlacement { servers: count, spread: self.spread };
        let all = places.run(directory, self.spread);
        let servers = match self.active.last() {
            Some(last) if last + 1 != count => {
                Servers::from(all.iter().map(|at| self.active[at as usize]).collect::<Vec<_>>())
            }
            _ => all,
        };
        List::new(Spread::Hash, servers)
    }
}

/// What `meta add` and `meta remove` have changed since the cluster was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// Grows with each change.
    pub version: u64,
    pub homes: u32,
    /// Servers of a new directory.
    pub spread: u32,
    /// Servers that get no new directories, and those that are gone.
    #[serde(default)]
    pub leaving: Vec<u32>,
    #[serde(default)]
    pub removed: Vec<u32>,
}

/// The servers of a cluster that has grown, as nodes keep it and clients learn it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Members {
    pub growth: Growth,
    pub addresses: Vec<String>,
    pub standbys: Vec<Option<String>>,
}

#[derive(Clone, Debug)]
pub struct Cluster {
    pub id: u64,
    pub spread: u32,
    /// Answers state the rows seen, for `tenbin check-history`.
    pub evidence: bool,
    /// HOST:PORT of each server, by number.
    pub addresses: Vec<String>,
    /// HOST:PORT of each server's standby, by number.
    pub standbys: Vec<Option<String>>,
    /// `None`: the servers are those of the new cluster.
    pub growth: Option<Growth>,
    /// Fingerprints of certificates that nodes and clients reject.
    pub revoked: Vec<String>,
    /// This party's, which the file does not have. `None`: no encryption, no authentication.
    pub keys: Option<Keys>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    cluster: Spanned<String>,
    servers_per_directory: Option<Spanned<u32>>,
    #[serde(default)]
    evidence: bool,
    #[serde(default)]
    revoked: Vec<Spanned<String>>,
    growth: Option<Spanned<Growth>>,
    server: Vec<ServerForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerForm {
    number: Spanned<u32>,
    address: Spanned<String>,
    standby: Option<Spanned<String>>,
}

impl Cluster {
    /// A new cluster with a random id. Each directory is on all servers.
    ///
    /// # Errors
    /// No or too many servers, an invalid address, or one that occurs twice.
    pub fn new(addresses: Vec<String>) -> Result<Cluster, Error> {
        let none = vec![None; addresses.len()];
        Cluster::with_standbys(addresses, none)
    }

    /// The same, with a standby for some servers.
    pub fn with_standbys(
        addresses: Vec<String>,
        standbys: Vec<Option<String>>,
    ) -> Result<Cluster, Error> {
        let bad = |text: String| Err(Error::BadInput(text));
        let count = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
        if !(1..=MOST_SERVERS).contains(&count) {
            return bad(format!("{count} servers: expected 1 to {MOST_SERVERS}"));
        }
        if standbys.len() != addresses.len() {
            return bad(format!("{} standbys: expected {count}", standbys.len()));
        }
        let all: Vec<&String> = addresses.iter().chain(standbys.iter().flatten()).collect();
        for (at, address) in all.iter().enumerate() {
            if !is_address(address) {
                return bad(format!("{address:?}: {EXPECTED_ADDRESS}"));
            }
            if all[..at].contains(address) {
                return bad(format!("{address}: two servers have this address"));
            }
        }
        let id = getrandom::u64().map_err(|e| Error::Failed(format!("no random id: {e}")))?;
        let (evidence, revoked, growth, keys) = (false, Vec::new(), None, None);
        Ok(Cluster { id, spread: count, evidence, addresses, standbys, growth, revoked, keys })
    }

    /// # Errors
    /// The file cannot be read, or a key is invalid: file, line, key and what is expected.
    pub fn read(path: &Path) -> Result<Cluster, Error> {
        let place = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| {
            let hint = "make one with `tenbin meta init`";
            Error::BadInput(format!("{place}: {e}: {hint}"))
        })?;
        Cluster::parse(&text, &place.to_string())
    }

    pub fn parse(text: &str, place: &str) -> Result<Cluster, Error> {
        let at = |span: std::ops::Range<usize>, what: &str| {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            Error::BadInput(format!("{place}:{line}: {what}"))
        };
        let form: FileForm = toml::from_str(text).map_err(|e| {
            let expected = "expected cluster, [servers_per_directory], [evidence], [revoked], \
                            [growth], [[server]]";
            let message = e.message().trim_end().replace('\n', ", ");
            at(e.span().unwrap_or(0..0), &format!("{message}: {expected}"))
        })?;
        let count = u32::try_from(form.server.len()).unwrap_or(u32::MAX);
        if !(1..=MOST_SERVERS).contains(&count) {
            let what = format!("server: {count} servers: expected 1 to {MOST_SERVERS}");
            return Err(at(0..0, &what));
        }
        let id = parse_id(form.cluster.get_ref());
        let id = id.ok_or_else(|| {
            let what = format!("cluster: {:?}: expected 16 hex digits", form.cluster.get_ref());
            at(form.cluster.span(), &what)
        })?;
        let spread = match &form.servers_per_directory {
            Some(spread) if !(1..=count).contains(spread.get_ref()) => {
                let (is, span) = (spread.get_ref(), spread.span());
                let what = format!("servers_per_directory: {is}: expected 1 to {count}");
                return Err(at(span, &what));
            }
            Some(spread) => *spread.get_ref(),
            None => count,
        };
        let mut addresses = vec![String::new(); form.server.len()];
        let (mut standbys, mut all) = (vec![None; form.server.len()], Vec::new());
        for ServerForm { number, address, standby } in form.server {
            let (span, number) = (number.span(), number.into_inner());
            let Some(slot) = addresses.get_mut(number as usize) else {
                let what = format!("number: {number}: expected 0 to {}", count - 1);
                return Err(at(span, &what));
            };
            if !slot.is_empty() {
                return Err(at(span, &format!("number: {number}: two servers have this number")));
            }
            let mut check = |key: &str, address: &Spanned<String>| {
                let (span, address) = (address.span(), address.get_ref());
                if !is_address(address) {
                    return Err(at(span, &format!("{key}: {address:?}: {EXPECTED_ADDRESS}")));
                }
                if all.contains(address) {
                    let what = format!("{key}: {address}: two servers have this address");
                    return Err(at(span, &what));
                }
                all.push(address.clone());
                Ok(address.clone())
            };
            *slot = check("address", &address)?;
            standbys[number as usize] =
                standby.map(|standby| check("standby", &standby)).transpose()?
        }
        for one in &form.revoked {
            if !is_fingerprint(one.get_ref()) {
                let what =
                    format!("revoked: {:?}: expected the 32 digits printed by", one.get_ref());
                return Err(at(one.span(), &format!("{what} `tenbin relay keys add`")));
            }
        }
        let revoked = form.revoked.into_iter().map(Spanned::into_inner).collect();
        let (evidence, keys) = (form.evidence, None);
        let growth = match form.growth {
            Some(growth) => {
                let span = growth.span();
                let growth = growth.into_inner();
                check_growth(&growth, count).map_err(|what| at(span, &what))?;
                Some(growth)
            }
            None => None,
        };
        Ok(Cluster { id, spread, evidence, addresses, standbys, growth, revoked, keys })
    }

    /// With the keys of a party's folder, as of `tenbin relay keys add`.
    ///
    /// # Errors
    /// A file is missing or invalid.
    pub fn with_keys(self, folder: &Path) -> Result<Cluster, Error> {
        let keys = Some(Keys::read(folder)?.without(self.revoked.iter().cloned()));
        Ok(Cluster { keys, ..self })
    }

    pub fn layout(&self) -> Layout {
        let homes = self.growth.as_ref().map_or(self.servers(), |growth| growth.homes);
        Layout { cluster: self.id, homes, spread: self.spread }
    }

    /// Where servers put new directories.
    pub fn placement(&self) -> Places {
        let Some(growth) = &self.growth else { return self.layout().placement() };
        let is_active = |n: &u32| !growth.leaving.contains(n) && !growth.removed.contains(n);
        let active = (0..self.servers()).filter(is_active).collect();
        Places { homes: growth.homes, active, spread: growth.spread }
    }

    /// Numbers of the servers that are not removed.
    pub fn numbers(&self) -> Vec<u32> {
        let removed = self.growth.as_ref().map(|growth| &growth.removed);
        (0..self.servers()).filter(|n| removed.is_none_or(|gone| !gone.contains(n))).collect()
    }

    /// 0: the cluster has not grown.
    pub fn version(&self) -> u64 {
        self.growth.as_ref().map_or(0, |growth| growth.version)
    }

    /// `None`: the cluster has not grown.
    pub fn members(&self) -> Option<Members> {
        let Cluster { growth, addresses, standbys, .. } = self;
        let (addresses, standbys) = (addresses.clone(), standbys.clone());
        growth.clone().map(|growth| Members { growth, addresses, standbys })
    }

    /// With these servers if they are later than this cluster's.
    pub fn with_members(self, members: Option<Members>) -> Cluster {
        match members {
            Some(Members { growth, addresses, standbys }) if growth.version > self.version() => {
                Cluster { growth: Some(growth), addresses, standbys, ..self }
            }
            _ => self,
        }
    }

    pub fn servers(&self) -> u32 {
        u32::try_from(self.addresses.len()).expect("at most 64")
    }

    /// The addresses at which a server may be: its standby's once that is promoted.
    pub fn places(&self, server: u32) -> impl Iterator<Item = &String> {
        let at = server as usize;
        std::iter::once(&self.addresses[at]).chain(&self.standbys[at])
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "# A metadata service. `tenbin meta add` and `remove` change its servers.\n\
             cluster = \"{:016x}\"\nservers_per_directory = {}\n",
            self.id, self.spread
        );
        if self.evidence {
            text += "# Answers state the rows seen, for `tenbin check-history`.\nevidence = true\n"
        }
        if !self.revoked.is_empty() {
            let _ = writeln!(text, "revoked = {:?}", self.revoked);
        }
        if let Some(Growth { version, homes, spread, leaving, removed }) = &self.growth {
            let _ = write!(
                text,
                "\n[growth]\nversion = {version}\nhomes = {homes}\nspread = {spread}\n\
                 leaving = {leaving:?}\nremoved = {removed:?}\n"
            );
        }
        for (number, address) in self.addresses.iter().enumerate() {
            let _ = write!(text, "\n[[server]]\nnumber = {number}\naddress = \"{address}\"\n");
            if let Some(standby) = &self.standbys[number] {
                let _ = writeln!(text, "standby = \"{standby}\"");
            }
        }
        text
    }

    /// The protocol's options, the same on all nodes and clients.
    pub fn options(&self) -> Options {
        options(self.evidence)
    }
}

/// Transactions wait and resend as in `scenarios/ppmds.toml`, but resend earlier: a round trip
/// takes less than its 200 ms.
pub fn options(evidence: bool) -> Options {
    Options {
        by_server: true,
        reads: Reads::Shared,
        contention: contention::ALL[0],
        wait: 1_000_000,
        resend_base_ns: Some(50_000_000),
        evidence,
        contents: true,
    }
}

fn check_growth(growth: &Growth, servers: u32) -> Result<(), String> {
    let Growth { homes, spread, leaving, removed, .. } = growth;
    let within = |key: &str, value: u32| match (1..=servers).contains(&value) {
        true => Ok(()),
        false => Err(format!("growth.{key}: {value}: expected 1 to {servers}")),
    };
    within("homes", *homes)?;
    within("spread", *spread)?;
    match leaving.iter().chain(removed).find(|n| !(*homes..servers).contains(n)) {
        Some(n) => Err(format!("growth: server {n}: only {homes} to {} can leave", servers - 1)),
        None => Ok(()),
    }
}

fn parse_id(text: &str) -> Option<u64> {
    let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { u64::from_str_radix(text, 16).ok() } else { None }
}

const EXPECTED_ADDRESS: &str = "expected HOST:PORT, as in 127.0.0.1:7500";

fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit())
        && port.parse::<u16>().is_ok_and(|port| port > 0);
    let is_v6 = host.starts_with('[') && host.ends_with(']');
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    is_port && !host.is_empty() && (is_v6 || host.bytes().all(is_host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Cluster {
        let addresses = (0..3).map(|n| format!("127.0.0.1:{}", 7_500 + n)).collect();
        Cluster::new(addresses).unwrap()
    }

    #[test]
    fn a_file_that_is_written_is_read() {
        let revoked = vec!["0123456789abcdef".repeat(2)];
        let standbys = vec![None, Some(String::from("127.0.0.1:7601")), None];
        let cluster = Cluster { evidence: true, spread: 2, standbys, revoked, ..three() };
        let read = Cluster::parse(&cluster.text(), "c.toml").unwrap();
        assert_eq!(format!("{read:?}"), format!("{cluster:?}"))
    }

    #[test]
    fn an_error_names_line_and_key() {
        let good = three().text();
        for (from, to, words) in [
            ("cluster = \"", "cluster = \"x", "c.toml:2: cluster: \"x"),
            ("servers_per_directory = 3", "servers_per_directory = 4", "c.toml:3: servers_per"),
            ("number = 1", "number = 3", "c.toml:10: number: 3: expected 0 to 2"),
            ("number = 1", "number = 0", "c.toml:10: number: 0: two servers"),
            ("127.0.0.1:7501", "127.0.0.1", "c.toml:11: address: \"127.0.0.1\": expected HOST"),
            ("127.0.0.1:7501", "127.0.0.1:7500", "c.toml:11: address: 127.0.0.1:7500: two"),
            ("number = 2", "standby = \"127.0.0.1:7501\"\nnumber = 2", "c.toml:14: standby: 127"),
            ("number = 2", "numbre = 2", "c.toml:14: unknown field `numbre`"),
            ("number = 2", "number = \"a", "c.toml:14: "),
        ] {
            let Err(Error::BadInput(why)) = Cluster::parse(&good.replace(from, to), "c.toml")
            else {
                panic!("{to} is accepted")
            };
            assert!(why.starts_with(words), "{to}: {why}")
        }
        assert!(Cluster::new(vec!["a:1".into(), "a:1".into()]).is_err())
    }
}
