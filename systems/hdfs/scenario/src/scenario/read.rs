//! Reading a scenario.
use super::Scenario;
use super::assemble::{Assembled, assemble};
use super::import::Imports;
use crate::keys;
use cluster::document::{Document, Entry, Item, Place};
use cluster::read_text;
use cluster::sheet::read::{loose, set_entries};
use cluster::sheet::variants::{self, Base as Rows, Row};
use cluster::{BadInput, Problem, nearest};
use cluster::{Origin, Variant};
use std::path::Path;

impl Scenario {
    /// Reads a scenario; `sets` (`hardware.disk`, `105MB/s`) go over what the file says.
    ///
    /// # Errors
    /// All that is wrong with the file, the cluster file that it imports, and `sets`.
    pub fn read(path: impl AsRef<Path>, sets: &[(String, String)]) -> Result<Scenario, BadInput> {
        let path = path.as_ref();
        parse(&read_text(path)?, path, sets).map(|(_, scenario)| scenario)
    }

    /// As [`Scenario::read`], from a text; `file` is for messages, and paths are relative to it.
    ///
    /// # Errors
    /// As [`Scenario::read`].
    pub fn from_str(
        text: &str,
        file: impl AsRef<Path>,
        sets: &[(String, String)],
    ) -> Result<Scenario, BadInput> {
        parse(text, file.as_ref(), sets).map(|(_, scenario)| scenario)
    }

    /// The rows of `tenbin compare --vary KEY=A,B …` in place of the file's: the scenario as it
    /// stands, then all combinations.
    ///
    /// # Errors
    /// An unknown key, a value that its key does not take, or a row that is no valid scenario.
    pub fn vary(
        path: impl AsRef<Path>,
        sets: &[(String, String)],
        vary: &[(String, Vec<String>)],
    ) -> Result<Vec<Variant>, BadInput> {
        let path = path.as_ref();
        let text = read_text(path)?;
        let (mut base, _) = parse(&text, path, sets)?;
        let mut problems = Vec::new();
        let place = Place::CommandLine;
        let item = |text: &String| Item { value: loose(text), place: Place::CommandLine };
        let axis = |(key, values): &(String, Vec<String>)| {
            let items: Vec<Item> = values.iter().map(item).collect();
            variants::axis(&keys::HDFS, key, &items, &place, &mut problems)
        };
        let axes: Vec<_> = vary.iter().filter_map(axis).collect();
        let rows = variants::product(&axes, &base.assembled.rows(), &mut problems);
        let rows = variants::beside_now(rows, &axes, &base.assembled.rows(), Place::CommandLine);
        if problems.is_empty() {
            base.check_rows(&rows, &mut problems)
        }
        done(rows.into_iter().map(|row| row.variant).collect(), problems)
    }

    /// What to say when a value that only another layer can judge is wrong, such as the name of a
    /// policy: the place where it is written, and the nearest right name.
    pub fn reject(&self, key: &str, right: &[&str]) -> BadInput {
        let setting = self.settings.iter().find(|s| s.key == key);
        let value = setting.map_or("", |s| s.value.as_str());
        let expected = right.iter().map(|r| format!("\"{r}\"")).collect::<Vec<_>>().join(" or ");
        let mut problem = self.problem(key, format!("\"{value}\""), expected);
        problem.hint = nearest(value, right.iter().copied()).map(|near| format!("\"{near}\""));
        problem.into()
    }

    /// What is wrong with the value of `key`, with the place where it is written.
    pub fn problem(&self, key: &str, problem: String, expected: String) -> Problem {
        let setting = self.settings.iter().find(|s| s.key == key);
        let place = match setting.map(|s| &s.origin) {
            Some(Origin::File { file, line } | Origin::Imported { file, line }) => {
                Place::File(file.as_path().into(), *line)
            }
            _ => Place::CommandLine,
        };
        place.problem(key, problem, expected)
    }
}

impl Assembled {
    fn rows(&self) -> Rows<'_> {
        Rows { values: &self.values, events: &self.events }
    }
}

/// A file that has been read, for checking rows.
struct Base {
    document: Document,
    sets: Vec<Entry>,
    imports: Imports,
    assembled: Assembled,
}

impl Base {
    /// Every row must be a valid scenario.
    fn check_rows(&mut self, rows: &[Row], problems: &mut Vec<Problem>) {
        for row in rows {
            let mut sets = self.sets.clone();
            sets.extend(row.variant.set.iter().map(|(key, value)| Entry {
                key: key.clone(),
                value: loose(value),
                place: row.place.clone(),
                comment: String::new(),
            }));
            if let Err(found) = assemble(&self.document, &sets, &mut self.imports) {
                let name = &row.variant.name;
                let named =
                    |p: Problem| Problem { problem: format!("row \"{name}\": {}", p.problem), ..p };
                problems.extend(found.into_iter().map(named))
            }
        }
    }
}

fn parse(text: &str, file: &Path, sets: &[(String, String)]) -> Result<(Base, Scenario), BadInput> {
    let document = Document::parse(text, file)?;
    refuse_cluster_file(&document)?;
    let mut problems = Vec::new();
    let sets = set_entries(&keys::HDFS, sets, &mut problems);
    let mut imports = Imports::default();
    let assembled = match assemble(&document, &sets, &mut imports) {
        Ok(assembled) => assembled,
        Err(found) => {
            problems.extend(found);
            variants::axes(&keys::HDFS, &document, &mut problems);
            variants::named(&keys::HDFS, &document, &mut problems);
            return Err(BadInput::all(problems));
        }
    };
    let mut base = Base { document, sets, imports, assembled };
    let rows = variants::of_file(&base.document, &base.assembled.rows(), &mut problems);
    if problems.is_empty() {
        base.check_rows(&rows, &mut problems)
    }
    let mut scenario = base.assembled.scenario.clone();
    scenario.variants = rows.into_iter().map(|row| row.variant).collect();
    done((base, scenario), problems)
}

fn done<T>(value: T, problems: Vec<Problem>) -> Result<T, BadInput> {
    if problems.is_empty() { Ok(value) } else { Err(BadInput::all(problems)) }
}

/// A cluster file is no scenario, but looks like one.
fn refuse_cluster_file(document: &Document) -> Result<(), BadInput> {
    let Some(nodes) = document.get("cluster.nodes") else { return Ok(()) };
    let name = document.file.file_name().unwrap_or_default().to_string_lossy();
    let expected = format!("a scenario that names it: [cluster] import = \"{name}\"");
    Err(nodes.place.problem("cluster.nodes", "this is a cluster file", expected).into())
}
