//! Prints the result as text and JSON.
use crate::diverge::Divergence;
use crate::sums::{Difference, Line, Sums, Window};
use serde_json::{Value, json};

pub(super) fn text(found: &Divergence) -> String {
    let mut text = match &found.difference {
        Difference::Event(a, b) => event(a.as_deref(), b.as_deref()),
        Difference::Within { window, lps } => within(found, *window, lps),
        Difference::None => none(found),
    };
    for (name, sums) in [("A", &found.a), ("B", &found.b)] {
        text += &format!("{name}: {}\n", of(sums));
        if let Some(said) = &sums.panicked {
            text += &format!("{name} panicked; before the panic: {said}\n")
        }
    }
    text
}

fn of(sums: &Sums) -> String {
    let Sums { command, version, events, .. } = sums;
    format!("{events} events, trace hash {}, tenbin {version}: {command}", hash(sums))
}

fn hash(sums: &Sums) -> String {
    sums.trace_hash.into()
}

/// Events of one time are ordered by their tie; last words follow all events.
fn event(a: Option<&Line>, b: Option<&Line>) -> String {
    let Some(line) = a.or(b) else { return String::new() };
    let Line { time_ns, tie, lp, .. } = line;
    let mut text = match line.is_last() {
        true => format!("first difference: LP {lp} after the end, {time_ns} ns\n"),
        false => format!("first difference: LP {lp} at {time_ns} ns, key ({time_ns}, {tie})\n"),
    };
    text += &format!("what: {}\n", what(a, b));
    for (name, line) in [("A", a), ("B", b)] {
        text += &match line {
            None => format!("  {name}  no such event\n"),
            Some(l) if l.event.is_empty() => format!("  {name}  records [{}]\n", l.records),
            Some(l) => format!("  {name}  {}, records [{}]\n", l.event, l.records),
        }
    }
    text
}

fn what(a: Option<&Line>, b: Option<&Line>) -> &'static str {
    match (a, b) {
        (Some(_), None) => "B does not have this event",
        (None, _) => "A does not have this event",
        (Some(a), Some(_)) if a.is_last() => "the final state, or its record",
        (Some(a), Some(b)) if a.payload != b.payload => "the payload",
        (Some(_), Some(_)) => "the records",
    }
}

fn within(found: &Divergence, window: Window, lps: &[(u32, u32)]) -> String {
    let lps: Vec<String> = lps.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    let where_ = match window {
        Window::END => "after the end".to_string(),
        Window { from, to: u64::MAX } => format!("from {from} ns on"),
        Window { from, to } => format!("from {from} ns, before {to} ns"),
    };
    let mut text = format!("first difference: {where_}, LPs {}\n", lps.join(", "));
    text += "to find the event, run each once more, then `tenbin bench diverge` again:\n";
    for sums in [&found.a, &found.b] {
        text += &format!("  {}\n", again(&sums.command, window))
    }
    text
}

fn again(command: &str, window: Window) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let at = words.iter().position(|word| *word == "--within");
    let kept =
        words.iter().enumerate().filter(|(i, _)| at.is_none_or(|at| *i != at && *i != at + 1));
    let mut text = kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ");
    if !words.contains(&"--sums") {
        text += " --sums FILE"
    }
    format!("{text} --within {window}")
}

fn none(found: &Divergence) -> String {
    if let Some(window) = found.unsteady {
        return format!(
            "the runs differ, each time in another place, the last time at {window} ns: a handler \
             depends on something outside the run, such as a static or a clock; `--scheduler \
             rollback-check` may find it\n"
        );
    }
    if found.a.trace_hash != found.b.trace_hash {
        return "no event differs, but the trace hashes do: a scheduler sums its work wrongly; this \
                is a bug in the engine\n"
            .into();
    }
    match found.a.window {
        Window::WHOLE => "no difference\n".into(),
        window => format!("no difference within {window}\n"),
    }
}

pub(super) fn object(found: &Divergence) -> Value {
    let run = |sums: &Sums| {
        let Sums { command, version, events, .. } = sums;
        json!({ "command": command, "version": version, "events": events,
                "trace_hash": hash(sums), "panicked": sums.panicked })
    };
    let mut object = json!({
        "same": found.difference == Difference::None && found.unsteady.is_none()
            && found.a.trace_hash == found.b.trace_hash,
        "of": found.a.of,
        "a": run(&found.a),
        "b": run(&found.b),
    });
    match &found.difference {
        Difference::None => {}
        Difference::Within { window, lps } => {
            object["within"] = json!({ "from_ns": window.from, "to_ns": window.to, "lps": lps })
        }
        Difference::Event(a, b) => {
            let line = a.as_ref().or(b.as_ref()).expect("one of them has it");
            object["first"] = json!({
                "time_ns": line.time_ns, "tie": line.tie, "lp": line.lp,
                "what": what(a.as_deref(), b.as_deref()), "a": a, "b": b,
            })
        }
    }
    if let Some(window) = found.unsteady {
        object["unsteady"] = json!({ "from_ns": window.from, "to_ns": window.to })
    }
    object
}
