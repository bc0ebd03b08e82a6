//! Lines for `hdfs-site.xml`: what each changes, how to apply and undo it, and whether the property
//! is already in the file.
use super::answer::Answer;
use super::jar;
use super::knob::Knob;
use super::point::Point;
use crate::about;
use cluster::Origin;
use hdfs_reading::advice::{self, ApplyMode};
use hdfs_reading::releases;
use hdfs_scenario::{Scenario, keys};
use system::plan::runbook::{Edit, Restore};

/// A changed setting in words.
pub struct SettingChange {
    pub key: &'static str,
    /// "2 → 8"
    pub change: String,
    pub how: String,
    pub undo: String,
}

/// The target cluster, as far as the import has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place<'a> {
    /// The NameNode's RPC address.
    pub namenode: Option<&'a str>,
    /// Version of Hadoop.
    pub hadoop: Option<&'a str>,
}

pub fn lines(point: &Point, now: &Point, place: Place<'_>) -> Vec<SettingChange> {
    let line = |(knob, old, new): (Knob, u64, u64)| {
        let how = how(knob, new, place);
        let undo = match (knob, old) {
            (Knob::Bandwidth, 0) => "0 (no limit), in the same way".into(),
            // In Hadoop's unit, not formatted.
            _ => format!("{old}, in the same way"),
        };
        let (old, new) = (knob.words(old), knob.words(new));
        let key = releases::name_in(knob.key(), place.hadoop);
        SettingChange { key, change: format!("{old} → {new}"), how, undo }
    };
    point.changes(now).map(line).collect()
}

/// How a value takes effect; for an unknown version, the first that applies it live.
fn how(knob: Knob, value: u64, place: Place<'_>) -> String {
    let since = releases::since_words(knob.key());
    let live = match (place.hadoop, &since) {
        (None, Some(since)) if knob == Knob::Bandwidth => {
            format!("only with Hadoop {since} or later: live")
        }
        (None, Some(since)) => format!("live from Hadoop {since} on, else restart"),
        _ => "live".into(),
    };
    let old = match (place.hadoop, &since) {
        (Some(version), Some(since)) => {
            format!(" (Hadoop {version}; {since} change this live)")
        }
        _ => String::new(),
    };
    match advice::apply_key(knob.key(), place.hadoop) {
        ApplyMode::Live => {
            let namenode = place.namenode.unwrap_or("HOST:PORT");
            format!("{live}: hdfs dfsadmin -reconfig namenode {namenode} start")
        }
        ApplyMode::LiveDataNodes => {
            format!("{live}: hdfs dfsadmin -reconfig datanode HOST:PORT start")
        }
        ApplyMode::LiveBalancer => format!("live: hdfs dfsadmin -setBalancerBandwidth {value}"),
        ApplyMode::NameNode => format!("restart of the NameNode{old}"),
        ApplyMode::DataNodes => format!("restart of the DataNodes{old}"),
    }
}

/// The site file that the fragment goes into, and caveats about the figures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// Real keys in the file.
    has: Vec<String>,
    /// Keys marked `<final>`.
    finals: Vec<String>,
    /// Names in the file of properties that have an old name.
    names: Vec<String>,
    /// Version of Hadoop that reads it.
    hadoop: Option<String>,
    /// Caveats about the figures: "block map synthesised".
    pub(super) doubts: Vec<String>,
}

impl Site {
    pub fn of(scenario: &Scenario) -> Site {
        let imported =
            scenario.settings.iter().filter(|s| matches!(s.origin, Origin::Imported { .. }));
        let has = imported.filter_map(|s| s.key.strip_prefix("hdfs-site.").map(str::to_string));
        let file = about::imported(scenario);
        let (finals, names, hadoop) =
            file.map_or_else(Default::default, |file| (file.finals, file.site_names, file.hadoop));
        Site { has: has.collect(), finals, names, hadoop, doubts: about::caveats(scenario) }
    }

    fn is_final(&self, key: &str) -> bool {
        self.finals.iter().any(|known| known == key)
    }

    /// Where to put the property. The import also accepts old names; if it does not report which
    /// one the file has, the text names the candidates.
    fn place(&self, key: &str) -> String {
        let said = self.what_to_do(key).to_string();
        let written = releases::name_in(key, self.hadoop.as_deref());
        let old: Vec<&str> = keys::old_names(key).collect();
        let stands = |name: &&str| *name == key || old.contains(name);
        let there: Vec<&str> = self.names.iter().map(String::as_str).filter(stands).collect();
        let others: Vec<&str> = old.iter().copied().filter(|name| *name != written).collect();
        if !self.has.iter().any(|known| known == key) || (there.is_empty() && others.is_empty()) {
            return said;
        }
        match there.as_slice() {
            [] => {
                let what = if others.len() > 1 { "old names" } else { "its old name" };
                let names = others.join(" or ");
                format!("{said}; if the file has {names}, {what}, replace that one")
            }
            [one] if *one == written => said,
            [one] => format!("{said}; the file has {one}: the same property by another name"),
            all => format!("{said}; the file has {}: replace all of them", all.join(" and ")),
        }
    }

    fn what_to_do(&self, key: &str) -> &'static str {
        match self.has.iter().any(|known| known == key) {
            true if self.is_final(key) => {
                "replace the existing property: it is final, so Hadoop would ignore a second one"
            }
            true => "replace the existing property, do not add a second one",
            false => "not in the imported site file: add the property, or replace an existing one",
        }
    }
}

/// Lines of the recommended settings, with where each goes.
pub fn edits(answer: &Answer, place: Place<'_>, site: &Site) -> Vec<Edit> {
    let (point, now) = (&answer.recommended().point, &answer.now.point);
    // An XML comment cannot contain two hyphens, as names in punycode do.
    let namenode = place.namenode.filter(|name| !name.contains("--"));
    let place = Place { namenode, ..place };
    let edit = |((knob, old, new), line): ((Knob, u64, u64), SettingChange)| {
        let key = knob.key();
        let mut notes = vec![format!("{}; to undo: {}", line.how, line.undo)];
        if answer.unproven.contains(&knob) {
            notes.push("no gain shown: the other changes may suffice".into())
        }
        notes.push(site.place(key));
        Edit {
            key: line.key.into(),
            value: new.to_string(),
            change: line.change,
            notes,
            is_final: site.is_final(key),
            back: match site.has.iter().any(|known| known == key) {
                true => Restore::Value(old.to_string()),
                false => Restore::Remove(old.to_string()),
            },
        }
    };
    let settings = point.changes(now).zip(lines(point, now, place)).map(edit);
    settings.chain(jar::edits(point, now)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_replaced_where_it_stands() {
        let site = Site {
            has: vec!["dfs.a".into(), "dfs.b".into()],
            finals: vec!["dfs.b".into()],
            ..Site::default()
        };
        assert!(site.place("dfs.a").starts_with("replace the existing property, do not add"));
        assert!(site.place("dfs.b").contains("it is final"));
        assert!(site.place("dfs.c").starts_with("not in the imported site file"));
        assert!(site.is_final("dfs.b") && !site.is_final("dfs.a"));
        let key = "dfs.namenode.reconstruction.pending.timeout-sec";
        let site = Site { has: vec![key.into()], ..Site::default() };
        let either = "as dfs.replication.pending.timeout.sec or \
                      dfs.namenode.replication.pending.timeout-sec, old names, replace that one";
        assert!(site.place(key).contains(either), "{}", site.place(key));
        assert!(!Site::default().place(key).contains("old name"));
    }

    /// A second property next to a final one has no effect, under any of its names.
    #[test]
    fn a_property_is_found_by_the_name_it_stands_by() {
        let key = "dfs.namenode.redundancy.interval.seconds";
        let of = |names: &[&str], hadoop: Option<&str>| {
            let names = names.iter().map(|name| (*name).into()).collect();
            let hadoop = hadoop.map(str::to_string);
            Site { has: vec![key.into()], names, hadoop, ..Site::default() }.place(key)
        };
        let (first, second) = ("dfs.replication.interval", "dfs.namenode.replication.interval");
        assert!(of(&[first], None).contains(&format!("the file has {first}: ")));
        let both = of(&[second, first, "dfs.max-repl-streams"], None);
        assert!(both.contains(&format!("has {second} and {first}: replace all")), "{both}");
        // In Hadoop 2 the second is the current name.
        assert!(!of(&[second], Some("2.7.3")).contains("the file has"));
        assert!(of(&[second], Some("3.3.6")).contains(&format!("the file has {second}: ")));
        assert!(of(&[], Some("2.7.3")).contains(&format!("has {first}, its old name, replace")));
    }
}
