//! Tables of a page: costs by kind of operation, hot directories, mdtest's SUMMARY.
use crate::model::mdtest::Rates;
use crate::model::names;
use crate::recorder::RunResults;
use crate::recorder::directories::Directory;
use crate::recorder::kinds::Kind;
use crate::recorder::phases::Summary;
use page::{Body, Cell, Column, Row, Section, Table};
use ppmds_protocol::{Ino, OperationKind, ROOT};
use system::reporter::Case;

/// Sections for the first run of the first variant.
pub fn sections(case: &Case<'_>) -> Vec<Section> {
    let results =
        case.rows.first().and_then(|row| row.runs.first()).and_then(|run| RunResults::of(&run.own));
    let measured = Rates::of(case.sheet.text("mdtest.measured")).unwrap_or_default();
    results
        .into_iter()
        .flat_map(|results| {
            let first = summary(&results.summary, &measured).into_iter();
            first.chain(directories(results, case)).chain(kinds(results))
        })
        .collect()
}

/// Utilisation from which a server NIC counts as saturated.
const FULL: f64 = 0.9;
/// Longest path shown \[characters\].
const WIDEST: usize = 32;
const MOST: usize = 8;

fn directories(results: &RunResults, case: &Case<'_>) -> Option<Section> {
    let most = results.directories.most(MOST, &|ino| named(results, case, ino));
    // Among many equal directories the first says nothing.
    let first = most.first().filter(|first| first.waited >= 0.05)?;
    let row = |one: &Directory| {
        let numbers = [one.operations as f64, one.share * 100.0, one.mean_ms, one.waited * 100.0];
        let numbers = numbers.map(Cell::number);
        Row::new(std::iter::once(Cell::text(end_of(&one.name).as_str())).chain(numbers).collect())
    };
    let columns = vec![
        Column::words("directory"),
        Column::numbers("operations", "", 0),
        Column::numbers("of all", "%", 1),
        Column::numbers("mean", "ms", 2),
        Column::numbers("of all waiting", "%", 1),
    ];
    let body = Body::Table(Table { columns, rows: most.iter().map(row).collect() });
    // Hot: at least HOT times the waiting of a directory among equals.
    let how = match first.waited > HOT / results.directories.len() as f64 && first.waited > 0.1 {
        true => hot(first, case),
        false => String::from("those with the longest waits of clients; none is hot"),
    };
    Some(Section::new("directories", "Directories", how, body))
}

/// Long paths lose their beginning: the end distinguishes directories.
fn end_of(path: &str) -> String {
    let over = path.chars().count().saturating_sub(WIDEST);
    match over {
        0 => path.to_string(),
        _ => format!("…{}", path.chars().skip(over + 1).collect::<String>()),
    }
}

/// Describes a hot directory. More servers help it only if a server NIC is saturated.
fn hot(first: &Directory, case: &Case<'_>) -> String {
    let said = format!("{} is hot: {:.0} % of all waiting", first.name, first.waited * 100.0);
    match case.metric("utilisation_max_server_nic") > FULL {
        true => format!(
            "{said}. A directory on few servers has only their rate; policy.metadata {} would \
             spread it",
            others(case.sheet.text("policy.metadata"))
        ),
        false => said,
    }
}

/// The path of a directory that exists at the start, or that a trace's client made.
fn named(results: &RunResults, case: &Case<'_>, ino: Ino) -> Option<String> {
    if let Some(trace) = &results.replayed {
        return trace.paths.say(ino, results.named.get(&ino).copied());
    }
    let n = u32::try_from(ino.checked_sub(ROOT + 1)?).ok()?;
    let all = case.sheet.count32("workload.directories");
    (all > 1 && n < all).then(|| format!("/{}", names::of_directory(n).name))
}

/// Policies that would spread a hot directory, except the current one.
fn others(policy: &str) -> String {
    let all = ["hash", "load"].into_iter().filter(|name| *name != policy);
    all.collect::<Vec<_>>().join(" or ")
}

/// Factor on the waiting of a directory among equals from which it counts as hot.
const HOT: f64 = 2.0;

/// Costs of operations that need several servers.
fn kinds(results: &RunResults) -> Option<Section> {
    if results.kinds.all().all(|(_, kind)| kind.transactions == 0) {
        return None;
    }
    let row = |(op, kind): (OperationKind, &Kind)| {
        let each = kind.messages as f64 / kind.transactions.max(1) as f64;
        let cost = |value: f64| match kind.transactions {
            0 => Cell::text("–"),
            _ => Cell::number(value),
        };
        Row::new(vec![
            Cell::text(op.name()),
            Cell::number(kind.operations as f64),
            Cell::number(kind.failed as f64),
            Cell::number(kind.p50_ms),
            Cell::number(kind.p99_ms),
            cost(kind.transactions as f64),
            cost(each),
            cost(kind.aborts as f64),
            cost(kind.retries as f64),
        ])
    };
    let columns = vec![
        Column::words("operation"),
        Column::numbers("done", "", 0),
        Column::numbers("failed", "", 0),
        Column::numbers("p50", "ms", 2),
        Column::numbers("p99", "ms", 2),
        Column::numbers("transactions", "", 0),
        Column::numbers("messages each", "", 1),
        Column::numbers("aborted", "", 0),
        Column::numbers("waits", "", 0),
    ];
    let body = Body::Table(Table { columns, rows: results.kinds.all().map(row).collect() });
    let how = "a transaction needs messages among servers in addition to its client's; an aborted \
               attempt begins again, and a wait is for another transaction";
    Some(Section::new("kinds", "Cost of operations", how, body))
}

/// The phases as mdtest prints them, next to the measured rates.
fn summary(all: &[Summary], measured: &Rates) -> Option<Section> {
    if all.is_empty() {
        return None;
    }
    let row = |one: &Summary| {
        let Summary { name, max, min, mean, std_dev } = one;
        let numbers = [*max, *min, *mean, *std_dev].map(Cell::number);
        let beside = match measured.rate(name) {
            _ if measured.0.is_empty() => Vec::new(),
            Some(rate) => vec![Cell::number(rate), Cell::number(mean / rate)],
            None => vec![Cell::text("–"), Cell::text("–")],
        };
        let first = std::iter::once(Cell::text(name.as_str()));
        Row::new(first.chain(numbers).chain(beside).collect())
    };
    let number = |name: &str| Column::numbers(name, "1/s", 0);
    let mut columns = vec![
        Column::words("operation"),
        number("max"),
        number("min"),
        number("mean"),
        number("std dev"),
    ];
    if !measured.0.is_empty() {
        columns.extend([number("measured"), Column::numbers("simulated", "x", 2)])
    }
    let body = Body::Table(Table { columns, rows: all.iter().map(row).collect() });
    Some(Section::new("mdtest", "SUMMARY rate", "as mdtest prints it, over the iterations", body))
}
