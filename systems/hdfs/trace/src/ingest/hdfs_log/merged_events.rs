//! Events of all files in time order.
use super::clusters::Clusters;
use super::line_errors::LineErrors;
use super::log_history::LogHistory;
use super::merge::{LogLine, MergedLogs};
use super::parts::{self, FilePart};
use super::read_progress::ReadProgress;
use super::{damaged_lines, event};
use import::{ImportError, Input, OnProgress};

pub(super) struct MergedEvents {
    pub(super) complaints: LineErrors,
    pub(super) story: LogHistory,
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
    let whole: Vec<FilePart> = (0..logs.len()).map(FilePart::entire_file).collect();
    // A pipe can be read only once, so the other files are split first.
    if logs.iter().all(parts::is_kept)
        && let Some(merged) = read(logs, names, &whole, tell)?
    {
        return Ok(merged);
    }
    let parts = parts::of(logs, &ReadProgress::of(logs, logs.len(), tell));
    let merged = read(logs, names, &parts, tell)?;
    Ok(merged.expect("the order of times within each part is known"))
}

/// `None`: the time goes back in a file with unknown parts.
fn read(
    logs: &[Input],
    names: &[String],
    parts: &[FilePart],
    tell: &mut OnProgress<'_>,
) -> Result<Option<MergedEvents>, ImportError> {
    let (mut complaints, mut clusters) = (LineErrors::default(), Clusters::default());
    let mut story = LogHistory::default();
    let reading = ReadProgress::of(logs, parts.len(), tell);
    let mut merged = MergedLogs::open(logs, parts, &reading, &mut complaints)?;
    let mut take = |line: LogLine<'_>, complaints: &mut LineErrors| {
        let form = |kind| format!("a line of `{kind}` in another form");
        let text = String::from_utf8_lossy(line.text);
        clusters.check_line(line.file, line.number, &text);
        let event = event::read(&text);
        let half = |event: &event::Event<'_>| {
            event.last_address().is_some_and(|address| story.nodes.is_prefix(address))
        };
        match event {
            Ok(Some(event)) if half(&event) => {
                complaints.add_unread(line.file, line.number, line.at, damaged_lines::HALF)
            }
            Ok(Some(event)) => {
                clusters.record_decision(line.file, &event);
                story.take(line.at, event)
            }
            Ok(None) => {}
            Err(kind) => complaints.add_unread(line.file, line.number, line.at, form(kind)),
        }
    };
    while merged.next(&mut complaints, &mut take) {}
    if merged.is_unsorted {
        return Ok(None);
    }
    let back = merged.report_doubts(&mut complaints);
    let (end, lines, twice) =
        (merged.end().unwrap_or(0), merged.lines, merged.duplicate_notes(names));
    Ok(Some(MergedEvents { complaints, story, clusters, end, lines, twice, back }))
}
