//! A plan's answer on the terminal.
use super::answer::{Answer, Choice, Tried};
use super::fragment;
use analysis::Stat;
use std::fmt::Write;

/// The answer in a screenful.
pub fn text(answer: &Answer, what: &str, namenode: Option<&str>) -> String {
    let mut text = String::new();
    let now = &answer.now;
    let best = answer.recommended();
    let _ = writeln!(text, "{what}: the repair takes {} as it is set now{}.", time(now), held(now));
    if best.point == now.point {
        let _ = writeln!(text, "No setting that was tried makes it faster by 5 %.");
    } else {
        let _ = writeln!(
            text,
            "Recommended: {}, {}{}.",
            best.point.name(&now.point),
            time(best),
            held(best)
        );
    }
    if let Some(within) = answer.wishes.within {
        let _ = writeln!(text, "{}", deadline(answer, within));
    }
    if let Some(most) = answer.wishes.slowdown {
        let _ = writeln!(text, "{}", gentle(answer, most));
    }
    text.push('\n');
    settings(&mut text, answer, namenode);
    plugin(&mut text, answer);
    text.push('\n');
    foreground(&mut text, answer);
    let _ = writeln!(text, "{} points tried.", answer.tried);
    if answer.interrupted {
        let _ = writeln!(text, "Interrupted: this is the best so far.");
    }
    text
}

fn settings(text: &mut String, answer: &Answer, namenode: Option<&str>) {
    let mark = if answer.choice == Choice::Settings { " (recommended)" } else { "" };
    let _ = writeln!(text, "Settings only{mark}: {}", time(&answer.settings));
    let now = &answer.now.point;
    let lines = fragment::lines(&answer.settings.point, now, namenode);
    let width = lines.iter().map(|l| l.key.len()).max().unwrap_or(0);
    for line in &lines {
        let _ = writeln!(text, "  {:width$}  {:>8}  {}", line.key, line.change, line.how);
    }
    if lines.is_empty() {
        let _ = writeln!(text, "  nothing to change");
    }
}

fn plugin(text: &mut String, answer: &Answer) {
    let Some(plugin) = &answer.plugin else { return };
    let mark = if answer.choice == Choice::Plugin { " (recommended)" } else { "" };
    let name = plugin.point.name(&answer.now.point);
    let _ = writeln!(text, "Needs the plug-in{mark}: {name}: {}", time(plugin));
}

/// What clients wait before, now, and with what is recommended; and the front.
fn foreground(text: &mut String, answer: &Answer) {
    if !answer.clients {
        let _ = writeln!(text, "Foreground: none given, so what the repair costs it is not known.");
        return;
    }
    let Some(before) = answer.before_p99 else {
        let _ =
            writeln!(text, "Foreground: too few requests to tell percentiles (100 are needed).");
        return;
    };
    let _ = writeln!(text, "Foreground, 99th percentile: {} without the repair", ms(Some(before)));
    let mut rows: Vec<&Tried> = Vec::new();
    for tried in [&answer.now, answer.recommended()].into_iter().chain(&answer.front) {
        if rows.iter().all(|row| row.point != tried.point) {
            rows.push(tried)
        }
    }
    let names: Vec<String> = rows.iter().map(|r| r.point.name(&answer.now.point)).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    for (row, name) in rows.iter().zip(names) {
        let holder = row.limiting.as_ref().map_or("", |(holder, _)| holder);
        let (p99, more) = (ms(row.p99), slower(row));
        let _ = writeln!(text, "  {name:width$}  {p99:>16} {more:>8}  {:>16}  {holder}", time(row));
    }
}

fn ms(p99: Option<Stat>) -> String {
    match p99 {
        Some(s) if s.mean >= 10_000.0 => {
            format!("{:.1} ± {:.1} s", s.mean / 1e3, s.ci95 / 1e3)
        }
        Some(s) => format!("{:.0} ± {:.0} ms", s.mean, s.ci95),
        None => "?".into(),
    }
}

fn slower(tried: &Tried) -> String {
    tried.slowdown.map_or(String::new(), |s| format!("{:+.0} %", 100.0 * s.mean))
}

fn gentle(answer: &Answer, most: f64) -> String {
    let (best, most) = (answer.recommended(), format!("{:.0} %", 100.0 * most));
    if !answer.clients {
        return format!(
            "Whether clients are slowed down by {most} at most is not known: none given."
        );
    }
    if answer.is_gentle() {
        return format!("Clients' 99th percentile is longer by {most} at most.");
    }
    format!(
        "Nothing that was tried slows clients down by {most} at most: they and the copies use the \
         same disks and NICs. The gentlest is {}, {}.",
        best.point.name(&answer.now.point),
        slower(best)
    )
}

fn deadline(answer: &Answer, within: f64) -> String {
    let best = answer.recommended();
    if answer.is_in_time() {
        return format!("This is within {within:.0} s.");
    }
    let holder = best.limiting.as_ref().map_or("nothing that is known", |(holder, _)| holder);
    format!(
        "Nothing that was tried ends within {within:.0} s: {holder} forbids it. The best that can \
         be had is {}.",
        time(best)
    )
}

fn time(tried: &Tried) -> String {
    match tried.recovery {
        Some(s) if s.mean >= 600.0 => {
            format!("{:.1} ± {:.1} min", s.mean / 60.0, s.ci95 / 60.0)
        }
        Some(s) => format!("{:.1} ± {:.1} s", s.mean, s.ci95),
        None => "for ever".into(),
    }
}

fn held(tried: &Tried) -> String {
    let of =
        |(holder, share): &(String, f64)| format!(", held up by {holder} ({:.0} %)", 100.0 * share);
    tried.limiting.as_ref().map(of).unwrap_or_default()
}
