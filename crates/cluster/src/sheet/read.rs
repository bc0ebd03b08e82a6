use super::layers::Layer;
use super::values::{Defaults, Values};
use super::variants::{self, Base, Row};
use super::{EventParts, Origin, Setting, SystemData, Variant, events, scaled};
use crate::document::{Document, Entry, Item, Place, RawValue};
use crate::file::read_text;
use crate::keys::{Key, KeyDefault, TypedValue, Vocabulary};
use crate::{BadInput, Problem, nearest};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use units::{Bytes, BytesPerSec, Nanos};

/// A scenario's file with `--set`, checked against its system's keys.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The file name without extension.
    pub name: String,
    pub file: PathBuf,
    /// SHA-256 over everything that determines a run except its seed, independent of the format of
    /// the files.
    pub hash: String,
    pub values: Values,
    /// In file order.
    pub events: Vec<EventParts>,
    /// Every key with its value and origin.
    pub settings: Vec<Setting>,
    /// `[compare]` and `[[variant]]`, expanded; the first row is the unchanged scenario.
    pub variants: Vec<Variant>,
    pub import: Option<PathBuf>,
    /// Set by systems that assemble their scenarios themselves.
    pub own: SystemData,
    pub source: Source,
}

/// Source of a scenario: the file as read, and the values that override it.
#[derive(Clone, Debug)]
pub struct Source {
    pub document: Arc<Document>,
    pub sets: Vec<Entry>,
    pub vocabulary: &'static Vocabulary,
    pub assembly: Assembly,
}

impl Source {
    fn with(&self, more: impl IntoIterator<Item = Entry>) -> Source {
        let sets = self.sets.iter().cloned().chain(more).collect();
        Source { document: Arc::clone(&self.document), sets, ..*self }
    }
}

/// Builds scenarios from sources. One instance builds all rows of a comparison, to cache the
/// imported cluster file.
pub type Assemble = dyn FnMut(&Source) -> Result<Sheet, Vec<Problem>>;

/// Assembly of a system's scenarios; the default is [`plain`].
pub type Assembly = fn() -> Box<Assemble>;

/// Keys that affect display or comparison only.
const NOT_HASHED: [&str; 3] = ["cluster.import", "cluster.name", "run.seeds"];

/// Tables without properties of machines.
const NO_MACHINES: [&str; 9] =
    ["cluster", "layout", "workload", "policy", "fault", "event", "run", "model", "variant"];

impl Sheet {
    /// Reads a scenario; `sets` (`network.startup`, `10us`) override the file.
    ///
    /// # Errors
    /// All problems in the file, the imported cluster file, and `sets`.
    pub fn read(
        path: impl AsRef<Path>,
        sets: &[(String, String)],
        vocabulary: &'static Vocabulary,
        assembly: Assembly,
    ) -> Result<Sheet, BadInput> {
        let path = path.as_ref();
        Sheet::from_str(&read_text(path)?, path, sets, vocabulary, assembly)
    }

    /// As [`Sheet::read`], from a text. `file` is for messages; paths are relative to it.
    pub fn from_str(
        text: &str,
        file: impl AsRef<Path>,
        sets: &[(String, String)],
        vocabulary: &'static Vocabulary,
        assembly: Assembly,
    ) -> Result<Sheet, BadInput> {
        let document = Arc::new(Document::parse(text, file.as_ref())?);
        let mut problems = Vec::new();
        let sets = set_entries(vocabulary, sets, &mut problems);
        let source = Source { document, sets, vocabulary, assembly };
        let mut assemble = assembly();
        let mut sheet = match assemble(&source) {
            Ok(sheet) => sheet,
            Err(found) => {
                problems.extend(found);
                variants::axes(vocabulary, &source.document, &mut problems);
                variants::named(vocabulary, &source.document, &mut problems);
                return Err(BadInput::all(problems));
            }
        };
        let rows = variants::of_file(&source.document, &sheet.base(), &mut problems);
        sheet.variants = sheet.checked(rows, &mut *assemble, problems)?;
        Ok(sheet)
    }

    /// Adds `sets` to the present ones. The result has no rows.
    ///
    /// # Errors
    /// All problems in `sets`.
    pub fn with(&self, sets: &[(String, String)]) -> Result<Sheet, BadInput> {
        let vocabulary = self.vocabulary();
        let mut problems = Vec::new();
        let more = set_entries(vocabulary, sets, &mut problems);
        match (self.source.assembly)()(&self.source.with(more)) {
            Ok(sheet) if problems.is_empty() => Ok(sheet),
            Ok(_) => Err(BadInput::all(problems)),
            Err(found) => Err(BadInput::all(problems.into_iter().chain(found).collect())),
        }
    }

    /// Rows of `tenbin compare --vary KEY=A,B …` instead of the file's: the unchanged scenario,
    /// then all combinations.
    ///
    /// # Errors
    /// An unknown key, an invalid value, or a row that is not a valid scenario.
    pub fn vary(&self, vary: &[(String, Vec<String>)]) -> Result<Vec<Variant>, BadInput> {
        let vocabulary = self.vocabulary();
        let mut problems = Vec::new();
        let place = Place::CommandLine;
        let item = |text: &String| Item { value: loose(text), place: Place::CommandLine };
        let mut axes = Vec::new();
        for (key, values) in vary {
            let items: Vec<Item> = values.iter().map(item).collect();
            axes.extend(variants::axis(vocabulary, key, &items, &place, &mut problems))
        }
        let rows = variants::product(&axes, &self.base(), &mut problems);
        let rows = variants::with_unchanged(rows, &axes, &self.base(), Place::CommandLine);
        self.checked(rows, &mut *(self.source.assembly)(), problems)
    }

    /// Each row must be a valid scenario; the system checks its consistency.
    fn checked(
        &self,
        rows: Vec<Row>,
        assemble: &mut Assemble,
        mut problems: Vec<Problem>,
    ) -> Result<Vec<Variant>, BadInput> {
        if problems.is_empty() {
            refuse_rows(&self.source, assemble, &rows, &mut problems)
        }
        match problems.is_empty() {
            true => Ok(rows.into_iter().map(|row| row.variant).collect()),
            false => Err(BadInput::all(problems)),
        }
    }

    pub fn of(source: &Source, values: Values, events: Vec<EventParts>, hash: String) -> Sheet {
        let file = &source.document.file;
        Sheet {
            name: crate::paths::stem(file),
            file: file.to_path_buf(),
            hash,
            settings: settings(source.vocabulary, &values, &events),
            events,
            values,
            variants: Vec::new(),
            import: None,
            own: None,
            source: source.clone(),
        }
    }

    fn base(&self) -> Base<'_> {
        Base { vocabulary: self.vocabulary(), values: &self.values, events: &self.events }
    }

    pub fn vocabulary(&self) -> &'static Vocabulary {
        self.source.vocabulary
    }

    /// The text of a value. All getters panic if the key is unknown or has no value.
    pub fn text(&self, key: &str) -> &str {
        self.values.text(key)
    }

    pub fn count(&self, key: &str) -> u64 {
        self.values.count(key)
    }

    /// For a key whose kind has a 32-bit limit.
    pub fn count32(&self, key: &str) -> u32 {
        u32::try_from(self.values.count(key)).unwrap_or_else(|_| panic!("{key} fits 32 bits"))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.values.flag(key)
    }

    pub fn number(&self, key: &str) -> f64 {
        self.values.number(key)
    }

    pub fn bytes(&self, key: &str) -> Bytes {
        self.values.bytes(key)
    }

    pub fn time(&self, key: &str) -> Nanos {
        self.values.time(key)
    }

    /// Resolves names of the catalogue.
    pub fn rate(&self, key: &str) -> BytesPerSec {
        self.values.rate(key)
    }

    pub fn find(&self, key: &str) -> Option<&TypedValue> {
        self.values.find(key).map(|slot| &slot.typed)
    }

    /// Relative to the file that contains the key.
    pub fn path(&self, key: &str) -> Option<PathBuf> {
        let slot = self.values.find(key)?;
        let place = slot.place.clone().unwrap_or(Place::CommandLine);
        Some(crate::paths::relative_to(&place, &slot.text))
    }

    pub fn assumed(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.origin == Origin::Assumed)
    }

    /// Defaults of machines and links that are not adjustable; without [assumed](Self::assumed)
    /// ones.
    pub fn machines_by_default(&self) -> impl Iterator<Item = &Setting> {
        let of_machines = |setting: &&Setting| {
            let table = setting.key.split('.').next().unwrap_or("");
            let is_set = || self.change(&setting.key, &setting.value).is_possible();
            let is_no_machine = NO_MACHINES.contains(&table) || is_site(&setting.key);
            !is_no_machine && !setting.value.is_empty() && !is_set()
        };
        let of_default = self.settings.iter().filter(|one| one.origin == Origin::Default);
        of_default.filter(of_machines)
    }

    /// The `--set` that scales `key` by `times`/`over`; `None`: not a number.
    pub fn scaled(&self, key: &str, times: u64, over: u64) -> Option<Vec<(String, String)>> {
        scaled(&self.settings, self.vocabulary(), key, times, over)
    }

    pub fn problem(
        &self,
        key: &str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        let place = self.values.find(key).and_then(|slot| slot.place.clone());
        place.unwrap_or(Place::CommandLine).problem(key, problem, expected)
    }

    /// A problem for an unknown name, with the nearest of the `right` ones.
    pub fn reject(&self, key: &str, right: &[&str]) -> Problem {
        let value = self.text(key);
        let expected = right.iter().map(|r| format!("\"{r}\"")).collect::<Vec<_>>().join(" or ");
        let mut problem = self.problem(key, format!("\"{value}\""), expected);
        problem.hint = nearest(value, right.iter().copied()).map(|near| format!("\"{near}\""));
        problem
    }
}

/// System of a scenario; `--set model.system=…` has priority. `None`: not given.
///
/// # Errors
/// The file is unreadable or not TOML.
pub fn system_of(
    text: &str,
    path: &Path,
    sets: &[(String, String)],
) -> Result<Option<String>, BadInput> {
    const KEY: &str = "model.system";
    if let Some((_, value)) = sets.iter().rev().find(|(key, _)| key == KEY) {
        return Ok(Some(loose(value).text().to_string()));
    }
    let document = Document::parse(text, path)?;
    if let Some(entry) = document.get(KEY) {
        return Ok(Some(entry.value.text().to_string()));
    }
    let Some(import) = document.get("cluster.import") else { return Ok(None) };
    let import = crate::paths::relative_to(&import.place, import.value.text());
    let Ok(text) = read_text(&import) else { return Ok(None) };
    let Ok(document) = Document::parse(&text, &import) else { return Ok(None) };
    Ok(document.get(KEY).map(|entry| entry.value.text().to_string()))
}

pub fn plain() -> Box<Assemble> {
    Box::new(assemble)
}

fn assemble(source: &Source) -> Result<Sheet, Vec<Problem>> {
    let Source { document, sets, vocabulary, .. } = source;
    let mut values = Values::default();
    let import = import(document, sets).map_err(|bad| bad.problems)?;
    for entry in import.iter().flat_map(|(document, _)| &document.entries) {
        if vocabulary.find(&entry.key).is_some() || is_site(&entry.key) {
            values.take(vocabulary, entry, Layer::ClusterFile)
        }
    }
    document.entries.iter().for_each(|entry| values.take(vocabulary, entry, Layer::Scenario));
    sets.iter().for_each(|entry| values.take(vocabulary, entry, Layer::CommandLine));
    let parts = events::read(vocabulary, document, sets, &mut values.problems);
    let one_rack = values.find("cluster.racks").is_none_or(|slot| slot.text == "1");
    let given = Defaults {
        name: crate::paths::stem(&document.file),
        imported: import.is_some(),
        one_rack,
        disks_origin: None,
    };
    values.fill(vocabulary, &given);
    refuse_missing(vocabulary, &document.file, &mut values);
    if !values.problems.is_empty() {
        return Err(values.problems);
    }
    let hash = hash(vocabulary, &values, &parts, import.as_ref().map(|(_, text)| text.as_str()));
    let import = import.map(|(document, _)| document.file.to_path_buf());
    Ok(Sheet { import, ..Sheet::of(source, values, parts, hash) })
}

fn is_site(key: &str) -> bool {
    key.split('.').next().is_some_and(|table| crate::keys::SITES.contains(&table))
}

fn import(document: &Document, sets: &[Entry]) -> Result<Option<(Document, String)>, BadInput> {
    let set = sets.iter().rev().find(|entry| entry.key == "cluster.import");
    let Some(entry) = set.or_else(|| document.get("cluster.import")) else { return Ok(None) };
    let path = crate::paths::relative_to(&entry.place, entry.value.text());
    let text = read_text(&path).map_err(|_| {
        let problem = format!("\"{}\" cannot be read", path.display());
        let expected = "a cluster file that `tenbin import` wrote";
        entry.place.problem("cluster.import", problem, expected)
    })?;
    Ok(Some((Document::parse(&text, &path)?, text)))
}

fn refuse_missing(vocabulary: &Vocabulary, file: &Path, values: &mut Values) {
    let missing = |key: &&Key| {
        let table = key.name.split('.').next().unwrap_or("");
        let is_list = matches!(table, "event" | "variant");
        matches!(key.absent, KeyDefault::Required) && !is_list && values.find(key.name).is_none()
    };
    let missing: Vec<&Key> = vocabulary.all().filter(missing).collect();
    for key in missing {
        let complained = values.problems.iter().any(|problem| problem.key == key.name);
        if !complained {
            let mut problem = Problem::of_file(file, "is missing", key.kind.to_string());
            problem.key = key.name.to_string();
            values.problems.push(problem)
        }
    }
}

/// Hashes normalised values, events, and the text of the imported cluster file.
fn hash(
    vocabulary: &Vocabulary,
    values: &Values,
    events: &[EventParts],
    import: Option<&str>,
) -> String {
    let mut text = String::new();
    for (key, slot) in values.all(vocabulary).filter(|(key, _)| !NOT_HASHED.contains(&key.name)) {
        let _ = writeln!(text, "{} = {}", key.name, slot.typed);
    }
    for event in events {
        for (part, slot) in &event.values {
            let _ = writeln!(text, "event {part} = {}", slot.typed);
        }
    }
    text += import.unwrap_or("");
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn settings(vocabulary: &Vocabulary, values: &Values, parts: &[EventParts]) -> Vec<Setting> {
    let setting = |(key, slot): (&'static Key, &super::Slot)| Setting {
        key: key.name.to_string(),
        value: slot.text.clone(),
        origin: slot.origin.clone(),
        old_name: slot.old_name.clone(),
    };
    let mut all: Vec<Setting> = values.all(vocabulary).map(setting).collect();
    all.extend(events::settings(vocabulary, parts));
    all.extend(values.not_modelled.iter().cloned());
    all
}

fn refuse_rows(
    source: &Source,
    assemble: &mut Assemble,
    rows: &[Row],
    problems: &mut Vec<Problem>,
) {
    for row in rows {
        let of_row = row.variant.set.iter().map(|(key, value)| Entry {
            key: key.clone(),
            value: loose(value),
            place: row.place.clone(),
            comment: String::new(),
        });
        if let Err(found) = assemble(&source.with(of_row)) {
            let name = &row.variant.name;
            let named =
                |p: Problem| Problem { problem: format!("row \"{name}\": {}", p.problem), ..p };
            problems.extend(found.into_iter().map(named))
        }
    }
}

/// A value from the command line; removes quotes left by a shell.
pub fn loose(text: &str) -> RawValue {
    let bare = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    RawValue::Loose(bare.unwrap_or(text).to_string())
}

pub fn set_entries(
    vocabulary: &Vocabulary,
    sets: &[(String, String)],
    problems: &mut Vec<Problem>,
) -> Vec<Entry> {
    sets.iter().filter_map(|set| set_entry(vocabulary, set, problems)).collect()
}

fn set_entry(
    vocabulary: &Vocabulary,
    (key, value): &(String, String),
    problems: &mut Vec<Problem>,
) -> Option<Entry> {
    let place = Place::CommandLine;
    let table = key.split('.').next().unwrap_or("");
    if matches!(table, "compare" | "variant") {
        let expected = "`tenbin compare --vary TABLE.KEY=VALUE,VALUE`";
        problems.push(place.problem(key, "cannot be set", expected));
        return None;
    }
    if !key.contains('.') {
        let mut problem = place.problem(key, "unknown key", "TABLE.KEY=VALUE");
        let mut all = vocabulary.all().map(|k| k.name);
        let same = all.find(|k| k.split_once('.').is_some_and(|(_, name)| name == key));
        problem.hint = same.map(str::to_string);
        problems.push(problem);
        return None;
    }
    Some(Entry { key: key.clone(), value: loose(value), place, comment: String::new() })
}
