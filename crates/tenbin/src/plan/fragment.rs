//! What to paste into `hdfs-site.xml`, with what each line changes, how it takes effect, and how to
//! undo it.
use super::answer::Tried;
use super::knob::Knob;
use super::point::Point;
use analysis::advice::{self, Apply};
use std::fmt::Write;

/// A changed setting as a person reads it.
pub struct Line {
    /// Real key.
    pub key: &'static str,
    /// "2 → 8"
    pub change: String,
    /// How it takes effect.
    pub how: String,
    /// How it is taken back.
    pub undo: String,
}

/// The lines of a point.
pub fn lines(point: &Point, now: &Point, namenode: Option<&str>) -> Vec<Line> {
    let line = |(knob, old, new): (Knob, u64, u64)| {
        let how = how(knob, namenode);
        let (old, new) = (knob.words(old), knob.words(new));
        let undo = format!("{old}, the same way");
        Line { key: knob.key(), change: format!("{old} → {new}"), how, undo }
    };
    point.changes(now).map(line).collect()
}

fn how(knob: Knob, namenode: Option<&str>) -> String {
    match advice::apply_key(knob.key()) {
        Apply::Live => {
            let namenode = namenode.unwrap_or("HOST:PORT");
            format!("live: hdfs dfsadmin -reconfig namenode {namenode} start")
        }
        Apply::LiveDataNodes => "live: hdfs dfsadmin -reconfig datanode HOST:PORT start".into(),
        Apply::NameNode => "restart of the NameNode".into(),
        Apply::DataNodes => "restart of the DataNodes".into(),
    }
}

/// The fragment; `None` where no setting changes.
pub fn xml(tried: &Tried, now: &Point, namenode: Option<&str>) -> Option<String> {
    let point = &tried.point;
    let mut text =
        String::from("<!-- tenbin plan rebuild: into <configuration> of hdfs-site.xml -->\n");
    let mut any = false;
    for ((knob, _, new), line) in point.changes(now).zip(lines(point, now, namenode)) {
        any = true;
        // Two hyphens would end a comment of XML in the wrong place; commands have none here.
        let _ = writeln!(text, "<!-- {}; {}; to undo: {} -->", line.change, line.how, line.undo);
        let _ = writeln!(text, "<property>");
        let _ = writeln!(text, "  <name>{}</name>", knob.key());
        let _ = writeln!(text, "  <value>{new}</value>");
        let _ = writeln!(text, "</property>");
    }
    any.then_some(text)
}
