//! The page for a terminal: the same sentences, and the numbers of each chart.
use crate::terminal::{aligned, ascii, wrap};
use crate::words::{NONE, decimals, num};
use crate::{
    AssumedRow, Balance, Body, Cell, ClaimRow, Claims, Column, Curves, Empty, Gantt, Head, Heat,
    Holder, Latency, List, Matrix, Page, Part, Path, Points, Scatter, Section, Share, Shares, Span,
    Table, Threads, Trade, Unit, plain,
};

/// Sentences, and charts as tables.
pub fn text(page: &Page) -> String {
    let mut lines = Vec::new();
    head(&mut lines, &page.head, &[]);
    for one in &page.sections {
        lines.push(String::new());
        section(&mut lines, one);
    }
    lines.push(String::new());
    let foot = page.foot.provenance.iter().map(|line| format!("{} {}", line.name, line.value));
    wrap(&mut lines, "", &foot.collect::<Vec<_>>().join(" | "));
    wrap(&mut lines, "", &page.foot.command);
    lines.join("\n") + "\n"
}

/// Writes the head. `besides` are a system's additional lines (label, text), before the certainty.
pub fn head(lines: &mut Vec<String>, head: &Head, besides: &[(&str, &[Span])]) {
    let facts: Vec<String> = head.facts.iter().map(|fact| plain(fact)).collect();
    wrap(lines, "", &facts.join(" | "));
    wrap(lines, "", &plain(&head.verdict));
    wrap(lines, "", &plain(&head.sub));
    let mut label = "Held up by";
    for Holder { text, source, .. } in &head.held_up {
        let source = source.as_ref().map_or(String::new(), |source| format!(" [{source}]"));
        wrap(lines, label, &format!("{}{source}", plain(text)));
        label = " ";
    }
    if let Some(doing) = &head.r#do {
        wrap(lines, "Do", &format!("{} {}", plain(&doing.point), plain(&doing.more)));
        wrap(lines, " ", doing.command.as_deref().unwrap_or(""));
    }
    wrap(lines, "Not enough", &plain(&head.not_enough));
    besides.iter().for_each(|(label, text)| wrap(lines, label, &plain(text)));
    let reason = plain(&head.certainty.reason);
    wrap(lines, "Certainty", &format!("{}: {reason}", head.certainty.level.word()));
    assumed(lines, head);
    head.tags.iter().for_each(|tag| wrap(lines, "Note", tag));
}

fn assumed(lines: &mut Vec<String>, head: &Head) {
    let (unit, mut label) = (&head.assumed.unit, "Assumed");
    let named = |row: &AssumedRow| format!("{} {} ({})", row.name, row.value, row.key);
    let (same, matters): (Vec<&AssumedRow>, Vec<&AssumedRow>) =
        head.assumed.rows.iter().partition(|row| no_matter(row, unit));
    for row in matters {
        let at = |value: Option<f64>| value.map_or("?".into(), |value| unit.like(row.now, value));
        let (half, double) = (at(row.half), at(row.double));
        wrap(lines, label, &format!("{}: at half {half}, at double {double}", named(row)));
        label = " ";
    }
    if !same.is_empty() {
        let names: Vec<String> = same.into_iter().map(named).collect();
        wrap(lines, label, &format!("{}: no difference", names.join(", ")));
        label = " ";
    }
    wrap(lines, label, &plain(&head.assumed.note));
}

/// Whether half and double differ by under 0.5 % or 0.05 s, the threshold of the UI.
fn no_matter(row: &AssumedRow, unit: &Unit) -> bool {
    let least = if unit.0 == "s" { 0.05 } else { 0.0 };
    let least = f64::max(least, 0.005 * row.now.abs());
    let same = |at: Option<f64>| at.is_some_and(|at| (at - row.now).abs() < least);
    same(row.half) && same(row.double)
}

/// Writes a section: title, numbers, note.
pub fn section(lines: &mut Vec<String>, section: &Section) {
    let Section { title, qualifier, tags, .. } = section;
    let qualifier = if qualifier.is_empty() { "".into() } else { format!(" ({qualifier})") };
    wrap(lines, "", &format!("{title}{qualifier}"));
    tags.iter().for_each(|tag| wrap(lines, "Note", tag));
    match (&section.empty, &section.body) {
        (Some(Empty { why, fill }), _) => wrap(lines, "", &format!("{why} {fill}")),
        (None, body) => lines.extend(picture(body)),
    }
    wrap(lines, "", &plain(&section.note));
}

fn picture(body: &Body) -> Vec<String> {
    let (rows, left): (Vec<Vec<String>>, &[usize]) = match body {
        Body::Curves(curves) => (of_curves(curves), &[0, 1, 2]),
        Body::Shares(shares) => (of_shares(shares), &[0]),
        Body::Path(path) => (of_path(path), &[0, 3]),
        Body::Heat(heat) => (of_heat(heat), &[0]),
        Body::Gantt(gantt) => (of_gantt(gantt), &[0, 2]),
        Body::Balance(balance) => (of_balance(balance), &[0, 2]),
        Body::Latency(latency) => (of_latency(latency), &[0]),
        Body::Scatter(scatter) => (of_scatter(scatter), &[0]),
        Body::Table(table) => (of_table(table), &[]),
        Body::Trade(trade) => (of_trade(trade), &[0, 3]),
        Body::Threads(threads) => (of_threads(threads), &[0]),
        Body::List(list) => (of_list(list), &[0]),
        Body::Matrix(matrix) => (of_matrix(matrix), &[0]),
        Body::Claims(claims) => (of_claims(claims), &[0, 1, 2, 3, 4]),
        Body::Note => (Vec::new(), &[]),
    };
    let words: Vec<usize> = match body {
        Body::Table(table) => {
            table.columns.iter().enumerate().filter(is_words).map(first).collect()
        }
        _ => left.to_vec(),
    };
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| ascii(cell)).collect()).collect();
    aligned(&rows, &words).into_iter().filter(|line| !line.is_empty()).collect()
}

fn is_words((place, column): &(usize, &Column)) -> bool {
    *place == 0 || column.align == crate::Align::Left
}

fn first<T>((place, _): (usize, T)) -> usize {
    place
}

/// The maximum of each line and its position.
fn of_curves(curves: &Curves) -> Vec<Vec<String>> {
    let rows = curves.panels.iter().flat_map(|panel| {
        panel.lines.iter().map(|line| {
            let points = line.x.iter().zip(&line.y).filter_map(|(x, y)| Some((*x, (*y)?)));
            let top = points.reduce(|best, next| if next.1 > best.1 { next } else { best });
            let flag = line.flag.as_ref().map_or("", |flag| &flag.value);
            let at = |(x, y)| format!("{} at {}", panel.unit.write(y), curves.x.unit.write(x));
            let most = top.map_or(NONE.into(), |point| format!("at most {}", at(point)));
            vec![panel.name.clone(), line.name.clone(), flag.into(), most, panel.reading.clone()]
        })
    });
    rows.collect()
}

fn of_shares(shares: &Shares) -> Vec<Vec<String>> {
    let row = |share: &Share| {
        let name = [share.name.as_str(), share.source.as_str()].join(" ").trim().to_string();
        let amount = share.amount.map_or(String::new(), |amount| shares.unit.write(amount));
        let percent = match (share.at_most, share.low) {
            (true, _) => format!("at most {} %", share.percent),
            (_, Some(low)) => format!("{} to {} %", num(100.0 * low, 0), share.percent),
            _ => format!("{} %", share.percent),
        };
        vec![name, amount, percent]
    };
    shares.rows.iter().map(row).collect()
}

fn of_path(path: &Path) -> Vec<Vec<String>> {
    let unit = &path.x.unit;
    let row = |step: &crate::Step| {
        let took = unit.write(step.to - step.from);
        vec![step.name.clone(), format!("from {}", unit.write(step.from)), took, step.note.clone()]
    };
    path.steps.iter().map(row).collect()
}

fn of_heat(heat: &Heat) -> Vec<Vec<String>> {
    let share = |value| Unit::from("%").write(value);
    let groups = heat.groups.iter().flat_map(|group| {
        let (first, second) = group.columns.clone();
        let rows =
            group.rows.iter().map(|row| vec![row.name.clone(), share(row.peak), share(row.mean)]);
        std::iter::once(vec![group.title.clone(), first, second]).chain(rows.collect::<Vec<_>>())
    });
    groups.collect()
}

fn of_claims(claims: &Claims) -> Vec<Vec<String>> {
    let row = |of: &ClaimRow| {
        let ClaimRow { id, statement, document, ours, word, .. } = of.clone();
        vec![id, word, document, ours, statement]
    };
    claims.claims.iter().map(row).collect()
}

/// Prints groups only, since rows may be many.
fn of_gantt(gantt: &Gantt) -> Vec<Vec<String>> {
    let row = |group: &crate::GanttGroup| {
        let rows = crate::words::count(group.rows.len() as u64, "row");
        vec![group.title.clone(), rows, group.note.clone()]
    };
    gantt.groups.iter().map(row).collect()
}

fn of_balance(balance: &Balance) -> Vec<Vec<String>> {
    let panels = balance.panels.iter().flat_map(|panel| {
        let head = vec![panel.title.clone(), panel.head.clone(), String::new()];
        let rows =
            panel.rows.iter().map(|r| vec![r.name.clone(), r.value.clone(), r.label.clone()]);
        std::iter::once(head).chain(rows.collect::<Vec<_>>())
    });
    panels.collect()
}

fn of_latency(latency: &Latency) -> Vec<Vec<String>> {
    let write = |value: Option<f64>| value.map_or(NONE.into(), |value| latency.unit.write(value));
    let head = ["", "p50", "p99", "requests"].map(String::from).to_vec();
    let rows = latency.series.iter().map(|one| {
        vec![one.name.clone(), write(one.p50), write(one.p99), num(one.count as f64, 0)]
    });
    std::iter::once(head).chain(rows).collect()
}

fn of_scatter(scatter: &Scatter) -> Vec<Vec<String>> {
    let of = |series: &Points| {
        let row = |point: &crate::Point| {
            let (x, y) = (scatter.x.unit.write(point.x), scatter.y.unit.write(point.y));
            vec![[series.name.as_str(), point.name.as_str()].join(" "), x, y]
        };
        series.points.iter().map(row).collect::<Vec<_>>()
    };
    let head = vec![String::new(), scatter.x.name.clone(), scatter.y.name.clone()];
    std::iter::once(head).chain(scatter.series.iter().flat_map(of)).collect()
}

fn of_table(table: &Table) -> Vec<Vec<String>> {
    let head = |column: &Column| format!("{} {}", column.head, column.unit).trim().to_string();
    let row = |row: &crate::Row| row.cells.iter().zip(&table.columns).map(cell).collect();
    std::iter::once(table.columns.iter().map(head).collect())
        .chain(table.rows.iter().map(row))
        .collect()
}

fn cell((cell, column): (&Cell, &Column)) -> String {
    let digits = column.digits as usize;
    match cell {
        Cell::Text { text, .. } => plain(text),
        Cell::Number { value, ci95, signed } => {
            let plus = if *signed && *value > 0.0 { "+" } else { "" };
            let interval = ci95.map_or(String::new(), |ci95| format!(" ± {}", num(ci95, digits)));
            format!("{plus}{}{interval}", num(*value, digits))
        }
        Cell::Verdict { verdict, reason, .. } if reason.is_empty() => verdict.clone(),
        Cell::Verdict { verdict, reason, .. } => format!("{verdict}: {reason}"),
        Cell::Seeds { values } => {
            let (low, high) = ends(values);
            format!("{}–{}", num(low, decimals(high)), num(high, decimals(high)))
        }
        Cell::None => NONE.into(),
        Cell::Unknown => "?".into(),
    }
}

fn ends(values: &[f64]) -> (f64, f64) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    (low.min(f64::MAX), values.iter().copied().fold(0.0, f64::max))
}

fn of_trade(trade: &Trade) -> Vec<Vec<String>> {
    let head = ["", &trade.x.0, &trade.y.0, "limited by"].map(String::from).to_vec();
    let row = |point: &crate::TradePoint| {
        let (x, y) = (trade.x.1.write(point.x.mean), trade.y.1.write(point.y.mean));
        vec![point.name.clone(), x, y, point.limit.clone().unwrap_or_else(|| NONE.into())]
    };
    std::iter::once(head).chain(trade.points.iter().map(row)).collect()
}

fn of_threads(threads: &Threads) -> Vec<Vec<String>> {
    let head = ["", "worked", "undone", "waited"].map(String::from).to_vec();
    let time = |seconds| Unit::from("s").write(seconds);
    let row = |thread: &crate::Thread| {
        let times = [thread.worked_s, thread.undone_s, thread.waited_s].map(time);
        [vec![thread.name.clone()], times.to_vec()].concat()
    };
    std::iter::once(head).chain(threads.threads.iter().map(row)).collect()
}

/// Prints the number of rows only, since there may be many.
fn of_list(list: &List) -> Vec<Vec<String>> {
    vec![vec![format!("{} {}", num(list.rows.len() as f64, 0), list.many)]]
}

fn of_matrix(matrix: &Matrix) -> Vec<Vec<String>> {
    let head = ["", &format!("{}s it leads", matrix.column), "follows", &matrix.sum];
    let many = |row: usize, part| {
        let here = matrix.cells.iter().filter(|cell| cell.row as usize == row && cell.part == part);
        num(here.count() as f64, 0)
    };
    let row = |(place, row): (usize, &crate::MatrixRow)| {
        let sum = num(row.sum, if row.sum == libm::floor(row.sum) { 0 } else { 1 });
        vec![row.name.clone(), many(place, Part::Leader), many(place, Part::Follower), sum]
    };
    std::iter::once(head.map(String::from).to_vec())
        .chain(matrix.rows.iter().enumerate().map(row))
        .collect()
}
