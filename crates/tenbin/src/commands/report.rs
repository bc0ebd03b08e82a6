//! `tenbin report RUN… -o FILE`
use crate::cli::ReportOf;
use crate::failure::Failure;
use crate::{console, systems};
use page::{Below, Page};
use system::template;

/// Writes the pages of runs as one file; default name: the first run's own page.
pub fn report(args: ReportOf) -> Result<(), Failure> {
    let runs = args.runs.iter().map(|run| systems::finished(run)).collect::<Result<Vec<_>, _>>()?;
    let pages = runs.iter().map(|run| Ok((run.name(), run.page()?)));
    let page = together(pages.collect::<Result<_, Failure>>()?);
    if let Some(warning) = template::warning() {
        console::note(warning)
    }
    let out = args.out.unwrap_or_else(|| runs[0].path("report.html"));
    std::fs::write(&out, template::of(&page)).map_err(|e| Failure::writing(&out, &e))?;
    console::text(&format!("{}\n", out.display()))
}

/// The first run's page, followed by the others.
fn together(pages: Vec<(String, Page)>) -> Page {
    let mut pages = pages.into_iter();
    let (_, mut first) = pages.next().expect("clap requires a run");
    for (place, (name, page)) in pages.enumerate() {
        let path = format!("run/{}", place + 2);
        let moved = |own: &str| format!("{path}/{own}");
        let mut below = Below::new(path.clone(), name.clone(), page::Sentence::default());
        below.sentence = page.head.verdict;
        below.facts = page.head.facts;
        below.link = Some(name);
        below.sections = page.sections;
        let known: Vec<String> = page.drill.iter().map(|own| own.path.clone()).collect();
        below.sections.iter_mut().for_each(|section| move_links(section, &known, &moved));
        first.drill.push(below);
        for mut own in page.drill {
            own.path = moved(&own.path);
            own.link = None;
            own.sections.iter_mut().for_each(|section| move_links(section, &known, &moved));
            first.drill.push(own)
        }
    }
    first
}

fn move_links(section: &mut page::Section, known: &[String], moved: &dyn Fn(&str) -> String) {
    let to = |open: &mut Option<String>| {
        if let Some(path) = open.as_ref().filter(|path| known.contains(path)) {
            *open = Some(moved(path))
        }
    };
    match &mut section.body {
        page::Body::Gantt(gantt) => {
            gantt.groups.iter_mut().flat_map(|group| &mut group.rows).for_each(|r| to(&mut r.open))
        }
        page::Body::Table(table) => table.rows.iter_mut().for_each(|row| to(&mut row.open)),
        page::Body::Path(path) => path.steps.iter_mut().for_each(|step| to(&mut step.open)),
        _ => {}
    }
}
