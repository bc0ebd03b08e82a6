//! Instructions for an answer: lines of a site file, steps to apply them, and the file that undoes
//! them.
use crate::failure::Failure;
use crate::output::Output;
use page::{Body, Cell, Column, Row, Section, Table};
use std::fmt::Write;
use std::path::Path;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Runbook {
    /// Site file without its extension: "x-site".
    pub site: &'static str,
    /// The command that wrote the plan: "plan rebuild".
    pub command: &'static str,
    /// Further text at the head of the fragment: how the system treats two properties of one name.
    pub head: &'static str,
    /// Restrictions of the figures: "data drawn, not counted".
    pub doubts: Vec<String>,
    pub edits: Vec<Edit>,
    pub first: Vec<String>,
    /// Owner of the site file: "of each server"; or empty.
    pub whose: String,
    /// Steps that apply the lines and verify them.
    pub steps: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Edit {
    /// The name in this version of the system.
    pub key: String,
    pub value: String,
    /// For users: "2 → 8".
    pub change: String,
    /// Lines of a comment: how it takes effect, how it is undone, where it goes.
    pub notes: Vec<String>,
    /// The property is marked `<final>` and has to stay so.
    pub is_final: bool,
    pub back: Restore,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Restore {
    Value(String),
    /// The property was absent; this is its default.
    Remove(String),
    Note(String),
}

impl Runbook {
    pub fn edits(&self) -> bool {
        !self.edits.is_empty()
    }

    pub fn fragment_file(&self) -> String {
        format!("{}.fragment.xml", self.site)
    }

    pub fn undo_file(&self) -> String {
        format!("{}.undo.xml", self.site)
    }

    /// Text for the site file; empty without edits.
    pub fn fragment(&self) -> String {
        if !self.edits() {
            return String::new();
        }
        let mut text = format!(
            "<!-- tenbin {}: goes into <configuration> of {}.xml; it replaces a property of \
             the\n{:5}same name.{} -->\n",
            self.command, self.site, "", self.head
        );
        for doubt in &self.doubts {
            let _ = writeln!(
                text,
                "<!-- {}: the gain of these values depends on this setting -->",
                plain(doubt)
            );
        }
        for edit in &self.edits {
            let notes: Vec<String> = edit.notes.iter().map(|note| plain(note)).collect();
            let _ = writeln!(text, "<!-- {}; {} -->", edit.change, notes.join("\n     "));
            property(&mut text, &edit.key, &edit.value, edit.is_final)
        }
        text
    }

    /// The former values; a property that was absent is to be removed.
    pub fn undo(&self) -> String {
        if !self.edits() {
            return String::new();
        }
        let mut text = format!(
            "<!-- tenbin {}: undoes {}. Apply it in the same way. -->\n",
            self.command,
            self.fragment_file()
        );
        for edit in &self.edits {
            let key = &edit.key;
            let _ = match &edit.back {
                Restore::Value(value) => {
                    property(&mut text, key, value, edit.is_final);
                    Ok(())
                }
                Restore::Remove(default) => writeln!(
                    text,
                    "<!-- remove {key}: it was not set; its default is {default} -->"
                ),
                Restore::Note(note) => writeln!(text, "<!-- {key}: {} -->", plain(note)),
            };
        }
        text
    }

    pub fn steps(&self, folder: &Path) -> Vec<String> {
        let mut all = self.first.clone();
        if self.edits() {
            let (file, place) = (format!("{}.xml", self.site), folder.join(self.fragment_file()));
            let whose = if self.whose.is_empty() { "" } else { " " };
            all.push(format!("Edit {file}{whose}{}: {}.", self.whose, place.display()))
        }
        all.extend(self.steps.iter().cloned());
        if self.edits() {
            let undo = folder.join(self.undo_file());
            all.push(format!("Undo: apply the values of {} in the same steps.", undo.display()))
        }
        all
    }

    /// For the terminal: each line with its change, then the steps.
    pub fn text(&self, folder: &Path) -> String {
        let mut text = String::new();
        if self.edits.is_empty() && self.steps.is_empty() {
            return text;
        }
        text.push_str("Do:\n");
        let width = self.edits.iter().map(|edit| edit.key.len()).max().unwrap_or(0);
        for edit in &self.edits {
            let _ = writeln!(text, "  {:width$}  {:>8}", edit.key, edit.change);
        }
        for (number, step) in (1..).zip(self.steps(folder)) {
            let _ = writeln!(text, "  {number}. {step}");
        }
        text
    }

    pub fn section(&self, folder: &Path) -> Section {
        let columns = vec![Column::words(""), Column::words("step")];
        let row = |(number, step): (usize, String)| {
            Row::new(vec![Cell::text(number.to_string().as_str()), Cell::text(step.as_str())])
        };
        let rows = (1..).zip(self.steps(folder)).map(row).collect();
        Section::new("do", "Do", "in this order", Body::Table(Table { columns, rows }))
    }

    /// Writes the fragment and the undo file, if there are edits.
    pub fn write(&self, out: &Output) -> Result<(), Failure> {
        if self.edits() {
            out.write(&self.fragment_file(), self.fragment().as_bytes())?;
            out.write(&self.undo_file(), self.undo().as_bytes())?
        }
        Ok(())
    }
}

/// Two hyphens would end an XML comment.
fn plain(note: &str) -> String {
    note.replace("--", "- -")
}

fn property(text: &mut String, key: &str, value: &str, is_final: bool) {
    let value = value.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(text, "<property>\n  <name>{key}</name>\n  <value>{value}</value>");
    if is_final {
        let _ = writeln!(text, "  <final>true</final>");
    }
    let _ = writeln!(text, "</property>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(key: &str, back: Restore) -> Edit {
        Edit {
            key: key.into(),
            value: "8".into(),
            change: "2 → 8".into(),
            notes: vec!["live: tool --x".into()],
            is_final: key == "b",
            back,
        }
    }

    fn runbook() -> Runbook {
        let back =
            [Restore::Value("2".into()), Restore::Remove("2".into()), Restore::Note("c".into())];
        let edits = ["a", "b", "c"].into_iter().zip(back).map(|(key, back)| edit(key, back));
        Runbook { site: "x-site", command: "plan x", edits: edits.collect(), ..Runbook::default() }
    }

    #[test]
    fn what_was_there_is_set_back_and_what_was_not_is_removed() {
        let undo = runbook().undo();
        assert!(undo.contains("<name>a</name>\n  <value>2</value>"), "{undo}");
        assert!(undo.contains("remove b: it was not set; its default is 2"), "{undo}");
        assert!(undo.contains("<!-- c: c -->"), "{undo}");
        assert_eq!(undo.matches("<property>").count(), 1);
    }

    #[test]
    fn a_comment_holds_no_two_hyphens_and_a_final_stays_final() {
        let text = runbook().fragment();
        assert!(text.contains("2 → 8; live: tool - -x -->"), "{text}");
        assert_eq!(text.matches("<final>true</final>").count(), 1);
        let inside = text.split("<!--").skip(1).filter_map(|part| part.split("-->").next());
        assert!(inside.clone().all(|comment| !comment.contains("--")), "{text}");
    }

    #[test]
    fn nothing_to_edit_is_no_file_and_no_step() {
        let none = Runbook { edits: Vec::new(), ..runbook() };
        assert_eq!((none.fragment().as_str(), none.undo().as_str()), ("", ""));
        assert_eq!(none.text(Path::new("out")), "");
        let steps = runbook().steps(Path::new("out"));
        assert_eq!(steps[0], "Edit x-site.xml: out/x-site.fragment.xml.");
        assert_eq!(steps[1], "Undo: apply the values of out/x-site.undo.xml in the same steps.");
    }
}
