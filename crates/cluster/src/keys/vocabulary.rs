use super::{Key, Kind};
use crate::Values;
use crate::nearest;

/// Keys of one system's scenarios: shared ones and its own.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    pub system: &'static str,
    /// In the order of `tenbin check`.
    pub tables: &'static [&'static [Key]],
    /// Current name of a key: real systems rename keys.
    pub renamed: fn(&str) -> String,
    /// Valid keys of the real system that look like a misspelt modelled key.
    pub unmodelled_keys: &'static [&'static str],
    /// True if the real system reads this site key; others belong to another system.
    pub is_own: fn(&str) -> bool,
    /// False: the key has no meaning in this scenario, since its feature is off.
    pub is_read: fn(&Values, &Key) -> bool,
    /// Row name of the unchanged scenario in a comparison.
    pub now: fn(&Values) -> String,
}

impl Vocabulary {
    /// A vocabulary without old names whose keys are always read; the unchanged row is named after
    /// `policy`.
    pub const fn plain(
        system: &'static str,
        tables: &'static [&'static [Key]],
        now: fn(&Values) -> String,
    ) -> Vocabulary {
        Vocabulary {
            system,
            tables,
            renamed: str::to_string,
            unmodelled_keys: &[],
            is_own: |_| true,
            is_read: |_, _| true,
            now,
        }
    }

    /// The modelled key that a misspelt name most likely means.
    pub fn suggestion(&self, table: &str, name: &str) -> Option<&'static str> {
        let key = format!("{table}.{name}");
        let modelled = self.all().map(|k| k.name).filter(|k| k.starts_with(table));
        let limit = (name.len() / 10).max(1);
        let near = nearest(&key, modelled)?;
        let is_near = crate::edit_distance(near, &key) <= limit;
        (is_near && !self.unmodelled_keys.contains(&name)).then_some(near)
    }

    pub fn all(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.tables.iter().flat_map(|table| table.iter())
    }

    /// All tables, without duplicates, including those that are parsed separately.
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

    /// Also finds a key by its deprecated name, and an event's part by a numbered name.
    pub fn find(&self, name: &str) -> Option<&'static Key> {
        let name = match of_event(name) {
            Some((_, part)) => format!("event.{part}"),
            None => (self.renamed)(name),
        };
        self.all().find(|key| key.name == name)
    }

    /// Also finds a setting by its name in the real system: `dfs.heartbeat.interval` is
    /// `hdfs-site.dfs.heartbeat.interval`.
    pub fn find_setting(&self, name: &str) -> Option<&'static Key> {
        let of_site = |site: &&str| self.find(&format!("{site}.{name}"));
        self.find(name).or_else(|| SITES.iter().find_map(of_site))
    }

    /// True for the old and new name of a key, and for the only event with and without its number.
    pub fn same(&self, a: &str, b: &str) -> bool {
        match (of_event(a), of_event(b)) {
            (Some((a, part)), Some((b, other))) => {
                part == other && a.unwrap_or(1) == b.unwrap_or(1)
            }
            _ => (self.renamed)(a) == (self.renamed)(b),
        }
    }

    /// Row name of a value: "multiplier 4", "ring", "event 2 at 740s".
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

    /// `None`: the key has no fixed choices.
    pub fn choices(&self, name: &str) -> Option<&'static [&'static str]> {
        match self.find(name)?.kind {
            Kind::Choice(names) => Some(names),
            _ => None,
        }
    }
}

/// Tables of real systems' settings, named after their files.
pub const SITES: [&str; 3] = ["hdfs-site", "yarn-site", "ozone-site"];

/// (number, part) of an event's key: `event.at` of the only event, or `event[2].at`, as `tenbin
/// check` prints it.
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
