//! The namespace that a log implies: which paths are directories, and their entries.
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

/// Operation of PPMDS, path, new path of a rename.
pub type Step = (&'static str, String, Option<String>);

#[derive(Clone, Copy)]
struct Known {
    directory: bool,
    /// The log created it, so all its entries are known.
    made: bool,
}

/// Paths that exist, as far as the log shows.
#[derive(Default)]
pub struct Names(BTreeMap<String, Known>);

impl Names {
    /// Translates a command of HDFS; `None`: no counterpart. Creates missing parents first, as HDFS
    /// does. Deletes a directory bottom-up with all known entries. A rename into a directory keeps
    /// the name.
    pub fn steps(&mut self, command: &str, from: &str, to: Option<&str>) -> Option<Vec<Step>> {
        let from = clean(from);
        let one = |op| Some(vec![(op, from.clone(), None)]);
        match command {
            "getfileinfo" => one("stat"),
            "open" | "getblocklocations" => one("lookup"),
            "listStatus" if self.0.get(&from).is_some_and(|known| !known.directory) => one("stat"),
            "listStatus" => {
                self.way(&from);
                self.add(&from, true, false);
                one("readdir")
            }
            "create" => Some(self.make("create", from)),
            "mkdirs" => Some(self.make("mkdir", from)),
            "setPermission" | "setOwner" | "setTimes" | "setReplication" | "append"
            | "truncate" | "concat" | "setStoragePolicy" | "setAcl" | "modifyAclEntries"
            | "removeAcl" | "setXAttr" | "removeXAttr" => one("setattr"),
            "delete" => Some(self.delete(&from)),
            "rename" => Some(vec![self.rename(from, &clean(to?))]),
            _ => None,
        }
    }

    fn add(&mut self, path: &str, directory: bool, made: bool) {
        let known = self.0.entry(path.to_string()).or_insert(Known { directory, made });
        known.directory |= directory
    }

    /// Parents that are missing below a directory that the log created.
    fn way(&mut self, path: &str) -> Vec<String> {
        let (mut missing, mut in_made) = (Vec::new(), false);
        for (at, _) in path.match_indices('/').skip(1) {
            let above = &path[..at];
            match self.0.get(above) {
                Some(known) => in_made = known.made,
                None if in_made => missing.push(above.to_string()),
                None => {}
            }
            self.add(above, true, in_made)
        }
        missing
    }

    fn make(&mut self, op: &'static str, path: String) -> Vec<Step> {
        let above = self.way(&path).into_iter().map(|above| ("mkdir", above, None));
        let steps = above.chain([(op, path.clone(), None)]).collect();
        self.add(&path, op == "mkdir", true);
        steps
    }

    fn below(&self, directory: &str) -> Vec<(String, Known)> {
        let first = format!("{directory}/");
        let range = self.0.range::<str, _>((Excluded(first.as_str()), Unbounded));
        let all = range.take_while(|(path, _)| path.starts_with(&first));
        all.map(|(path, known)| (path.clone(), *known)).collect()
    }

    fn delete(&mut self, path: &str) -> Vec<Step> {
        let nothing = Known { directory: false, made: false };
        let itself = self.0.get(path).copied().unwrap_or(nothing);
        let below = self.below(path);
        let all = below.into_iter().rev().chain([(path.to_string(), itself)]);
        let step = |(path, known): (String, Known)| {
            self.0.remove(&path);
            (if known.directory { "rmdir" } else { "unlink" }, path, None)
        };
        all.map(step).collect()
    }

    fn rename(&mut self, from: String, to: &str) -> Step {
        let name = from.rsplit('/').next().unwrap_or(&from);
        let to = match self.0.get(to) {
            Some(known) if known.directory => format!("{to}/{name}"),
            _ => to.to_string(),
        };
        self.way(&from);
        self.way(&to);
        let itself = self.0.remove(&from).unwrap_or(Known { directory: false, made: false });
        for (path, known) in self.below(&from) {
            self.0.remove(&path);
            self.0.insert(format!("{to}{}", &path[from.len()..]), known);
        }
        self.0.insert(to.clone(), itself);
        ("rename", from, Some(to))
    }
}

fn clean(path: &str) -> String {
    path.trim_end_matches('/').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(op: &'static str, path: &str) -> Step {
        (op, path.into(), None)
    }

    #[test]
    fn a_directory_is_deleted_with_what_is_in_it() {
        let mut names = Names::default();
        for (command, path) in [("mkdirs", "/a/b"), ("create", "/a/b/c/f"), ("create", "/a/bc")] {
            names.steps(command, path, None);
        }
        let steps = names.steps("delete", "/a/b", None).expect("known");
        let expected = [("unlink", "/a/b/c/f"), ("rmdir", "/a/b/c"), ("rmdir", "/a/b")];
        assert_eq!(steps, expected.map(|(op, path)| step(op, path)));
        assert_eq!(names.steps("delete", "/a/bc", None), Some(vec![step("unlink", "/a/bc")]));
    }

    #[test]
    fn what_is_missing_in_a_new_directory_is_made_with_the_file() {
        let mut names = Names::default();
        names.steps("mkdirs", "/user/out", None);
        let steps = names.steps("create", "/user/out/a/b/f", None).expect("known");
        let all =
            [("mkdir", "/user/out/a"), ("mkdir", "/user/out/a/b"), ("create", "/user/out/a/b/f")];
        assert_eq!(steps, all.map(|(op, path)| step(op, path)));
        assert_eq!(names.steps("create", "/user/x/f", None).map(|all| all.len()), Some(1));
    }

    #[test]
    fn a_rename_into_a_directory_keeps_the_name_and_takes_all_along() {
        let mut names = Names::default();
        for (command, path) in [("create", "/tmp/job/f"), ("mkdirs", "/done")] {
            names.steps(command, path, None);
        }
        let step = names.steps("rename", "/tmp/job", Some("/done/")).expect("known");
        assert_eq!(step, [("rename", "/tmp/job".into(), Some("/done/job".to_string()))]);
        let gone = names.steps("delete", "/done/job", None).expect("known");
        assert_eq!(gone.len(), 2);
        assert_eq!(names.steps("contentSummary", "/done", None), None);
    }

    #[test]
    fn what_is_known_to_be_a_file_is_looked_at() {
        let mut names = Names::default();
        names.steps("create", "/f", None);
        assert_eq!(names.steps("listStatus", "/f", None), Some(vec![step("stat", "/f")]));
        assert_eq!(names.steps("listStatus", "/d", None), Some(vec![step("readdir", "/d")]));
    }
}
