//! The report as a page of blocks, which the screen draws and `report.json` has.
mod balance;
mod clients;
mod compare;
mod fleet;
mod head;
mod heat;
mod held;
mod risk;
mod time;
use crate::report::{Report, Role, Variant};
use page::{Body, Foot, Page, Section, Thread, Threads, Width};

/// The page of a report.
pub fn blocks(report: &Report) -> Page {
    let foot = Foot {
        provenance: report.provenance.clone(),
        command: report.command.clone(),
        links: report.links.clone(),
    };
    let sections = [
        clients::trade(report),
        Some(risk::risk(report)),
        Some(held::held(report)),
        clients::clients(report),
        Some(heat::heat(report)),
        Some(balance::balance(report)),
        Some(compare::compare(report)),
        would_help(report),
        own(report),
    ];
    let page = Page::new(&report.screen, head::head(report), foot).fleet(fleet::fleet(report));
    sections.into_iter().flatten().fold(page, Page::with)
}

/// On a wide page three small pictures make a row; four, with the clients, two rows of two, unless
/// a plan's picture takes the place of two more.
fn small(report: &Report) -> Width {
    match report.foreground.is_some() && report.trade.is_none() {
        true => Width::Half,
        false => Width::Third,
    }
}

/// What is doubtful or reduced in one picture, and how many variants are not in it.
fn tagged(section: Section, report: &Report, chart: &str, cut: Option<String>) -> Section {
    let tags = report.chart_tags.get(chart).into_iter().flatten().cloned();
    tags.chain(cut).fold(section, Section::tag)
}

/// The variants to draw, at most so many: now, the recommended, then the fastest others.
fn drawable(variants: &[Variant], most: usize) -> Vec<&Variant> {
    let rank = |row: &Variant| match row.role {
        Role::Now => 0,
        Role::Recommended => 1,
        Role::Other => 2,
    };
    let time = |row: &Variant| row.recovery_s.map_or(f64::INFINITY, |stat| stat.mean);
    let mut order: Vec<usize> = (0..variants.len()).collect();
    let (of, key) = (|i: usize| &variants[i], |row: &Variant| (rank(row), time(row)));
    order.sort_by(|&a, &b| {
        let ((rank, time), (other, later)) = (key(of(a)), key(of(b)));
        rank.cmp(&other).then(time.total_cmp(&later))
    });
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|i| &variants[i]).collect()
}

/// What the repair would take without each limit, in words; only of a run.
fn would_help(report: &Report) -> Option<Section> {
    let note = report.would_help.clone();
    let words = Section::words("without", "What would help", "");
    (!note.is_empty()).then_some(Section { note, ..words })
}

/// Of the program, not of the cluster: what its threads did.
fn own(report: &Report) -> Option<Section> {
    let own = report.parallel.as_ref()?;
    let thread = |thread: &analysis::ThreadTime| Thread {
        name: thread.name.clone(),
        lps: thread.lps.into(),
        committed: thread.committed,
        ahead: thread.ahead,
        rolled_back: thread.rolled_back,
        longest_history: thread.longest_history,
        worked_s: thread.worked_s,
        undone_s: thread.undone_s,
        waited_s: thread.waited_s,
    };
    let body = Body::Threads(Threads {
        scheduler: own.scheduler.clone(),
        ranks: own.ranks,
        rounds: own.rounds,
        deals: own.deals,
        alone: own.alone,
        peak_rss_bytes: own.peak_rss_bytes,
        sentence: own.sentence.clone(),
        threads: own.threads.iter().map(thread).collect(),
    });
    let qualifier = "wall-clock time of the simulation’s threads";
    let section = Section::new("own", "Where this run’s own time went", qualifier, body);
    Some(section.wide(Width::Full))
}
