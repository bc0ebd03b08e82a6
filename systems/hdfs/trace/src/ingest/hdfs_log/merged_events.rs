//! Events of all files in time order.
use super::clusters::Clusters;
use super::complaints::Complaints;
use super::merge::{Line, Merged};
use super::parts::{self, Part};
use super::reading::Reading;
use super::story::Story;
use super::{broken, event};
use import::{ImportError, Input, OnProgress};

pub(super) struct MergedEvents {
    pub(super) complaints: Complaints,
    pub(super) story: Story,
    pub(super) clusters: Clusters,
    /// Latest time of all lines \[ms\].
    pub(super) end: i64,
    pub(super) lines: u64,
    pub(super) twice: Vec<String>,
    /// Largest possible step back of a clock \[ms\].
    pub(super) back: i64,
}

/// Reads the events; again, part by part, if the time goes back within a file.
pub(super) fn of(
    logs: &[Input],
    names: &[String],
    tell: &mut OnProgress<'_>,
) -> Result<MergedEvents, ImportError> {
    let whole: Vec<Part> = (0..logs.len()).map(Part::whole).collect();
    // A pipe can be read only once, so the other files are split first.
    if logs.iter().all(parts::is_kept)
        && let Some(told) = read(logs, names, &whole, tell)?
    {
        return Ok(told);
    }
    let parts = parts::of(logs, &Reading::of(logs, logs.len(), tell));
    let told = read(logs, names, &parts, tell)?;
    Ok(told.expect("the order of times within each part is known"))
}

/// `None`: the time goes back in a file with unknown parts.
fn read(
    logs: &[Input],
    names: &[String],
    parts: &[Part],
    tell: &mut OnProgress<'_>,
) -> Result<Option<MergedEvents>, ImportError> {
    let (mut complaints, mut clusters) = (Complaints::default(), Clusters::default());
    let mut story = Story::default();
    let reading = Reading::of(logs, parts.len(), tell);
    let mut merged = Merged::open(logs, parts, &reading, &mut complaints)?;
    let mut take = |line: Line<'_>, complaints: &mut Complaints| {
        let form = |kind| format!("a line of `{kind}` in another form");
        let text = String::from_utf8_lossy(line.text);
        clusters.see(line.file, line.number, &text);
        let event = event::read(&text);
        let half = |event: &event::Event<'_>| {
            event.last_address().is_some_and(|address| story.nodes.is_half(address))
        };
        match event {
            Ok(Some(event)) if half(&event) => {
                complaints.unread(line.file, line.number, line.at, broken::HALF)
            }
            Ok(Some(event)) => {
                clusters.decides(line.file, &event);
                story.take(line.at, event)
            }
            Ok(None) => {}
            Err(kind) => complaints.unread(line.file, line.number, line.at, form(kind)),
        }
    };
    while merged.next(&mut complaints, &mut take) {}
    if merged.torn {
        return Ok(None);
    }
    let back = merged.doubt(&mut complaints);
    let (end, lines, twice) = (merged.end().unwrap_or(0), merged.lines, merged.twice(names));
    Ok(Some(MergedEvents { complaints, story, clusters, end, lines, twice, back }))
}
