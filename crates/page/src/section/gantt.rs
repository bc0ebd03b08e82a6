//! Rows of bars over time: tasks, jobs, flushes, elections.
use crate::kind::{Axis, Kind, Moment};
use serde::{Deserialize, Serialize};
use units::{u32_of, usize_of};

/// Rows of bars over time, up to 100 000: groups fold, and the UI draws only visible rows.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Gantt {
    /// The time axis.
    pub x: Axis,
    /// Groups by node or queue.
    pub groups: Vec<GanttGroup>,
    /// Heads of the columns on the right.
    pub columns: Vec<GanttColumn>,
    /// Name of the top lane, which counts concurrent bars ("running"); "" for none.
    pub overview: String,
    /// Labelled lines across all rows.
    pub moments: Vec<Moment>,
    /// Explains marks without a label.
    pub legend: Vec<Legend>,
}

impl Gantt {
    /// Drops columns without a number, such as CPU time of simulated tasks.
    #[must_use]
    pub fn filled(mut self) -> Gantt {
        let empty = |value: &String| {
            value.chars().all(|c| "0.,".contains(c)) || value == crate::words::NONE
        };
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let stays: Vec<bool> = (0..self.columns.len())
            .map(|at| rows().any(|row| row.values.get(at).is_some_and(|value| !empty(value))))
            .collect();
        let place = |at: usize| stays[..at].iter().filter(|stays| **stays).count();
        for row in self.groups.iter_mut().flat_map(|group| &mut group.rows) {
            let all = std::mem::take(&mut row.values).into_iter().enumerate();
            row.values = all.filter(|(at, _)| stays[*at]).map(|(_, value)| value).collect();
            let strong = row.strong.iter().filter(|at| stays[usize_of(u64::from(**at))]);
            row.strong = strong.map(|at| u32_of(place(usize_of(u64::from(*at))))).collect()
        }
        let columns = std::mem::take(&mut self.columns).into_iter().enumerate();
        self.columns = columns.filter(|(at, _)| stays[*at]).map(|(_, column)| column).collect();
        self
    }
}

/// Rows of one node or queue.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GanttGroup {
    /// "nm:33879".
    pub title: String,
    /// "4 maps, 2 reduces".
    pub note: String,
    /// Sorted by start.
    pub rows: Vec<GanttRow>,
}

/// A column of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GanttColumn {
    /// "took, s".
    pub head: String,
}

/// A line of the legend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Legend {
    /// Style of the mark; `None`: a tick.
    pub style: Option<BarStyle>,
    /// Its hue.
    pub kind: Option<Kind>,
    /// "waits for a container".
    pub name: String,
}

/// One row.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GanttRow {
    /// "m_000007".
    pub name: String,
    /// Sorted by start; later bars cover earlier ones.
    pub bars: Vec<Bar>,
    /// One formatted number per column; "–" if not applicable.
    pub values: Vec<String>,
    /// On the critical path: heavy outline, bold name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub critical: bool,
    /// Indices of bold `values`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub strong: Vec<u32>,
    /// Additional hover text: "disk 3 here, to dn-04 disk 1".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub note: String,
    /// Page below that a click opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub open: Option<String>,
}

/// Style of a bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum BarStyle {
    /// 3 px: waits for a scheduler or container.
    Wait,
    /// 1.5 px: delayed by a setting.
    Held,
    /// An outline; with a hue filled in a pale tone.
    Runs,
    /// Filled with its hue: the cause is known.
    Solid,
}

/// A period of a row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bar {
    /// Its begin.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Style.
    pub style: BarStyle,
    /// Hue; waits are grey and `Held` bars violet without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kind: Option<Kind>,
    /// Ends of phases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub ticks: Vec<f64>,
    /// (time, fraction done 0–1), drawn as filled height.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub progress: Vec<(f64, f64)>,
    /// After the bar: X failed, K killed, S speculative.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub letters: String,
    /// Text on the bar if it fits: a reason, a setting's key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub label: String,
}

impl Bar {
    /// A bar without hue and label.
    pub fn new(style: BarStyle, from: f64, to: f64) -> Bar {
        Bar {
            from,
            to,
            style,
            kind: None,
            ticks: Vec::new(),
            progress: Vec::new(),
            letters: String::new(),
            label: String::new(),
        }
    }

    /// Sets the hue.
    pub fn kind(mut self, kind: Kind) -> Bar {
        self.kind = Some(kind);
        self
    }

    /// Sets the label.
    pub fn label(mut self, label: impl Into<String>) -> Bar {
        self.label = label.into();
        self
    }
}

impl GanttRow {
    /// A row without marks.
    pub fn new(name: impl Into<String>, bars: Vec<Bar>, values: Vec<String>) -> GanttRow {
        GanttRow { name: name.into(), bars, values, ..GanttRow::default() }
    }
}
