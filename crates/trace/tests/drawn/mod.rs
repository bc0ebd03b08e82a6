//! A trace as a drawing: a row an interval, as in docs/trace.md.
// Each test uses a part.
#![allow(dead_code)]
use std::collections::BTreeMap;
use trace::*;
use units::Nanos;

/// The trace, its entities by name, and the lines that are not rows.
pub struct Drawn {
    pub trace: Trace,
    pub entities: BTreeMap<String, EntityId>,
    pub commands: Vec<String>,
}

#[derive(Default)]
struct Drawing {
    builder: TraceBuilder,
    waits: Vec<String>,
    operations: Vec<String>,
    entities: BTreeMap<String, EntityId>,
    resources: BTreeMap<String, ResourceId>,
    commands: Vec<String>,
}

impl Drawn {
    /// Reads `ID KIND of ENTITY|in ID START-END CAUSE, …` and three lists of names.
    pub fn of(text: &str) -> Drawn {
        let mut drawing = Drawing::default();
        for line in text.lines().map(|line| line.split('#').next().unwrap().trim()) {
            let names = |list: &str| list.split_whitespace().map(String::from).collect();
            match (line.split_once(':'), line.chars().next()) {
                (_, None) => {}
                (Some(("waits", list)), _) => drawing.waits = names(list),
                (Some(("operations", list)), _) => drawing.operations = names(list),
                (Some(("entities", list)), _) => {
                    list.split_whitespace().for_each(|entity| drawing.entity(entity))
                }
                (_, Some('0'..='9')) => drawing.row(line),
                _ => drawing.commands.push(line.into()),
            }
        }
        let Drawing { builder, entities, commands, .. } = drawing;
        Drawn { trace: builder.finish(Nanos(0)), entities, commands }
    }
}

impl Drawing {
    /// `name<parent`; a trailing `!` marks a try.
    fn entity(&mut self, text: &str) {
        let (role, kind, text) = match text.strip_suffix('!') {
            Some(text) => (EntityRole::Try, "try", text),
            None => (EntityRole::Item, "item", text),
        };
        let kind = self.builder.entity_kind(role, kind, "{}").id();
        let (name, parent) = text.split_once('<').unwrap_or((text, ""));
        let mut entity = self.builder.entity(kind).name(name);
        if let Some(parent) = self.entities.get(parent) {
            entity = entity.parent(*parent)
        }
        let id = entity.add();
        self.entities.insert(name.into(), id);
    }

    fn resource(&mut self, name: &str) -> ResourceId {
        let kind = self.builder.resource_kind(ResourceRole::Disk, "r", "R").id();
        let builder = &mut self.builder;
        *self.resources.entry(name.into()).or_insert_with(|| builder.resource(kind, name).add())
    }

    fn row(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, kind, how, whose, window, ..] = words[..] else { panic!("{line}: no row") };
        let name = kind.to_string();
        let role = match () {
            () if self.waits.contains(&name) => IntervalRole::Wait,
            () if self.operations.contains(&name) => IntervalRole::Operation,
            () => IntervalRole::Work,
        };
        let other = format!("another {kind}");
        let kind = self.builder.interval_kind(role, kind, kind).other(&other).id();
        let (start, end) = window.split_once('-').unwrap();
        let time = |text: &str| Nanos(text.parse().unwrap());
        let mut row = Interval::new(kind, time(start), time(end));
        match how {
            "of" => row.subject = Some(self.entities[whose]),
            _ => row.parent = Some(IntervalId::of(whose.parse().unwrap())),
        }
        for (at, said) in words[5..].join(" ").split(", ").enumerate() {
            self.says(&mut row, at, said)
        }
        assert_eq!(self.builder.intervals(), id.parse::<usize>().unwrap(), "{line}: rows in order");
        // Unchanged: a row may refer to a later one.
        let placed = self.builder.interval(kind).from(row.start).to(row.end).push();
        *self.builder.interval_mut(placed) = row
    }

    /// The cause comes first; a later resource is used or wanted.
    fn says(&mut self, row: &mut Interval, at: usize, said: &str) {
        let (what, value) = said.split_once(' ').unwrap_or((said, ""));
        match what {
            "unexplained" => {}
            "phase" => row.cause = Cause::Phase,
            "resource" => {
                row.resource = Some(self.resource(value));
                if at == 0 {
                    row.cause = Cause::Resource(self.resource(value))
                }
            }
            "setting" => row.cause = Cause::Setting(self.builder.setting(value, "1")),
            "interval" => row.cause = Cause::Interval(IntervalId::of(value.parse().unwrap())),
            "need" => row.need = Some(value.parse().unwrap()),
            "queued" => row.queued = Nanos(value.parse().unwrap()),
            _ => panic!("{said}: says nothing"),
        }
    }
}
