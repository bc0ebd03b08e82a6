//! Text for a plain terminal: ASCII, lines of at most 100 columns.
use crate::words::MINUS;

const WIDTH: usize = 100;
const LABEL: usize = 13;

/// Appends `text` in lines of at most 100 columns, indented after `label`. Appends nothing if both
/// are empty.
pub fn wrap(lines: &mut Vec<String>, label: &str, text: &str) {
    let indent = if label.is_empty() { 0 } else { LABEL };
    let mut line = format!("{label:indent$}");
    let mut empty = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let word = ascii(word);
        if !empty && line.len() + 1 + word.len() > WIDTH {
            lines.push(line);
            line = " ".repeat(indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
        empty = false;
    }
    if !empty {
        lines.push(line);
    }
}

/// Replaces other characters. Wrap first: non-breaking spaces become plain ones.
pub fn ascii(text: &str) -> String {
    let replaced = crate::words::spaces(text).replace(MINUS, "-");
    let mut out = String::new();
    for letter in replaced.chars() {
        match letter {
            '–' | '—' => out.push('-'),
            '±' => out.push_str("+-"),
            '×' => out.push('x'),
            '…' => out.push_str("..."),
            '→' => out.push_str("->"),
            '“' | '”' => out.push('"'),
            '’' => out.push('\''),
            '·' => out.push('|'),
            letter if letter.is_ascii() => out.push(letter),
            // Names of nodes and files may have any character.
            _ => out.push('?'),
        }
    }
    out
}

/// Formats rows as lines; columns are right-aligned except `left`.
pub fn aligned(cells: &[Vec<String>], left: &[usize]) -> Vec<String> {
    let columns = cells.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match left
            .contains(&column)
        {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    cells.iter().map(line).collect()
}
