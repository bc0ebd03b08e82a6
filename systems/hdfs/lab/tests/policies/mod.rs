//! `systems/hdfs/docs/policies.md`: every policy on every scenario of `scenarios/policies/`, and
//! its doc. `TENBIN_BLESS=1 cargo test --test hdfs_lab policies` rewrites it: review the
//! difference, and the prose of `head.md`.
use engine::Scheduler;
use hdfs::job;
use hdfs_policy::rereplication::{Rereplication, registry};
use hdfs_reading::stat::stat;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::RunOptions;

const SEEDS: u64 = 10;

struct Measure {
    title: &'static str,
    metric: &'static str,
    digits: usize,
}

const MEASURES: [Measure; 4] = [
    Measure { title: "recovery \\[s\\]", metric: "recovery_s", digits: 1 },
    Measure { title: "busiest disk / mean", metric: "disk_max_over_mean", digits: 2 },
    Measure { title: "one rack only \\[s\\]", metric: "one_rack_only_s", digits: 1 },
    Measure { title: "one replica \\[block·s\\]", metric: "at_one_replica_block_s", digits: 0 },
];

struct Scene {
    name: String,
    what: String,
    rows: Vec<Row>,
}

/// By measure: a value per seed. All policies use the same seeds.
type Row = [Vec<f64>; MEASURES.len()];

#[test]
fn the_page_of_policies_is_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().expect("root");
    let policies = registry::all();
    let files = scenarios(&root.join("scenarios/policies"));
    let scenes: Vec<Scene> = std::thread::scope(|scope| {
        let policies = &policies;
        let play = |file: &'_ PathBuf| scene(file, policies);
        let playing: Vec<_> = files.iter().map(|f| scope.spawn(move || play(f))).collect();
        playing.into_iter().map(|scene| scene.join().expect("it runs")).collect()
    });
    let page = page(&policies, &scenes);
    let file = root.join("systems/hdfs/docs/policies.md");
    if std::env::var_os("TENBIN_BLESS").is_some() {
        std::fs::write(&file, &page).expect("the tree is writable");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(page, written, "TENBIN_BLESS=1, then read systems/hdfs/docs/policies.md");
}

fn scenarios(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("scenarios/policies");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

fn scene(file: &Path, policies: &[Box<dyn Rereplication>]) -> Scene {
    let text = std::fs::read_to_string(file).expect("a scenario");
    let what = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a first line");
    let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let rows = policies.iter().map(|policy| row(file, policy.name())).collect();
    Scene { name, what: what.to_string(), rows }
}

fn row(file: &Path, policy: &str) -> Row {
    let set = [("policy.rereplication".to_string(), policy.to_string())];
    let lab = job::lab();
    let sheet = lab.read(file, &set).unwrap_or_else(|e| panic!("{e:?}"));
    let mut row = Row::default();
    for seed in 1..=SEEDS {
        let how = RunOptions { check: true, ..RunOptions::by(Scheduler::Sequential) };
        let done = lab.run_once(&sheet, seed, how);
        let done = done.unwrap_or_else(|e| panic!("{e:?}")).expect("not interrupted");
        let metrics = serde_json::to_value(&done.reading.metrics).expect("JSON");
        for (values, measure) in row.iter_mut().zip(&MEASURES) {
            values.push(metrics[measure.metric].as_f64().expect("a number"));
        }
    }
    row
}

fn page(policies: &[Box<dyn Rereplication>], scenes: &[Scene]) -> String {
    let mut page = include_str!("head.md").to_string();
    for scene in scenes {
        table(&mut page, policies, scene);
    }
    let names: Vec<&str> = policies.iter().map(|policy| policy.name()).collect();
    for (at, policy) in policies.iter().enumerate() {
        let name = policy.name();
        let _ = write!(page, "\n## {name}\n\n{}\n", section(policy.doc(), None));
        for heading in ["When it helps", "What it costs"] {
            let _ = write!(page, "\n**{heading}.** {}\n", section(policy.doc(), Some(heading)));
        }
        let _ = write!(page, "\n**Seen.** {}\n", seen(at, scenes, &names));
    }
    page
}

fn table(page: &mut String, policies: &[Box<dyn Rereplication>], scene: &Scene) {
    let Scene { name, what, rows } = scene;
    let _ = write!(
        page,
        "\n### [{name}](../../../scenarios/policies/{name}.toml)\n\n{what}\n\n| policy |"
    );
    MEASURES.iter().for_each(|measure| _ = write!(page, " {} |", measure.title));
    *page += "\n|---|";
    MEASURES.iter().for_each(|_| *page += "--:|");
    for (policy, row) in policies.iter().zip(rows) {
        let _ = write!(page, "\n| {} |", policy.name());
        for (at, measure) in MEASURES.iter().enumerate() {
            let figure = format!("{:.*}", measure.digits, stat(&row[at]).mean);
            let bold = if wins(at, row, rows) { "**" } else { "" };
            let _ = write!(page, " {bold}{figure}{bold} |");
        }
    }
    *page += "\n";
}

/// One policy's values compared with another's, seed by seed.
#[derive(PartialEq)]
enum Against {
    /// The same in every seed.
    Alike,
    /// The 95 % interval of the differences contains 0.
    Noise,
    Better,
    Worse,
}

fn against(one: &[f64], other: &[f64]) -> Against {
    let differences: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
    let difference = stat(&differences);
    match differences.iter().all(|d| *d == 0.0) {
        true => Against::Alike,
        _ if difference.mean.abs() <= difference.ci95 => Against::Noise,
        _ if difference.mean < 0.0 => Against::Better,
        _ => Against::Worse,
    }
}

/// Whether it is better than all that are not alike, beyond chance.
fn wins(at: usize, row: &Row, rows: &[Row]) -> bool {
    let all: Vec<Against> = rows.iter().map(|other| against(&row[at], &other[at])).collect();
    all.contains(&Against::Better)
        && all.iter().all(|a| matches!(a, Against::Better | Against::Alike))
}

/// Whether nothing is better beyond chance, and something is worse.
fn ties(at: usize, row: &Row, rows: &[Row]) -> bool {
    let all: Vec<Against> = rows.iter().map(|other| against(&row[at], &other[at])).collect();
    !wins(at, row, rows) && all.contains(&Against::Better) && !all.contains(&Against::Worse)
}

/// Scenarios in which it is the best, as good as the best, or slower than another.
fn seen(policy: usize, scenes: &[Scene], names: &[&str]) -> String {
    let named = |how: fn(usize, &Row, &[Row]) -> bool| -> Vec<String> {
        let of = |scene: &Scene| -> Vec<String> {
            let is = |at: &usize| how(*at, &scene.rows[policy], &scene.rows);
            let title = |at: usize| MEASURES[at].title.split(" \\[").next().expect("a title");
            let all = (0..MEASURES.len()).filter(is);
            all.map(|at| format!("{} in `{}`", title(at), scene.name)).collect()
        };
        scenes.iter().flat_map(of).collect()
    };
    let (best, tied) = (named(wins), named(ties));
    let mut said = match best.is_empty() {
        true => "Best in none of the scenarios.".to_string(),
        false => format!("Best: {}.", best.join(", ")),
    };
    if !tied.is_empty() {
        said += &format!("\nAs good as the best within chance: {}.", tied.join(", "))
    }
    let slower: Vec<String> = scenes.iter().filter_map(|s| slower(policy, s, names)).collect();
    if !slower.is_empty() {
        said += &format!("\nSlower than another: {}.", slower.join(", "))
    }
    said
}

/// By how much it is slower than the fastest of those that are faster beyond chance, and the name
/// of that one.
fn slower(policy: usize, scene: &Scene, names: &[&str]) -> Option<String> {
    let own = &scene.rows[policy][0];
    let sooner = |row: &(usize, &Vec<f64>)| against(own, row.1) == Against::Worse;
    let times = scene.rows.iter().map(|row| &row[0]).enumerate();
    let mean = |values: &Vec<f64>| stat(values).mean;
    let (best, values) = times.filter(sooner).min_by(|a, b| mean(a.1).total_cmp(&mean(b.1)))?;
    let more = 100.0 * (mean(own) / mean(values) - 1.0);
    Some(format!("`{}` by {more:.0} % (`{}`)", scene.name, names[best]))
}

/// The text under a heading of a policy's doc as one paragraph; without a heading, its first.
fn section(doc: &str, heading: Option<&str>) -> String {
    let start = heading.map(|heading| format!("# {heading}"));
    let from = start.map_or(0, |s| doc.lines().position(|line| line == s).expect("checked") + 1);
    let lines = doc.lines().skip(from).take_while(|line| !line.starts_with('#'));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
