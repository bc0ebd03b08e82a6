//! The form of the cluster file.
use super::{Cluster, EXPECTED_ADDRESS, Growth, MOST_SERVERS, is_address};
use crate::Error;
use keys::is_fingerprint;
use serde::Deserialize;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

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
        let at = |span: Range<usize>, what: &str| {
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
        let (addresses, standbys) = servers_of(form.server, &at)?;
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
}

/// An error with the line of a part of the file.
type At<'a> = dyn Fn(Range<usize>, &str) -> Error + 'a;

/// Addresses and standbys by number.
fn servers_of(
    all: Vec<ServerForm>,
    at: &At<'_>,
) -> Result<(Vec<String>, Vec<Option<String>>), Error> {
    let mut addresses = vec![String::new(); all.len()];
    let (mut standbys, mut known) = (vec![None; all.len()], Vec::new());
    let last = addresses.len() - 1;
    for ServerForm { number, address, standby } in all {
        let (span, number) = (number.span(), number.into_inner());
        let Some(slot) = addresses.get_mut(number as usize) else {
            let what = format!("number: {number}: expected 0 to {last}");
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
            if known.contains(address) {
                let what = format!("{key}: {address}: two servers have this address");
                return Err(at(span, &what));
            }
            known.push(address.clone());
            Ok(address.clone())
        };
        *slot = check("address", &address)?;
        standbys[number as usize] = standby.map(|standby| check("standby", &standby)).transpose()?
    }
    Ok((addresses, standbys))
}

pub(super) fn check_growth(growth: &Growth, servers: u32) -> Result<(), String> {
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
