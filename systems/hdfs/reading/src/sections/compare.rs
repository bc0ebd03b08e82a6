//! A row a variant.
use super::time;
use crate::compare::Variant;
use crate::context::verdict_word;
use crate::stat::Verdict;
use crate::words::{NB, num, percent};
use page::{Align, Body, Cell, Column, Kind, Role, Row, Section, Sentence, Share, Table, say};

/// From here on a second cause is named.
const MUCH: f64 = 0.1;

/// A column, and what stands in it.
struct Made<'a> {
    column: Column,
    cell: Box<dyn Fn(&Variant) -> Cell + 'a>,
}

fn made<'a>(column: Column, cell: impl Fn(&Variant) -> Cell + 'a) -> Made<'a> {
    Made { column, cell: Box::new(cell) }
}

/// The table, and what its words mean.
pub fn compare(variants: &[Variant], note: Sentence) -> Section {
    let columns = columns(variants);
    let row = |variant: &Variant| Row {
        kind: (variant.role == Role::Now).then_some(Kind::Risk),
        ..Row::of(variant.role, columns.iter().map(|made| (made.cell)(variant)).collect())
    };
    let rows = variants.iter().map(row).collect();
    let heads = columns.iter().map(|made| made.column.clone()).collect();
    let body = Body::Table(Table { columns: heads, rows });
    let note = if variants.len() == 1 && note.is_empty() { alone() } else { note };
    Section::new("compare", "Compare", qualifier(variants), body).note(note)
}

/// What a table of one row lacks.
pub fn alone() -> Sentence {
    say("Only the present settings were run. Name others under ")
        .code("[compare]")
        .say(", or add ")
        .code("--vary KEY=A,B")
        .say(".")
}

fn qualifier(variants: &[Variant]) -> String {
    let seeds = variants.first().map_or(0, |now| now.seeds);
    let many = match (seeds, variants.len()) {
        (2.., _) => format!("{seeds} seeds, same fate for all (paired)"),
        (_, 1) => "1 seed: no interval".into(),
        _ => "1 seed: no interval, differences may be chance".into(),
    };
    let word = if variants.len() == 1 { "variant" } else { "variants" };
    format!("{} {word} × {many}", variants.len())
}

fn columns(variants: &[Variant]) -> Vec<Made<'_>> {
    let seeds = variants.iter().map(|row| row.seeds).max().unwrap_or(0);
    let times = variants.iter().map(|row| row.recovery_s.map_or(mean(row), |stat| stat.mean));
    let (size, unit) = time::unit(times.fold(0.0, f64::max));
    let interval = if seeds > 1 { "± 95 %" } else { "" };
    let head = |name: &str| Column::numbers(&format!("{name}, {unit}"), interval, 1);
    let what = if variants.iter().any(|row| row.balancing) { "Balancer" } else { "Recovery" };
    let mut all = vec![
        made(Column::words("Variant"), |row| Cell::text(say(row.name.clone()))),
        made(head(what), move |row| recovery(row, size)),
    ];
    if variants.len() > 1 {
        all.push(made(head("Against now"), move |row| against(row, size)));
    }
    if seeds > 1 && variants.iter().any(|row| !row.per_seed_s.is_empty()) {
        let column = Column::numbers(&format!("{seeds} seeds, {unit}"), "line: mean", 0);
        let column = Column { align: Align::Left, ..column };
        let values = move |row: &Variant| row.per_seed_s.iter().map(|t| t / size).collect();
        all.push(made(column, move |row| Cell::Seeds { values: values(row) }));
    }
    all.push(made(Column::words("Held up most by"), held_most));
    if seeds > 1 && variants.iter().any(|row| row.loss.is_some_and(|loss| loss.seeds > 0)) {
        all.push(made(Column::numbers("Data loss,\nprobability", "", 0), loss));
    }
    all.extend(metrics(variants));
    all
}

/// Mean of the seeds that became redundant; 0 of none.
fn mean(variant: &Variant) -> f64 {
    let times = &variant.per_seed_s;
    times.iter().sum::<f64>() / f64::max(1.0, times.len() as f64)
}

fn recovery(variant: &Variant, size: f64) -> Cell {
    if let Some(stat) = variant.recovery_s {
        return match variant.seeds {
            2.. => Cell::mean(stat.mean / size, stat.ci95 / size),
            _ => Cell::number(stat.mean / size),
        };
    }
    let (safe, seeds) = (variant.per_seed_s.len(), variant.seeds as usize);
    if safe == 0 || safe >= seeds {
        return Cell::text(Sentence::new().dim("not redundant"));
    }
    let of = format!(" in {safe} of {seeds}");
    let title = format!("not redundant in {} of {seeds} seeds; mean of the others", seeds - safe);
    Cell::text(say(num(mean(variant) / size, 1)).dim(of)).titled(title)
}

fn against(variant: &Variant, size: f64) -> Cell {
    let Some(against) = variant.against_now else { return Cell::None };
    let (mean, ci95) = (against.mean / size, against.ci95 / size);
    let sign = if mean > 0.0 { "+" } else { "" };
    match (against.verdict, variant.seeds) {
        (Verdict::NoDifference | Verdict::Undecided, _) => {
            let interval = if ci95 > 0.0 { format!(" ± {}", num(ci95, 1)) } else { String::new() };
            let word = verdict_word(against.verdict);
            let words = format!("{word}\u{2002}{sign}{}{interval}", num(mean, 1));
            Cell::text(Sentence::new().dim(words))
        }
        (_, 2..) => Cell::difference(mean, ci95),
        _ => Cell::Number { value: mean, ci95: None, signed: true },
    }
}

/// The causes that matter most: up to two, the second only if it is much.
fn held_most(variant: &Variant) -> Cell {
    let mut most: Vec<&Share> = variant.shares.iter().filter(|share| share.share > 0.0).collect();
    most.sort_by(|a, b| b.share.total_cmp(&a.share));
    let second = most.get(1).is_some_and(|share| share.share >= MUCH);
    most.truncate(if second { 2 } else { 1 });
    let Some(first) = most.first() else { return Cell::None };
    let word = |share: &&Share| format!("{} {}{NB}%", called(share), share.percent);
    let names: Vec<&str> = most.iter().map(|share| share.name.as_str()).collect();
    let words = most.iter().map(word).collect::<Vec<_>>().join(", ");
    Cell::of(first.kind.unwrap_or(Kind::Unexplained), say(words)).titled(names.join(", "))
}

/// Short names of settings, where there is no room for the whole key: as `ui/src/base/keys.ts`.
const SHORT: [(&str, &str); 6] = [
    ("dfs.namenode.replication.work.multiplier.per.iteration", "multiplier"),
    ("dfs.namenode.replication.max-streams", "max-streams"),
    ("dfs.namenode.replication.max-streams-hard-limit", "hard limit"),
    ("dfs.heartbeat.interval", "heartbeat"),
    ("dfs.namenode.redundancy.interval.seconds", "interval"),
    ("dfs.namenode.reconstruction.pending.timeout-sec", "pending timeout"),
];

/// A setting by its short name, or the last two parts of its key; what is none in small letters,
/// but "NIC" stays.
fn called(share: &Share) -> String {
    let name = share.name.split(" = ").next().unwrap_or(&share.name);
    if let Some((_, short)) = SHORT.iter().find(|(key, _)| *key == name) {
        return (*short).into();
    }
    if share.kind == Some(Kind::Setting) && name.contains('.') {
        let mut parts: Vec<&str> = name.rsplit('.').take(2).collect();
        parts.reverse();
        return parts.join(".");
    }
    let mut letters = name.chars();
    match letters.next() {
        Some(_) if letters.clone().next().is_some_and(char::is_uppercase) => name.into(),
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// How likely some block is lost, with the interval of so few seeds.
fn loss(variant: &Variant) -> Cell {
    let Some(loss) = variant.loss.filter(|_| variant.seeds > 1) else { return Cell::None };
    let range = format!(" {}–{}", num(100.0 * loss.low, 0), num(100.0 * loss.high, 0));
    let of = format!("{} of {} seeds", loss.seeds, variant.seeds);
    let title = format!("blocks are lost in {of}; 95{NB}% interval by Wilson");
    Cell::text(say(percent(loss.probability)).dim(range)).titled(title)
}

/// Metrics by the names that the run gives them; a column stands where any variant has it.
fn metrics(variants: &[Variant]) -> Vec<Made<'_>> {
    let replica = format!("Time at\n1{NB}replica,{NB}s");
    let all: [(&str, &str, u32); 9] = [
        ("balancer_moves", "Balancer’s\nmoves", 0),
        ("balancer_spread_before", "Spread\nbefore, %", 1),
        ("balancer_spread_after", "Spread\nafter, %", 1),
        ("blocks_lost", "Blocks\nlost", 0),
        ("at_one_replica_s", &replica, 1),
        ("send_max_over_mean", "Send\nmax/mean", 2),
        ("receive_max_over_mean", "Receive\nmax/mean", 2),
        ("disk_max_over_mean", "Disk\nmax/mean", 2),
        ("busiest_disk", "Busiest\ndisk", 0),
    ];
    let known = |name: &str| variants.iter().any(|row| row.metrics.contains_key(name));
    let busiest = known("busiest_disk");
    let shown = |(name, _, _): &(&str, &str, u32)| {
        known(name) && !(busiest && *name == "disk_max_over_mean")
    };
    let column = |(name, head, digits): (&'static str, &str, u32)| {
        made(Column::numbers(head, "", digits), move |row| metric(row, name))
    };
    all.into_iter().filter(shown).map(|(name, head, digits)| column((name, head, digits))).collect()
}

fn metric(variant: &Variant, name: &str) -> Cell {
    let Some(mean) = variant.metrics.get(name).map(|stat| stat.mean) else { return Cell::None };
    match name {
        "busiest_disk" => Cell::text(say(percent(mean))),
        // What is rare needs more decimals.
        "blocks_lost" if mean == libm::floor(mean) => Cell::text(say(num(mean, 0))),
        "blocks_lost" => Cell::text(say(num(mean, if mean < 1.0 { 2 } else { 1 }))),
        _ => Cell::number(mean),
    }
}
