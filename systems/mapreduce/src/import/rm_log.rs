//! Reads the YARN plug-in's lines in a ResourceManager log: a node's figure crosses a rule's
//! threshold, or the rules change. The log has local times. The ResourceManager's application
//! summaries show the offset from UTC.
use super::fetches::{lines, logs_named};
use super::visits::time;
use import::{ImportError, Input, Issue, OnProgress, issue};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Maximum number of events kept per log.
const MOST: usize = 1 << 20;

/// Time zones are multiples of 15 minutes \[ms\].
const QUARTER: i64 = 900_000;

/// A summary is logged within this time of the application's end \[ms\].
const SOON: i64 = 60_000;

/// Largest offset of a time zone from UTC \[ms\].
const FURTHEST: i64 = 14 * 3_600_000;

const EXPECTED: &str = "the plug-in's lines like \"tenbin: rule=disk-rate node=n7:45454 \
                        withholds=true figure=0.6250 threshold=0.4000\"";

/// Line, message, number of occurrences.
pub type OddLine = (Option<u64>, String, u64);

#[derive(Clone, PartialEq, Debug, Default)]
pub struct RmLog {
    /// In the order of the log: Unix time \[ms\], event.
    pub events: Vec<(i64, PluginLine)>,
    /// Times of the log's first and last lines, including those of Hadoop itself: Unix times
    /// \[ms\].
    pub span: (i64, i64),
    pub unusable: Vec<OddLine>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum PluginLine {
    Crossed(ThresholdCrossing),
    /// New settings: the plug-in reports all withheld nodes again after this.
    Settings(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct ThresholdCrossing {
    /// "disk-rate".
    pub rule: String,
    /// "n7:45454".
    pub node: String,
    pub withholds: bool,
    pub threshold: f64,
}

/// State while reading; all times are local.
#[derive(Default)]
struct ReadState {
    log: RmLog,
    /// Offsets from UTC \[ms\] implied by summaries, with their numbers.
    zones: BTreeMap<i64, u64>,
    unusable: BTreeMap<String, (Option<u64>, u64)>,
}

/// Reads a plain or compressed log. `ahead`: how far its clock is ahead of UTC \[ms\]; `None`:
/// taken from summaries, else 0.
///
/// # Errors
/// A read error, no line of the plug-in, or no line with a date.
pub fn read(input: &Input, ahead: Option<i64>, tell: &mut OnProgress<'_>) -> Result<RmLog, Issue> {
    let mut reading = ReadState::default();
    reading.log.span = (i64::MAX, i64::MIN);
    lines(input, tell, |number, line| reading.line(number, line.trim_end()))?;
    reading.done(ahead)
}

/// The text after the logger's name.
fn message(line: &str) -> &str {
    let ends = [": ", " - "].iter().filter_map(|of| Some(line.find(of)? + of.len()));
    ends.min().map_or("", |at| &line[at..])
}

impl ReadState {
    fn line(&mut self, number: u64, line: &str) {
        let (at, message) = (time(line), message(line));
        if let Some(at) = at {
            let (low, high) = self.log.span;
            self.log.span = (low.min(at), high.max(at));
            if let Some(zone) = zone(at, message) {
                *self.zones.entry(zone).or_default() += 1
            }
        }
        let Some(said) = message.strip_prefix("tenbin: ") else { return };
        let is_settings = said.starts_with("withholds above ") || said == "no rule is on";
        let said = match said.starts_with("rule=") {
            true => crossed(said).map(PluginLine::Crossed),
            false if is_settings => Some(PluginLine::Settings(said.to_string())),
            false => return self.odd(number, format!("plug-in: {said}")),
        };
        match (at, said) {
            (Some(at), Some(said)) if self.log.events.len() < MOST => {
                self.log.events.push((at, said))
            }
            (Some(_), Some(_)) => self.odd(number, format!("more than {MOST} lines of rules")),
            (None, _) => self.odd(number, "a line of a rule has no date".into()),
            (_, None) => self.odd(number, "a line of a rule lacks a part, or has no number".into()),
        }
    }

    fn odd(&mut self, line: u64, what: String) {
        self.unusable.entry(what).or_insert((Some(line), 0)).1 += 1
    }

    fn done(mut self, ahead: Option<i64>) -> Result<RmLog, Issue> {
        if self.log.events.is_empty() && self.unusable.is_empty() {
            let advice = "Does that ResourceManager have the plug-in, and a threshold? The plug-in \
                          logs a line at the first request.";
            return Err(issue("no line of Tenbin's plug-in in the log", EXPECTED).advice(advice));
        }
        if self.log.span.0 > self.log.span.1 {
            return Err(issue("no line has a date", EXPECTED));
        }
        // The most frequent offset: a restarted ResourceManager repeats summaries of applications
        // that ended long ago.
        let most = self.zones.iter().max_by_key(|(zone, times)| (**times, **zone));
        let said = ahead.or(most.map(|(zone, _)| *zone));
        if said.is_none() && !self.log.events.is_empty() {
            let what = "no line states the log clock's lead over UTC: its times are taken as UTC; \
                        --utc-offset changes this";
            self.unusable.insert(what.into(), (None, 1));
        }
        let ahead = said.unwrap_or(0);
        let log = &mut self.log;
        log.events.iter_mut().for_each(|(at, _)| *at -= ahead);
        log.span = (log.span.0 - ahead, log.span.1 - ahead);
        log.unusable =
            self.unusable.into_iter().map(|(what, (line, times))| (line, what, times)).collect();
        Ok(self.log)
    }
}

/// Parses "rule=disk-rate node=n7:45454 withholds=true figure=0.6250 threshold=0.4000".
fn crossed(said: &str) -> Option<ThresholdCrossing> {
    let parts: BTreeMap<&str, &str> =
        said.split(' ').filter_map(|part| part.split_once('=')).collect();
    let rule = parts.get("rule").filter(|rule| is_name(rule))?;
    let node = parts.get("node").filter(|node| !node.is_empty() && node.len() <= 512)?;
    // The figure is unused, but it shows that the line is not cut before it ends.
    parts.get("figure")?.parse::<f64>().ok()?;
    Some(ThresholdCrossing {
        rule: rule.to_string(),
        node: node.to_string(),
        withholds: parts.get("withholds")?.parse().ok()?,
        threshold: parts.get("threshold")?.parse().ok().filter(|n: &f64| n.is_finite())?,
    })
}

fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

/// Offset from UTC \[ms\], from "appId=application_…,…,finishTime=1795196737873,…", which is logged
/// when the application ends.
fn zone(at: i64, message: &str) -> Option<i64> {
    let (_, rest) = message.strip_prefix("appId=")?.split_once(",finishTime=")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    let off = at.checked_sub(digits.parse().ok()?)?;
    let zone = off.checked_add(QUARTER / 2)?.div_euclid(QUARTER) * QUARTER;
    ((off - zone).abs() <= SOON && zone.abs() <= FURTHEST).then_some(zone)
}

/// Logs in folders, and files; `-` is standard input.
///
/// # Errors
/// An unreadable path.
pub fn logs(paths: &[PathBuf]) -> Result<Vec<Input>, ImportError> {
    // A daemon's standard output (….out) repeats its log.
    logs_named(paths, |name| name.contains("resourcemanager") && !name.contains(".out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, ahead: Option<i64>) -> Result<RmLog, Issue> {
        let input = Input::Memory { name: "rm.log".into(), bytes: text.as_bytes().to_vec() };
        read(&input, ahead, &mut |_| ())
    }

    const LINE: &str = "2026-11-23 12:41:37,250 INFO tenbin.yarn: tenbin: rule=receive-rate \
                        node=n7:45454 withholds=true figure=4.100e+07 threshold=3.750e+07\n";

    #[test]
    fn a_crossing_is_read_under_each_layout_of_log4j() {
        let log = of(LINE, None).unwrap();
        let (rule, node) = ("receive-rate".to_string(), "n7:45454".to_string());
        let crossed = ThresholdCrossing { rule, node, withholds: true, threshold: 3.75e7 };
        assert_eq!(log.events, [(1_795_437_697_250, PluginLine::Crossed(crossed))]);
        assert!(log.unusable[0].1.contains("taken as UTC"), "{:?}", log.unusable);
        let other = LINE.replace("2026-11-23 ", "2026-11-23T").replace(
            "INFO tenbin.yarn: ",
            "INFO  [IPC 3] yarn.Withholding (Withholding.java:follow(94)) - ",
        );
        assert_eq!(of(&other, None).unwrap(), log);
    }

    #[test]
    fn the_clock_is_as_summaries_say_it_or_as_it_is_told() {
        let summary = "2026-11-23 13:41:38,000 INFO a.RMAppManager$ApplicationSummary: \
                       appId=application_1_0001,name=x,startTime=1,finishTime=1795437697900,m=1\n";
        // What ended long ago, of a ResourceManager that starts again.
        let old = summary.replace("1795437697900", "1795434097900");
        let line = LINE.replace("12:41:37", "13:41:37");
        let text = format!("{line}{summary}{summary}{old}");
        let log = of(&text, None).unwrap();
        assert_eq!((log.events[0].0, log.unusable.len()), (1_795_437_697_250, 0));
        assert_eq!(log.span, (1_795_437_697_250, 1_795_437_698_000));
        assert_eq!(of(&text, Some(0)).unwrap().events[0].0, 1_795_441_297_250);
    }

    #[test]
    fn settings_are_told_and_what_is_wrong_is_counted() {
        let head = "2026-11-23 12:41:37,250 INFO tenbin.yarn: tenbin: ";
        let on = "withholds above {disk-rate=0.4}, from a job for 40.0 s at most";
        let cut = &LINE[..LINE.len() - 12];
        let text = format!("{head}{on}\n{cut}\n{cut}\n{head}cannot ask the rules\nx{LINE}");
        let log = of(&text, Some(0)).unwrap();
        assert_eq!(log.events, [(1_795_437_697_250, PluginLine::Settings(on.into()))]);
        let odd: Vec<_> = log.unusable.iter().map(|(line, _, times)| (*line, *times)).collect();
        assert_eq!(odd, [(Some(5), 1), (Some(2), 2), (Some(4), 1)], "{:?}", log.unusable);
        let none = of("2026-11-23 12:41:37,250 INFO a.b: nothing\n", None).unwrap_err();
        assert!(none.to_string().contains("no line of Tenbin's plug-in"), "{none}");
        // A job's name is no line of the plug-in.
        let job = "2026-11-23 12:41:37,250 INFO a.b: name=x: tenbin: rule=disk-rate\n";
        assert!(of(job, None).is_err());
    }
}
