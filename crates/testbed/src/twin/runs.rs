//! `tenbin twin SYSTEM`: from arguments to output.
use super::args::TwinArgs;
use super::campaign::{Arm, ArmRuns, Campaign};
use super::comparison::{Comparison, Pair};
use super::gains::Gains;
use super::machine::Work;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use system::{Failure, console};

pub type Note<'n> = &'n dyn Fn(&[Pair]) -> String;

/// Runs all arms of scenario `name` with the programs of a POM; writes and prints the results, with
/// `note` for each arm.
pub fn runs(
    args: &TwinArgs,
    (name, pom): (&str, &str),
    arms: Vec<Arm<'_>>,
    note: Note<'_>,
) -> Result<(), Failure> {
    let usual = || Path::new("out").join(format!("twin-{name}"));
    let place = args.out.clone().unwrap_or_else(usual);
    let campaign = Campaign::run(args, &place, pom, arms)?;
    let scenario = fs::read_to_string(&args.scenario)
        .map_err(|e| Failure::Failed(format!("{}: {e}", args.scenario.display())))?;
    let (object, text) = keep_with(campaign, args, (&scenario, note), true)?;
    match args.json {
        true => console::json(&object),
        false => console::text(&format!("{text}{}\n", place.display())),
    }
}

/// Publishes a campaign that is part of a larger one; its kept runs stay until the larger one ends.
///
/// # Errors
/// The results cannot be written; interrupted.
pub fn keep(campaign: Campaign, args: &TwinArgs, scenario: &str) -> Result<(), Failure> {
    keep_with(campaign, args, (scenario, &|_| String::new()), false).map(|_| ())
}

fn keep_with(
    campaign: Campaign,
    args: &TwinArgs,
    (scenario, note): (&str, Note<'_>),
    forget: bool,
) -> Result<(Value, String), Failure> {
    let object = Value::Object(object(args, &campaign));
    let text = text(&campaign.arms, note);
    campaign.out.write("twin.json", format!("{object:#}\n").as_bytes())?;
    campaign.out.write("twin.txt", text.as_bytes())?;
    campaign.out.write("scenario.toml", scenario.as_bytes())?;
    campaign.keep(forget)?;
    Ok((object, text))
}

/// Comparison of the first arm; for several arms, all of them with their difference to the first.
fn object(args: &TwinArgs, campaign: &Campaign) -> Map<String, Value> {
    let mut all = campaign.arms[0].json();
    if let [first, others @ ..] = &campaign.arms[..]
        && !others.is_empty()
    {
        let arm = |arm: &ArmRuns| (arm.name.clone(), Value::Object(arm.json()));
        let gain = |arm: &ArmRuns| (arm.name.clone(), Gains::of(first, arm).json());
        all.insert("arms".into(), Value::Object(campaign.arms.iter().map(arm).collect()));
        all.insert("longer".into(), Value::Object(others.iter().map(gain).collect()));
    }
    all.insert("scenario".into(), json!(args.scenario));
    all.insert("hadoop".into(), json!(args.hadoop));
    all.insert("seeds".into(), json!(args.seeds));
    all.insert("out".into(), json!(campaign.place));
    all
}

fn text(arms: &[ArmRuns], note: Note<'_>) -> String {
    let mut out = String::new();
    for arm in arms {
        if arms.len() > 1 {
            let _ = writeln!(out, "{}", arm.name);
        }
        let pairs = arm.pairs();
        out += &format!("{}{}{}", Comparison::of(&pairs).text(), note(&pairs), {
            Work::doubts(&arm.work())
        });
        if arms.len() > 1 {
            out += "\n"
        }
    }
    let others = arms.iter().skip(1);
    others.fold(out, |out, arm| out + &Gains::of(&arms[0], arm).text(&arm.name, &arms[0].name))
}
