//! Verdicts as text: the output of `tenbin why`.
use super::head;
use crate::plain::{count, duration, percent, plain, printable, printable_whole, when};
use crate::why::{Explanation, JobExplanation, Remedy, Verdict, WithheldTime, causes};

/// The first `most` jobs, and the number of others.
pub fn text(why: &Explanation, most: usize) -> String {
    let jobs: Vec<String> = why.jobs.iter().take(most).map(of_job).collect();
    let more = why.jobs.len().saturating_sub(most);
    let tail = format!("\n{} more; --job JOB explains one\n", count(more, "job"));
    jobs.join("\n") + &when(more > 0, || tail)
}

pub fn lines(why: &Explanation, most: usize) -> String {
    let lines: String = why.jobs.iter().take(most).map(line).collect();
    match why.jobs.len().saturating_sub(most) {
        0 => lines,
        more => format!("{lines}{} more\n", count(more, "job")),
    }
}

/// The verdict, preceded by name and ID unless it starts with them.
fn line(why: &JobExplanation) -> String {
    let verdict = plain(page::plain(&head::verdict(why).done()));
    let (name, id) = (printable(&why.name), printable(&why.id));
    let named = !name.is_empty() && verdict.starts_with(&name);
    match named {
        true if name == id => format!("{verdict}\n"),
        true => format!("{id}: {verdict}\n"),
        false => format!("{}: {verdict}\n", called(why)),
    }
}

/// Name and ID, or only the ID if they are equal.
fn called(why: &JobExplanation) -> String {
    let (name, id) = (printable(&why.name), printable(&why.id));
    match name.is_empty() || name == id {
        true => id,
        false => format!("{name} {id}"),
    }
}

fn of_job(why: &JobExplanation) -> String {
    let job = &why.job;
    let mut out = format!(
        "{}   {}   {}   {}, {}   queue {}\n",
        called(why),
        printable(&why.status),
        duration(job.duration_s()),
        count(why.maps, "map"),
        count(why.reduces, "reduce"),
        printable(&job.queue)
    );
    out.push_str(&format!("{}\n", plain(page::plain(&head::verdict(why).done()))));
    if why.status == "UNKNOWN" {
        out.push_str("The history ends before the job: all values are up to its last event.\n")
    }
    for note in &why.notes {
        out.push_str(&format!("Note: {}.\n", printable_whole(note)))
    }
    let quiet = why.verdicts.first().is_some_and(|v| v.cause == causes::nothing::NAME);
    for verdict in &why.verdicts {
        out.push_str(&format!(
            "  {}: {}{} (certainty: {})\n",
            verdict.cause,
            share(verdict),
            printable(&verdict.holder),
            verdict.certainty
        ));
        for evidence in verdict.evidence.iter().take(6) {
            out.push_str(&format!("    {} [{}]\n", printable(&evidence.says), evidence.source))
        }
        if !verdict.remedy.is_none() && !quiet && verdict.is_worth_it() {
            out.push_str(&format!("    Do: {}.\n", remedy(&verdict.remedy)));
            if !verdict.confirmation.is_empty() {
                out.push_str(&format!("    To confirm: {}\n", verdict.confirmation))
            }
        }
    }
    let steps: Vec<String> = why
        .critical_path
        .iter()
        .map(|step| format!("{} {}", printable(&step.what), duration(step.seconds)))
        .collect();
    out.push_str(&format!("Critical path: {}\n", steps.join(" → ")));
    for kind in &why.stragglers {
        for one in &kind.marked {
            out.push_str(&format!(
                "Straggler: {} took {}, {:.1}× the median of {}s; {}\n",
                printable(&one.name),
                duration(one.took),
                one.times,
                kind.name,
                one.cause
            ))
        }
    }
    out.push_str(&withheld(why));
    out.push_str(&format!(
        "{} · {} · tasks: {} failed, {} killed\n",
        head::attempts(why).join(" · "),
        head::local(why, "data-local"),
        why.tasks_failed,
        why.tasks_killed
    ));
    let first = why.verdicts.first().filter(|v| v.remedy.is_none() || !v.is_worth_it());
    if let Some(surer) = first.map(|v| v.confirmation).filter(|s| !s.is_empty()) {
        out.push_str(&format!("To be sure add: {surer}\n"))
    }
    out
}

/// "Let reduces start later (mapreduce.job.reduce.slowstart.completedmaps)".
pub(crate) fn remedy(remedy: &Remedy) -> String {
    printable(&remedy.what) + &when(!remedy.key.is_empty(), || format!(" ({})", remedy.key))
}

fn withheld(why: &JobExplanation) -> String {
    const MOST: usize = 20;
    let line = |one: &WithheldTime| {
        format!(
            "Withheld: {} from {}, {}, {}; tasks waited in {} of it\n",
            one.rule,
            printable(&one.node),
            count(one.times, "time"),
            duration(one.seconds),
            duration(one.waiting_s)
        )
    };
    let lines: String = why.withheld.iter().take(MOST).map(line).collect();
    match why.withheld.len().saturating_sub(MOST) {
        0 => lines,
        more => format!("{lines}Withheld: {} more\n", count(more, "node")),
    }
}

/// "about 27 % of the job's time, at most 31 %; ", or "" for verdicts without a gain.
fn share(verdict: &Verdict) -> String {
    let most = percent(verdict.share_high);
    let about = percent(verdict.share);
    match (verdict.share > 0.0, verdict.share_high > 0.0) {
        (true, _) if about == most => format!("about {about} of the job's time; "),
        (true, _) => format!("about {about} of the job's time, at most {most}; "),
        (false, true) => format!("at most {most} of the job's time; "),
        (false, false) => String::new(),
    }
}
