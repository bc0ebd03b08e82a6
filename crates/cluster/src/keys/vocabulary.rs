//! The keys that scenarios of one system may have.
use super::{Key, Kind};
use crate::Values;
use crate::nearest;

/// The keys that scenarios of one system may have: shared ones and its own.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// As `[model] system` names it.
    pub system: &'static str,
    /// Its tables, in the order in which `tenbin check` prints them.
    pub tables: &'static [&'static [Key]],
    /// The name that a key has today: real systems rename theirs.
    pub renamed: fn(&str) -> String,
    /// Real keys that look like a misspelling of a modelled one, and are none.
    pub elsewhere: &'static [&'static str],
    /// Whether the real system reads site keys like this one; others are another system's.
    pub is_own: fn(&str) -> bool,
    /// Whether a key has a meaning in this scenario: some belong to something switched off.
    pub is_read: fn(&Values, &Key) -> bool,
    /// What the row of a comparison is called that is the scenario as it stands.
    pub now: fn(&Values) -> String,
}

impl Vocabulary {
    /// Keys without old names, all of them always read; the present row is called after `policy`.
    pub const fn plain(
        system: &'static str,
        tables: &'static [&'static [Key]],
        now: fn(&Values) -> String,
    ) -> Vocabulary {
        Vocabulary {
            system,
            tables,
            renamed: str::to_string,
            elsewhere: &[],
            is_own: |_| true,
            is_read: |_, _| true,
            now,
        }
    }

    /// The modelled key that a name of a real system's table is nearly, and so most likely is.
    pub fn misspelt(&self, table: &str, name: &str) -> Option<&'static str> {
        let key = format!("{table}.{name}");
        let modelled = self.all().map(|k| k.name).filter(|k| k.starts_with(table));
        let limit = (name.len() / 10).max(1);
        let near = nearest(&key, modelled)?;
        let is_near = crate::edit_distance(near, &key) <= limit;
        (is_near && !self.elsewhere.contains(&name)).then_some(near)
    }

    pub fn all(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.tables.iter().flat_map(|table| table.iter())
    }

    /// Names of the tables in which its keys stand, each once, and of those that are read apart.
    pub fn names_of_tables(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        let tables = self.all().filter_map(|key| key.name.split('.').next());
        for table in tables.chain(["compare", "variant"]).chain(SITES) {
            if !names.contains(&table) {
                names.push(table)
            }
        }
        names
    }

    /// The key of this name; a real system's old name counts as its new one, a numbered event's
    /// part as that of any.
    pub fn find(&self, name: &str) -> Option<&'static Key> {
        let name = match of_event(name) {
            Some((_, part)) => format!("event.{part}"),
            None => (self.renamed)(name),
        };
        self.all().find(|key| key.name == name)
    }

    /// The key of this name, or the setting that a real system's file has by it:
    /// `dfs.heartbeat.interval` is `hdfs-site.dfs.heartbeat.interval`.
    pub fn find_setting(&self, name: &str) -> Option<&'static Key> {
        let of_site = |site: &&str| self.find(&format!("{site}.{name}"));
        self.find(name).or_else(|| SITES.iter().find_map(of_site))
    }

    /// Whether two names mean one key: an old and a new one, or the only event's with and without
    /// its number.
    pub fn same(&self, a: &str, b: &str) -> bool {
        match (of_event(a), of_event(b)) {
            (Some((a, part)), Some((b, other))) => {
                part == other && a.unwrap_or(1) == b.unwrap_or(1)
            }
            _ => (self.renamed)(a) == (self.renamed)(b),
        }
    }

    /// How a comparison's row calls this value of this key: "multiplier 4", "ring", "event 2 at
    /// 740s".
    pub fn row_name(&self, key: &str, value: &str) -> String {
        if let Some((Some(number), part)) = of_event(key) {
            return format!("event {number} {part} {value}");
        }
        match self.find(key) {
            Some(key) if value == "1" && key.row.starts_with("{} ") => one_of(key.row),
            Some(key) if !key.row.is_empty() => key.row.replace("{}", value),
            _ => format!("{} {value}", key.rsplit('.').next().unwrap_or(key)),
        }
    }

    /// The choices of a key: `None` where it takes something else.
    pub fn choices(&self, name: &str) -> Option<&'static [&'static str]> {
        match self.find(name)?.kind {
            Kind::Choice(names) => Some(names),
            _ => None,
        }
    }
}

/// Tables of real systems' settings, each named after its file.
pub const SITES: [&str; 3] = ["hdfs-site", "yarn-site", "ozone-site"];

/// A part of an event: `event.at`, where there is one only, or `event[2].at`, of the second, as
/// `tenbin check` prints it.
pub fn of_event(name: &str) -> Option<(Option<usize>, &str)> {
    let rest = name.strip_prefix("event")?;
    if let Some(part) = rest.strip_prefix('.') {
        return Some((None, part));
    }
    let (number, part) = rest.strip_prefix('[')?.split_once("].")?;
    Some((Some(number.parse().ok().filter(|n| *n > 0)?), part))
}

/// "1 server" of "{} servers".
fn one_of(row: &str) -> String {
    let row = row.replacen("{}", "1", 1);
    let mut words: Vec<&str> = row.split(' ').collect();
    let plural = words.iter_mut().find(|word| word.ends_with('s'));
    if let Some(plural) = plural {
        if let Some(stem) = plural.strip_suffix("ies") {
            let one = format!("{stem}y");
            return row.replacen(*plural, &one, 1);
        }
        *plural = &plural[..plural.len() - 1]
    }
    words.join(" ")
}
