//! `tenbin twin SYSTEM`, from its arguments to what it prints.
use super::args::TwinArgs;
use super::campaign::{Arm, Campaign, Done};
use super::compared::{Compared, Pair};
use super::gains::Gains;
use super::machine::Work;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use system::output::Output;
use system::{Failure, console};

/// Makes all runs of all arms of the scenario of this name with the programs of a POM, and writes
/// and prints what came of them, with what `note` says of an arm.
///
/// # Errors
/// As [`Campaign::run`].
pub fn runs(
    args: &TwinArgs,
    (name, pom): (&str, &str),
    arms: Vec<Arm<'_>>,
    note: &dyn Fn(&[Pair]) -> String,
) -> Result<(), Failure> {
    let usual = || Path::new("out").join(format!("twin-{name}"));
    let place = args.out.clone().unwrap_or_else(usual);
    let campaign = Campaign::run(args, &place, pom, arms)?;
    let object = Value::Object(object(args, &campaign));
    let text = text(&campaign.arms, note);
    write(&campaign.out, &args.scenario, (&object, &text))?;
    campaign.keep()?;
    match args.json {
        true => console::json(&object),
        false => console::text(&format!("{text}{}\n", place.display())),
    }
}

/// Writes what came of a campaign, but for the runs' own folders.
///
/// # Errors
/// It cannot be written.
pub fn write(out: &Output, scenario: &Path, (object, text): (&Value, &str)) -> Result<(), Failure> {
    out.write("twin.json", format!("{object:#}\n").as_bytes())?;
    out.write("twin.txt", text.as_bytes())?;
    let copy = out.path("scenario.toml");
    fs::copy(scenario, &copy).map_err(|e| Failure::writing(&copy, &e))?;
    Ok(())
}

/// The first arm's comparison; of several, all, and how each differs from the first.
fn object(args: &TwinArgs, campaign: &Campaign) -> Map<String, Value> {
    let mut all = campaign.arms[0].json();
    if let [first, others @ ..] = &campaign.arms[..]
        && !others.is_empty()
    {
        let arm = |arm: &Done| (arm.name.clone(), Value::Object(arm.json()));
        let gain = |arm: &Done| (arm.name.clone(), Gains::of(first, arm).json());
        all.insert("arms".into(), Value::Object(campaign.arms.iter().map(arm).collect()));
        all.insert("longer".into(), Value::Object(others.iter().map(gain).collect()));
    }
    all.insert("scenario".into(), json!(args.scenario));
    all.insert("hadoop".into(), json!(args.hadoop));
    all.insert("seeds".into(), json!(args.seeds));
    all.insert("out".into(), json!(campaign.place));
    all
}

/// The same for people.
fn text(arms: &[Done], note: &dyn Fn(&[Pair]) -> String) -> String {
    let mut out = String::new();
    for arm in arms {
        if arms.len() > 1 {
            let _ = writeln!(out, "{}", arm.name);
        }
        let pairs = arm.pairs();
        out += &format!("{}{}{}", Compared::of(&pairs).text(), note(&pairs), {
            Work::doubts(&arm.work())
        });
        if arms.len() > 1 {
            out += "\n"
        }
    }
    let others = arms.iter().skip(1);
    others.fold(out, |out, arm| out + &Gains::of(&arms[0], arm).text(&arm.name, &arms[0].name))
}
