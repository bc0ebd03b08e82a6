//! The table of a stripe and its traffic, as SVG.
use super::label;
use crate::layout::{Cell, Layout};
use crate::schedule::{Party, Schedule};
use std::fmt::Write;

/// Height of a row, and of the band of nodes \[px\].
const ROW: usize = 26;
const BAND: usize = 210;

/// In pixels; a character has about 7.
fn column_width(layout: &Layout) -> usize {
    let longest = layout.cells().map(|c| label(layout, c).len()).max().unwrap_or(0);
    (longest * 7 + 16).max(72)
}

/// A complete SVG file: the stripe's table with the schedule's traffic below it.
pub fn svg(layout: &Layout, title: &str, schedule: &Schedule) -> String {
    let wide = column_width(layout);
    let (width, top) = (wide * layout.nodes() + 40, 40);
    let height = top + ROW * (layout.rows() + 1) + BAND;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\" markerUnits=\"userSpaceOnUse\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"20\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    );
    for node in 0..layout.nodes() {
        column(layout, node, 20 + wide * node, wide, top, &mut out);
    }
    traffic(layout, schedule, wide, top + ROW * (layout.rows() + 1), &mut out);
    out + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn write(out: &mut String, line: std::fmt::Arguments<'_>) {
    out.write_fmt(line).expect("a String takes all");
}

fn column(layout: &Layout, node: usize, x: usize, wide: usize, top: usize, out: &mut String) {
    let middle = x + wide / 2;
    let centred = |y: usize, weight: &str, text: &str| {
        format!(
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" \
             font-weight=\"{weight}\">{text}</text>\n",
            y + 17
        )
    };
    out.push_str(&centred(top, "bold", &format!("node {node}")));
    for cell in layout.cells_of(node) {
        let y = top + ROW * (cell.row + 1);
        write(
            out,
            format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{ROW}\" fill=\"{}\" \
                 stroke=\"#999\"/>\n",
                colour(layout, cell)
            ),
        );
        out.push_str(&centred(y, "normal", &label(layout, cell)));
    }
}

/// Colours of data, row parity and diagonal parity.
fn colour(layout: &Layout, cell: Cell) -> &'static str {
    match layout.data_at(cell) {
        Some(_) => "#eef5fb",
        None if cell.node + 1 == layout.nodes() => "#f9dfc4",
        None => "#dcecd2",
    }
}

/// Arrows labelled with numbers of blocks: upwards from the client, curved between nodes.
fn traffic(layout: &Layout, schedule: &Schedule, wide: usize, y: usize, out: &mut String) {
    let x_of = |node: usize| 20 + wide * node + wide / 2;
    let client = (20 + wide * layout.nodes() / 2, y + BAND - 20);
    let (line, nodes_at) = (y + 70, layout.nodes());
    for from in (0..nodes_at).map(Party::Node).chain([Party::Client]) {
        for to in 0..nodes_at {
            let blocks = schedule.steps.iter().filter(|s| s.from == from && s.to == to).count();
            if blocks == 0 {
                continue;
            }
            let (x1, y1, bend) = match from {
                Party::Client => (client.0, client.1 - 12, line + 60),
                Party::Node(node) => {
                    (x_of(node), line - 8, line - 16 - 10 * node.abs_diff(to).min(5))
                }
            };
            let (x2, y2) = (x_of(to), if from == Party::Client { line + 14 } else { line - 8 });
            let (middle, label_y) =
                ((x1 + x2) / 2, if from == Party::Client { (y1 + y2) / 2 } else { bend + 6 });
            write(
                out,
                format_args!(
                    "<path d=\"M{x1} {y1}Q{middle} {bend} {x2} {y2}\" fill=\"none\" \
                 stroke=\"#555\" marker-end=\"url(#tip)\"/>\n<text x=\"{middle}\" \
                 y=\"{label_y}\" fill=\"#a33\" \
                 text-anchor=\"middle\">{blocks}</text>\n"
                ),
            );
        }
    }
    for node in 0..nodes_at {
        let (x, y) = (x_of(node), line + 8);
        write(
            out,
            format_args!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">node {node}</text>\n"),
        );
    }
    let (x, y) = client;
    write(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-weight=\"bold\">client</text>\n"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::pivot;

    #[test]
    fn each_cell_is_drawn_once_and_all_blocks_are_counted() {
        let layout = Layout::best(5).expect("a layout");
        let picture = svg(&layout, "n = 5 <pivot>", &pivot(&layout, 0));
        assert_eq!(picture.matches("<rect x=").count(), layout.nodes() * layout.rows());
        assert!(picture.contains("n = 5 &lt;pivot&gt;"));
        let labels = picture.match_indices("#a33\" text-anchor=\"middle\">");
        let counts = labels.map(|(at, mark)| {
            let number = &picture[at + mark.len()..];
            number[..number.find('<').expect("a tag")].parse::<usize>().expect("a number")
        });
        assert_eq!(counts.sum::<usize>(), 12 + 16, "data in, and all other cells out of the pivot");
        let cell = Cell { node: 4, row: 0 };
        assert!(picture.contains(&format!(">{}<", label(&layout, cell))));
    }
}
