//! The verdict and the table for a terminal: ASCII only, aligned.
use crate::compare::Variant;
use crate::context::verdict_word;
use crate::loss::{self, Loss};
use crate::sections::compare::alone;
use crate::spans::plain;
use crate::stat::stat;
use crate::words::{decimals, duration, duration_with, num, percent};
use page::terminal::{aligned, ascii, wrap};
use page::{Page, Span};

/// The page's sentences, and its rows as a table.
pub fn text(page: &Page, rows: &[Variant]) -> String {
    let mut lines = Vec::new();
    let besides = [("Would help", note(page, "without")), ("Foreground", note(page, "clients"))];
    page::text::head(&mut lines, &page.head, &besides);
    for tag in page.fleet.iter().flat_map(|fleet| &fleet.tags) {
        wrap(&mut lines, "Note", tag);
    }
    lines.push(String::new());
    lines.extend(table(rows));
    lines.extend(losses(rows));
    let compared = note(page, "compare");
    if *compared != alone().done() {
        wrap(&mut lines, "", &plain(compared))
    }
    let foot = page.foot.provenance.iter().map(|line| format!("{} {}", line.name, line.value));
    wrap(&mut lines, "", &foot.collect::<Vec<_>>().join(" | "));
    lines.join("\n") + "\n"
}

fn note<'a>(page: &'a Page, id: &str) -> &'a [Span] {
    let section = page.sections.iter().find(|section| section.id == id);
    section.map_or(&[], |section| &section.note)
}

/// A row a variant; numbers right-aligned, one decimal count a column. `lost` are blocks, `send`
/// and `recv` max/mean over live nodes, `disk` is the busiest one's mean use.
fn table(rows: &[Variant]) -> Vec<String> {
    let heads =
        ["", "recovery", "+-95 %", "against now", "", "lost", "1 replica", "send", "recv", "disk"];
    let balancing =
        ["", "balancer", "+-95 %", "against now", "", "moves", "GB", "spread %", "after"];
    let digits = rows.first().and_then(|row| row.recovery_s).map_or(1, |s| decimals(s.mean));
    let of_balancer = rows.iter().any(|row| row.balancing);
    let heads = if of_balancer { &balancing[..] } else { &heads[..] };
    let mut cells: Vec<Vec<String>> = vec![heads.iter().map(|head| head.to_string()).collect()];
    cells.extend(rows.iter().map(|row| {
        let mut cells = times_of(row, digits);
        cells.extend(if of_balancer { moves_of(row) } else { copies_of(row) });
        cells
    }));
    aligned(&cells, &[0, 4])
}

/// A row a variant, where some seeds lose blocks: in how many, how likely that is, how many blocks
/// to expect.
fn losses(rows: &[Variant]) -> Vec<String> {
    let many = |row: &&Variant| row.seeds > 1;
    let all: Vec<(&Variant, Loss)> =
        rows.iter().filter(many).filter_map(|row| Some((row, row.loss?))).collect();
    if all.iter().all(|(_, loss)| loss.seeds == 0) {
        return Vec::new();
    }
    let heads = ["data loss", "seeds", "probability", "95 % (Wilson)", "blocks expected"];
    let mut cells = vec![heads.map(String::from).to_vec()];
    cells.extend(all.iter().map(|(row, loss)| {
        let of = loss::of_seeds(loss, row.seeds);
        let (likely, within) = (loss::probability(loss), loss::interval(loss));
        [row.name.clone(), of, likely, within, loss::expected(&loss.blocks)]
            .map(|text| ascii(&text))
            .to_vec()
    }));
    std::iter::once(String::new()).chain(aligned(&cells, &[0])).collect()
}

/// Of the seeds that became safe, where others did not.
fn of_some(row: &Variant, digits: usize) -> Option<String> {
    let (safe, all) = (row.per_seed_s.len(), row.seeds);
    let mean = duration_with(stat(Some(&row.per_seed_s).filter(|s| !s.is_empty())?).mean, digits);
    Some(format!("{mean} in {safe} of {all}"))
}

/// Its name, its time, and how that differs.
fn times_of(row: &Variant, digits: usize) -> Vec<String> {
    let recovery = row
        .recovery_s
        .map(|stat| duration_with(stat.mean, digits))
        .or_else(|| of_some(row, digits));
    let interval = row.recovery_s.filter(|_| row.seeds > 1);
    let difference = row.against_now.map(|against| {
        let sign = if against.mean > 0.0 { "+" } else { "" };
        format!("{sign}{}", duration_with(against.mean, digits))
    });
    let word = row.against_now.map(|against| verdict_word(against.verdict).to_string());
    vec![
        ascii(&row.name),
        recovery.map_or(open(row).into(), |text| ascii(&text)),
        or_dash(interval.map(|stat| num(stat.ci95, digits))),
        or_dash(difference),
        word.unwrap_or_default(),
    ]
}

/// What the run does not see the end of.
fn open(row: &Variant) -> &'static str {
    let left = row.at_risk.max.last().is_some_and(|&left| left > 0.0);
    if left || row.balancing { "no end" } else { "-" }
}

fn or_dash(value: Option<String>) -> String {
    value.map_or("-".into(), |text| ascii(&text))
}

fn metric(row: &Variant, name: &str) -> Option<f64> {
    row.metrics.get(name).map(|stat| stat.mean)
}

/// What the repair cost, and how even it was.
fn copies_of(row: &Variant) -> Vec<String> {
    let one = metric(row, "at_one_replica_s").map(duration);
    let lost = metric(row, "blocks_lost");
    vec![
        or_dash(lost.map(|n| num(n, if n == libm::floor(n) { 0 } else { 1 }))),
        one.map_or(open(row).into(), |text| ascii(&text)),
        or_dash(metric(row, "send_max_over_mean").map(|ratio| num(ratio, 2))),
        or_dash(metric(row, "receive_max_over_mean").map(|ratio| num(ratio, 2))),
        or_dash(metric(row, "busiest_disk").map(percent)),
    ]
}

/// What the balancer moved, and how far apart the nodes are before and after.
fn moves_of(row: &Variant) -> Vec<String> {
    vec![
        or_dash(metric(row, "balancer_moves").map(|moves| num(moves, 0))),
        or_dash(metric(row, "balancer_moved_bytes").map(|bytes| num(bytes / 1e9, 1))),
        or_dash(metric(row, "balancer_spread_before").map(|points| num(points, 1))),
        or_dash(metric(row, "balancer_spread_after").map(|points| num(points, 1))),
    ]
}
