//! Finished runs, kept next to a campaign's result until it is complete, so that a stopped campaign
//! can be resumed.
use super::comparison::{Figures, Pair};
use super::machine::Work;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use system::Failure;
use system::output::beside;

#[derive(Clone, PartialEq, Debug)]
pub struct MeasuredRun {
    pub pair: Pair,
    pub work: Work,
}

/// Finished runs, one per line, after a line that identifies the campaign.
pub struct Checkpoint {
    path: PathBuf,
    file: File,
    made: Vec<(String, u32, MeasuredRun)>,
}

impl Checkpoint {
    /// Opens the file next to `place` and reads the runs of the same campaign.
    ///
    /// # Errors
    /// Bad input: it has runs of another campaign. It cannot be written.
    pub fn beside(place: &Path, of: &Value) -> Result<Checkpoint, Failure> {
        let path = beside(place, ".runs.jsonl");
        let text = fs::read_to_string(&path).unwrap_or_default();
        // A truncated line is not a run.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        let head = lines.next().map(|line| serde_json::from_str::<Value>(line).ok());
        if head.as_ref().is_some_and(|head| head.as_ref() != Some(of)) {
            return Err(Failure::BadInput(format!(
                "{}: has finished runs of another scenario, Hadoop, jar or seeds: remove them, or \
                 choose another --out",
                path.display()
            )));
        }
        let made = lines.filter_map(|line| made(&serde_json::from_str(line).ok()?)).collect();
        let first = if head.is_none() { format!("{of}\n") } else { String::new() };
        let wrong = |e: std::io::Error| Failure::writing(&path, &e);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(wrong)?
        }
        let mut file = File::options().create(true).append(true).open(&path).map_err(wrong)?;
        file.set_len(whole.len() as u64).map_err(wrong)?;
        file.write_all(first.as_bytes()).map_err(wrong)?;
        Ok(Checkpoint { path, file, made })
    }

    /// `None`: not finished.
    pub fn find(&self, arm: &str, nth: u32) -> Option<&MeasuredRun> {
        let of = |(name, number, _): &&(String, u32, MeasuredRun)| name == arm && *number == nth;
        self.made.iter().find(of).map(|(_, _, made)| made)
    }

    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, arm: &str, nth: u32, made: MeasuredRun) -> Result<(), Failure> {
        let Pair { predicted, chance, measured } = &made.pair;
        let line = json!({
            "arm": arm,
            "run": nth,
            "predicted": predicted,
            "chance": chance,
            "measured": measured,
            "work": made.work.json(),
        });
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|e| Failure::writing(&self.path, &e))?;
        self.made.push((arm.to_string(), nth, made));
        Ok(())
    }

    pub fn forget(self) {
        let _ = fs::remove_file(self.path);
    }

    /// Adds to `why` how to resume; without a finished run the file is deleted.
    pub fn stopped(self, why: Failure) -> Failure {
        let n = self.made.len();
        if n == 0 {
            self.forget();
            return why;
        }
        let kept = format!(
            "{n} finished runs are kept in {}; the same command continues from there",
            self.path.display()
        );
        match why {
            Failure::Interrupted(_) => Failure::Interrupted(kept),
            Failure::Failed(words) => Failure::Failed(format!("{words}; {kept}")),
            other => other,
        }
    }
}

fn made(line: &Value) -> Option<(String, u32, MeasuredRun)> {
    let figures = |name: &str| -> Option<Figures> {
        let all = line[name].as_object()?.iter();
        all.map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
    };
    let pair = Pair {
        predicted: figures("predicted")?,
        chance: figures("chance")?,
        measured: figures("measured")?,
    };
    let made = MeasuredRun { pair, work: Work::of_json(&line["work"])? };
    Some((line["arm"].as_str()?.to_string(), line["run"].as_u64()?.try_into().ok()?, made))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64) -> MeasuredRun {
        let of = |value| [("job_s".to_string(), value)].into();
        let pair = Pair { predicted: of(1.5), chance: of(0.1), measured: of(seconds) };
        MeasuredRun { pair, work: Work { processors: 0.25, read: 7, written: 9 } }
    }

    #[test]
    fn a_stopped_campaign_goes_on() {
        let folder = std::env::temp_dir().join(format!("tenbin-kept-{}", std::process::id()));
        let (place, of) = (folder.join("twin"), json!({ "scenario": "x" }));
        let mut kept = Checkpoint::beside(&place, &of).expect("it is new");
        kept.add("fair", 1, run(3.0)).expect("room");
        kept.add("disk", 1, run(4.0)).expect("room");
        drop(kept);
        // Simulates a crash in the middle of a line.
        let path = folder.join("twin.runs.jsonl");
        let text = fs::read_to_string(&path).expect("it was written");
        fs::write(&path, format!("{text}{{\"arm\": \"fair\", \"ru")).expect("room");
        let mut kept = Checkpoint::beside(&place, &of).expect("the same");
        assert_eq!(kept.made.len(), 2);
        assert_eq!(kept.find("disk", 1), Some(&run(4.0)));
        assert_eq!((kept.find("fair", 2), kept.find("other", 1)), (None, None));
        kept.add("fair", 2, run(5.0)).expect("room");
        drop(kept);
        let kept = Checkpoint::beside(&place, &of).expect("the same");
        assert_eq!(kept.find("fair", 2), Some(&run(5.0)));
        let said = kept.stopped(Failure::Interrupted("stopped".into()));
        let Failure::Interrupted(words) = said else { panic!("{said:?}") };
        assert!(words.starts_with("3 finished runs are kept"), "{words}");
        let kept = Checkpoint::beside(&place, &of).expect("the same");
        assert!(Checkpoint::beside(&place, &json!({ "scenario": "y" })).is_err(), "another's");
        kept.forget();
        assert!(!path.exists());
        fs::remove_dir_all(folder).expect("it is ours")
    }
}
