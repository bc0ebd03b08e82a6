//! How evenly a load is spread: one dot per node.
use crate::kind::Unit;
use serde::{Deserialize, Serialize};

/// One dot per node (over 200: a histogram), at its load divided by the mean.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Balance {
    /// From top to bottom.
    pub panels: Vec<BalancePanel>,
    /// Node names in the order of [`BalanceRow::loads`]; empty if rows have different members.
    pub names: Vec<String>,
    /// Indices of filled dots, which share the cause; the others are hollow.
    pub marked: Vec<u32>,
    /// Meaning of a filled dot: "in /rack2, the lost node's".
    pub marked_note: String,
    /// A click on a dot opens the page "`open`/NAME": "node"; "" for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub open: String,
}

/// Rows with a common axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BalancePanel {
    /// "Sent".
    pub title: String,
    /// Meaning of 1 on the axis: "mean" or "median".
    pub centre: String,
    /// Value of the centre in the first row, for the axis.
    pub at: Option<f64>,
    /// Unit of `at`.
    pub unit: Unit,
    /// Head of the right column: "max/mean".
    pub head: String,
    /// Loads from here on are marked: 3 for stragglers.
    pub limit: Option<f64>,
    /// Rows.
    pub rows: Vec<BalanceRow>,
}

/// One distribution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BalanceRow {
    /// "now", "8 maps".
    pub name: String,
    /// Load divided by the centre; `None`: the node takes no part.
    pub loads: Vec<Option<f64>>,
    /// Right column: "1.36", "none marked".
    pub value: String,
    /// Label of the outermost dot: "m_000002, 1.03× the median".
    pub label: String,
}

impl BalancePanel {
    /// Loads divided by their mean, with max/mean on the right. `None`: the node takes no part.
    pub fn of_loads(title: &str, unit: &str, rows: &[(String, Vec<Option<f64>>)]) -> BalancePanel {
        let known = |loads: &[Option<f64>]| loads.iter().flatten().copied().collect::<Vec<f64>>();
        let mean = |loads: &[Option<f64>]| {
            let known = known(loads);
            // `sum` of an empty iterator is −0.0, which JSON shows.
            known.iter().fold(0.0, |sum, load| sum + load) / known.len().max(1) as f64
        };
        let row = |(name, loads): &(String, Vec<Option<f64>>)| {
            let (most, mean) = (known(loads).into_iter().fold(0.0, f64::max), mean(loads));
            let over = |load: f64| if mean > 0.0 { load / mean } else { 0.0 };
            BalanceRow {
                name: name.clone(),
                loads: loads.iter().map(|load| load.map(over)).collect(),
                value: crate::words::num(over(most), 2),
                label: String::new(),
            }
        };
        BalancePanel {
            title: title.into(),
            centre: "mean".into(),
            at: rows.first().map(|(_, loads)| mean(loads)),
            unit: unit.into(),
            head: "max/mean".into(),
            limit: None,
            rows: rows.iter().map(row).collect(),
        }
    }
}
