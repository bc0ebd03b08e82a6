//! `docs/scenario.md` lists every key of every system, from the tables that validate scenarios.
//! `TENBIN_BLESS=1 cargo test --test cli keys` rewrites the list between its two marks.
use crate::tenbin::root;
use cluster::keys::{Key, KeyDefault, Vocabulary};
use tenbin::systems::SYSTEMS;

const BEGIN: &str = "<!-- keys: made by a test; TENBIN_BLESS=1 cargo test --test cli keys -->\n";
const END: &str = "<!-- end of keys -->\n";

#[test]
fn the_page_of_keys_is_made_from_the_tables() {
    let file = root().join("docs/scenario.md");
    let written = std::fs::read_to_string(&file).expect("docs/scenario.md");
    let (before, rest) = written.split_once(BEGIN).expect("the first mark");
    let (_, after) = rest.split_once(END).expect("the last mark");
    let page = format!("{before}{BEGIN}{}{END}{after}", list());
    if std::env::var_os("TENBIN_BLESS").is_some() {
        std::fs::write(&file, &page).expect("the tree is writable");
    }
    let written = std::fs::read_to_string(&file).expect("docs/scenario.md");
    assert!(
        page == written,
        "TENBIN_BLESS=1 cargo test --test cli keys, then read docs/scenario.md"
    );
}

/// The keys of all systems, then what each has of its own.
fn list() -> String {
    let all: Vec<&Vocabulary> = SYSTEMS.all().map(|system| system.vocabulary).collect();
    let is_common = |key: &Key| {
        all.iter().all(|keys| keys.find(key.name).is_some_and(|other| other.doc == key.doc))
    };
    let mut page = "\n## Every system\n".to_string();
    tables(&mut page, all[0].all().filter(|key| is_common(key)));
    for system in SYSTEMS.all() {
        let name = system.name;
        let what = system.summary.trim_end_matches('.');
        page += &format!("\n## {name}\n\n{what} ([README](../systems/{name}/README.md)).\n");
        tables(&mut page, system.vocabulary.all().filter(|key| !is_common(key)));
    }
    page + "\n"
}

/// Each table once, at its first key.
fn tables(page: &mut String, keys: impl Iterator<Item = &'static Key>) {
    let mut tables: Vec<(&str, String)> = Vec::new();
    for key in keys {
        let (table, name) = key.name.split_once('.').expect("table.key");
        let at = tables.iter().position(|(known, _)| *known == table).unwrap_or_else(|| {
            tables.push((table, String::new()));
            tables.len() - 1
        });
        tables[at].1 += &row(key, name);
    }
    for (table, rows) in tables {
        let title = match table {
            "event" | "variant" => format!("[[{table}]]"),
            _ => format!("[{table}]"),
        };
        let head = "| key | takes | default | meaning |\n|---|---|---|---|\n";
        *page += &format!("\n### `{title}`\n\n{head}{rows}");
    }
}

fn row(key: &Key, name: &str) -> String {
    let default = match key.absent {
        KeyDefault::Required => "*required*".to_string(),
        KeyDefault::Nothing => "–".to_string(),
        KeyDefault::Default("") => "empty".to_string(),
        KeyDefault::Default(text) | KeyDefault::DefaultBy(text, _) => format!("`{text}`"),
        KeyDefault::Assumed(text) | KeyDefault::AssumedBy(text, _) => {
            format!("`{text}`, *assumed*")
        }
        KeyDefault::Derived(rule, _) => rule.to_string(),
    };
    let source = match key.source {
        "" => String::new(),
        source => format!(" ({source})"),
    };
    format!("| `{name}` | {} | {default} | {}{source} |\n", key.kind, key.doc)
}
