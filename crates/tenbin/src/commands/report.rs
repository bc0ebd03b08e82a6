//! `tenbin report RUN… -o FILE`
use crate::cli::ReportOf;
use crate::failure::Failure;
use crate::{console, systems};
use page::{Below, Page};
use system::template;

/// Writes one self-contained file.
pub fn report(args: ReportOf) -> Result<(), Failure> {
    let mut pages = Vec::new();
    for run in &args.runs {
        let found = systems::finished(run)?;
        let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        pages.push((name, found.explains()?.page(&found.trace)))
    }
    if let Some(warning) = template::warning() {
        console::aside(warning)
    }
    let page = together(pages);
    std::fs::write(&args.out, template::of(&page)).map_err(|e| Failure::writing(&args.out, &e))?;
    console::text(&format!("{}\n", args.out.display()))
}

/// The first run's page; the others' stand below it.
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

/// What rows open lies elsewhere now.
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
