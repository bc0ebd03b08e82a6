//! Performs runs that another machine sent.
use crate::elsewhere::Task;
use crate::failure::Failure;
use crate::interrupt;
use crate::lab::{Lab, Row};
use crate::registry::Registry;
use std::collections::BTreeMap;

/// Performs tasks in this process, with the threads of its session. Fails if a scenario is another
/// one here.
pub fn perform(systems: &Registry, tasks: &[String]) -> Result<Vec<String>, Failure> {
    let wrong = |e| Failure::BadInput(format!("a task: {e}"));
    let read = |task: &String| serde_json::from_str::<Task>(task).map_err(wrong);
    let tasks = tasks.iter().map(read).collect::<Result<Vec<Task>, Failure>>()?;
    let mut by_scenario: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, task) in tasks.iter().enumerate() {
        by_scenario.entry(&task.hash).or_default().push(place)
    }
    let mut results = vec![String::new(); tasks.len()];
    for places in by_scenario.values() {
        let Task { system, text, file, sets, hash, is_brief, .. } = &tasks[places[0]];
        let system = systems.find(system).ok_or_else(|| {
            Failure::BadInput(format!("a task: {system}: no system of this tenbin"))
        })?;
        let lab = Lab::of(system)?;
        let sheet = lab.read_text(text, file, sets)?;
        if sheet.hash != *hash {
            return Err(Failure::BadInput(format!(
                "{}: its import is another file on this machine: expected a folder that all \
                 machines share",
                file.display()
            )));
        }
        let seeds: Vec<u64> = places.iter().map(|place| tasks[*place].seed).collect();
        let row = Row { name: String::new(), set: Vec::new(), sheet };
        let done = lab.run(&[row], &seeds, false, "tasks")?;
        interrupt::check()?;
        for (place, run) in places.iter().zip(&done.rows[0].runs) {
            results[*place] = lab.packed(run, *is_brief)
        }
    }
    Ok(results)
}
