//! One line chart as SVG: a curve a scheme over N, with intervals, and the document's levels beside
//! it.
use std::fmt::Write;

/// Width and height of a chart \[px\].
const SIZE: (f64, f64) = (560.0, 340.0);
/// Space for the labels at the left, right, top and bottom \[px\].
const LEFT: f64 = 44.0;
const RIGHT: f64 = 108.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 44.0;
/// From a curve's end to its name: beside a range of the document \[px\].
const NAME_FROM: f64 = 24.0;
/// Half the width of a range \[px\].
const HALF_RANGE: f64 = 18.0;
/// Labels at the right stand at least so far apart \[px\].
const LINE: f64 = 15.0;

/// A value with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dot {
    /// DataNodes.
    pub n: u32,
    /// Mean [MB/s].
    pub y: f64,
    /// Half width of its interval [MB/s].
    pub spread: f64,
}

/// A curve.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Written at its end.
    pub name: &'static str,
    /// Class of its stroke: `solid`, `dashed`, `dotted`.
    pub stroke: &'static str,
    /// By N.
    pub dots: Vec<Dot>,
}

/// What the document says.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A level for all N.
    Level {
        /// [MB/s]
        y: f64,
        /// Written on it.
        text: String,
    },
    /// A range at one N.
    Range {
        /// DataNodes.
        n: u32,
        /// From [MB/s].
        low: f64,
        /// To [MB/s]; equal to `low` for a single value.
        high: f64,
    },
}

/// One chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// For readers who do not see it.
    pub title: String,
    /// The values of N, left to right.
    pub sizes: Vec<u32>,
    /// Largest value of the axis [MB/s].
    pub top: f64,
    /// Ours.
    pub curves: Vec<Curve>,
    /// The document's.
    pub marks: Vec<Mark>,
}

impl Chart {
    /// The whole element.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        let (w, h) = SIZE;
        let _ = write!(
            out,
            "<svg viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{}\">",
            escape(&self.title)
        );
        self.axes(&mut out);
        titles(&mut out);
        self.marks.iter().for_each(|m| self.mark(&mut out, m));
        self.curves.iter().for_each(|c| self.curve(&mut out, c));
        self.names(&mut out);
        out + "</svg>"
    }

    /// N stands in steps of equal width: the document doubles it.
    fn x(&self, n: u32) -> f64 {
        let place = self.sizes.iter().position(|&s| s == n).expect("a size of this chart");
        let step = (SIZE.0 - LEFT - RIGHT) / self.sizes.len() as f64;
        LEFT + step * (place as f64 + 0.5)
    }

    fn y(&self, value: f64) -> f64 {
        SIZE.1 - BOTTOM - value / self.top * (SIZE.1 - TOP - BOTTOM)
    }

    fn axes(&self, out: &mut String) {
        let (x0, x1) = (LEFT, SIZE.0 - RIGHT);
        for tick in ticks(self.top) {
            let y = self.y(tick);
            let class = if tick == 0.0 { "axis" } else { "grid" };
            let _ = write!(
                out,
                "<line class=\"{class}\" x1=\"{x0}\" x2=\"{x1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{tick}</text>",
                x0 - 8.0,
                y + 4.0
            );
        }
        let y = SIZE.1 - BOTTOM;
        for &n in &self.sizes {
            let x = self.x(n);
            let _ = write!(
                out,
                "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y}\" y2=\"{}\"/>\
                 <text class=\"tick middle\" x=\"{x:.1}\" y=\"{}\">{n}</text>",
                y + 4.0,
                y + 19.0
            );
        }
    }

    fn mark(&self, out: &mut String, mark: &Mark) {
        match mark {
            Mark::Level { y, text } => {
                let (x0, x1, y) = (LEFT, SIZE.0 - RIGHT, self.y(*y));
                let _ = write!(
                    out,
                    "<line class=\"document\" x1=\"{x0}\" x2=\"{x1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                     <text class=\"note\" x=\"{}\" y=\"{:.1}\">{}</text>",
                    x0 + 4.0,
                    y - 6.0,
                    escape(text)
                );
            }
            Mark::Range { n, low, high } => {
                let (x, top, bottom) = (self.x(*n), self.y(*high), self.y(*low));
                let _ = write!(
                    out,
                    "<rect class=\"document\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
                     height=\"{:.1}\"/>",
                    x - HALF_RANGE,
                    top - 1.0,
                    2.0 * HALF_RANGE,
                    (bottom - top + 2.0).max(3.0)
                );
            }
        }
    }

    fn curve(&self, out: &mut String, curve: &Curve) {
        let at = |d: &Dot| format!("{:.1},{:.1}", self.x(d.n), self.y(d.y));
        let points: Vec<String> = curve.dots.iter().map(at).collect();
        let _ =
            write!(out, "<polyline class=\"{}\" points=\"{}\"/>", curve.stroke, points.join(" "));
        for dot in &curve.dots {
            let x = self.x(dot.n);
            let (low, high) = (self.y(dot.y - dot.spread), self.y(dot.y + dot.spread));
            let _ = write!(
                out,
                "<line class=\"spread\" x1=\"{x:.1}\" x2=\"{x:.1}\" \
                 y1=\"{high:.1}\" y2=\"{low:.1}\"/>\
                 <circle r=\"3\" cx=\"{x:.1}\" cy=\"{:.1}\"><title>{}, N = {}: {:.0} ± {:.0} MB/s\
                 </title></circle>",
                self.y(dot.y),
                curve.name,
                dot.n,
                dot.y,
                dot.spread
            );
        }
    }

    /// Value and name at the end of each curve, moved apart where curves end together.
    fn names(&self, out: &mut String) {
        let mut ends: Vec<(&Curve, Dot)> =
            self.curves.iter().filter_map(|c| Some((c, *c.dots.last()?))).collect();
        ends.sort_by(|a, b| b.1.y.total_cmp(&a.1.y));
        let mut lowest = f64::NEG_INFINITY;
        for (curve, dot) in ends {
            let y = (self.y(dot.y) + 4.0).max(lowest + LINE);
            lowest = y;
            let _ = write!(
                out,
                "<text class=\"name\" x=\"{:.1}\" y=\"{y:.1}\">\
                 <tspan class=\"value\">{:.0}</tspan> {}</text>",
                self.x(dot.n) + NAME_FROM,
                dot.y,
                curve.name
            );
        }
    }
}

/// What the axes show, with units.
fn titles(out: &mut String) {
    let (middle, foot) = ((LEFT + SIZE.0 - RIGHT) / 2.0, SIZE.1 - 4.0);
    let _ = write!(
        out,
        "<text class=\"axis-name\" x=\"0\" y=\"12\">Throughput, MB/s</text>\
         <text class=\"axis-name middle\" x=\"{middle}\" y=\"{foot}\">DataNodes per rack</text>"
    );
}

/// Three or four round values from 0 up.
fn ticks(top: f64) -> Vec<f64> {
    let raw = top / 4.0;
    let mut power = 1.0;
    while power * 10.0 <= raw {
        power *= 10.0;
    }
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|s| s * power)
        .find(|s| *s >= raw)
        .unwrap_or(10.0 * power);
    (0..).map(|i| f64::from(i) * step).take_while(|t| *t <= top).collect()
}

/// For text and attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(400.0), [0.0, 100.0, 200.0, 300.0, 400.0]);
        assert_eq!(ticks(1740.0), [0.0, 500.0, 1000.0, 1500.0]);
        for top in [7.0, 90.0, 333.0, 2600.0] {
            assert!((3..=6).contains(&ticks(top).len()), "{top}: {:?}", ticks(top));
        }
    }

    #[test]
    fn names_of_curves_that_end_together_stand_apart() {
        let curve =
            |name, y| Curve { name, stroke: "solid", dots: vec![Dot { n: 8, y, spread: 1.0 }] };
        let chart = Chart {
            title: "a < b".into(),
            sizes: vec![8],
            top: 100.0,
            curves: vec![curve("one", 50.0), curve("two", 51.0)],
            marks: Vec::new(),
        };
        let svg = chart.svg();
        let heights: Vec<f64> = svg
            .split("class=\"name\"")
            .skip(1)
            .map(|s| s.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(heights.len(), 2);
        assert!(heights[1] - heights[0] >= LINE);
        assert!(svg.contains("a &lt; b"));
        assert!(svg.contains(">Throughput, MB/s<") && svg.contains(">DataNodes per rack<"));
    }
}
