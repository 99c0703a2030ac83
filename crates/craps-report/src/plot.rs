//! The frame of a chart: a title, two axes with round ticks, and marks placed by value.
//!
//! A chart takes its text colour from the page it stands on and carries no script, style sheet
//! or identifier, so that any number of them fit on one page.

#![expect(clippy::float_arithmetic, reason = "positions on a picture")]

use std::fmt::Write as _;

use serde::Serialize;

use crate::markup::escape;

/// A chart.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "ParChart"), schema(as = ParChart))]
pub struct Chart {
    /// What it is called.
    pub title: String,
    /// The picture as SVG: no script and no style, text in the colour of the page.
    pub svg: String,
}

/// The width every chart is drawn to; the page scales it.
pub(crate) const WIDTH: f64 = 440.0;
/// The colour of what a chart is about.
pub(crate) const MAIN: &str = "#1b7f5c";
/// The same for what stands behind it.
pub(crate) const PALE: &str = "#a9cfc0";
/// The colour of what is pointed out on it, dark enough to tell apart in grey.
pub(crate) const MARK: &str = "#c2410c";

/// Where the text at a point lies.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    /// It starts there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// Whether lines cross the chart at an axis's ticks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grid {
    /// They do, to read values by.
    Lines,
    /// They do not: the ticks are names.
    Bare,
}

/// One axis: the values at its ends, and the ticks between.
pub(crate) struct Axis {
    /// The value at the left or the bottom.
    pub(crate) low: f64,
    /// The value at the right or the top.
    pub(crate) high: f64,
    /// The values written beside it.
    pub(crate) ticks: Vec<(f64, String)>,
    /// What it measures, and in what.
    pub(crate) title: String,
    /// Whether its ticks cross the chart.
    pub(crate) grid: Grid,
}

impl Axis {
    /// From nothing to exactly `high`, with about `count` round ticks.
    pub(crate) fn up_to(high: f64, count: f64, title: &str, write: impl Fn(f64) -> String) -> Axis {
        let step = round_step(high / count);
        let mut ticks = Vec::new();
        while step * ticks.len() as f64 <= high * 1.000_001 {
            let value = step * ticks.len() as f64;
            ticks.push((value, write(value)));
        }
        Axis { low: 0.0, high, ticks, title: title.to_owned(), grid: Grid::Lines }
    }

    /// From nothing to the first round tick at or over `high`.
    pub(crate) fn over(high: f64, count: f64, title: &str, write: impl Fn(f64) -> String) -> Axis {
        let step = round_step(high / count);
        Axis::up_to((high / step - 0.000_001).ceil() * step, count, title, write)
    }

    /// From the last round tick at or under `low` to the first at or over `high`.
    pub(crate) fn between(
        low: f64,
        high: f64,
        count: f64,
        title: &str,
        write: impl Fn(f64) -> String,
    ) -> Axis {
        let step = round_step((high - low) / count);
        let first = (low / step + 0.000_001).floor();
        let last = (high / step - 0.000_001).ceil();
        let mut ticks = Vec::new();
        while first + ticks.len() as f64 <= last {
            let value = step * (first + ticks.len() as f64);
            ticks.push((value, write(value)));
        }
        let (low, high, title) = (first * step, last * step, title.to_owned());
        Axis { low, high, ticks, title, grid: Grid::Lines }
    }

    /// From nothing to everything, in percent.
    pub(crate) fn chance(title: &str) -> Axis {
        Axis::up_to(1.0, 5.0, title, |value| format!("{:.0} %", value * 100.0))
    }

    /// How far along the axis a value lies, as a share of its length.
    fn along(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`.
pub(crate) fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|step| step * power >= least * 0.999_999);
    step.unwrap_or(10.0) * power
}

/// The room left around the marks.
#[derive(Clone, Copy)]
pub(crate) struct Margins {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Default for Margins {
    fn default() -> Margins {
        Margins { left: 52.0, right: 16.0, top: 58.0, bottom: 44.0 }
    }
}

/// A chart being drawn.
pub(crate) struct Plot {
    margins: Margins,
    height: f64,
    x: Axis,
    y: Axis,
    title: String,
    head: String,
    marks: String,
}

impl Plot {
    /// An empty chart. `says` tells in words what the picture shows.
    pub(crate) fn new(title: &str, says: &str, height: f64, x: Axis, y: Axis) -> Plot {
        Plot::within(Margins::default(), title, says, height, x, y)
    }

    /// An empty chart with room of its own around it.
    pub(crate) fn within(
        margins: Margins,
        title: &str,
        says: &str,
        height: f64,
        x: Axis,
        y: Axis,
    ) -> Plot {
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"100%\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\" \
             fill=\"currentColor\"><title>{0}</title><desc>{1}</desc>\
             <text x=\"4\" y=\"18\" font-size=\"14\" font-weight=\"600\">{0}</text>",
            escape(title),
            escape(says)
        );
        let mut plot =
            Plot { margins, height, x, y, title: title.to_owned(), head, marks: String::new() };
        plot.draw_axes();
        plot
    }

    /// Where a pair of values lies.
    pub(crate) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let Margins { left, right, top, bottom } = self.margins;
        let across = WIDTH - left - right;
        let down = self.height - top - bottom;
        (left + across * self.x.along(x), top + down * (1.0 - self.y.along(y)))
    }

    /// The axes at their ends: left, right, top and bottom.
    pub(crate) fn edges(&self) -> (f64, f64, f64, f64) {
        let Margins { left, right, top, bottom } = self.margins;
        (left, WIDTH - right, top, self.height - bottom)
    }

    fn draw_axes(&mut self) {
        let (left, right, top, bottom) = self.edges();
        for (value, label) in std::mem::take(&mut self.y.ticks) {
            let (_, y) = self.at(self.x.low, value);
            if self.y.grid == Grid::Lines {
                let style = "stroke=\"currentColor\" stroke-opacity=\".16\"";
                self.stroke((left, y), (right, y), style);
            }
            self.text((left - 8.0, y + 4.0), Anchor::End, &label);
        }
        for (value, label) in std::mem::take(&mut self.x.ticks) {
            let (x, _) = self.at(value, self.y.low);
            if self.x.grid == Grid::Lines {
                let style = "stroke=\"currentColor\" stroke-opacity=\".1\"";
                self.stroke((x, top), (x, bottom), style);
            }
            // A second line tells the same in other words.
            let (label, again) = label.split_once('\n').unwrap_or((&label, ""));
            self.text((x, bottom + 16.0), Anchor::Middle, label);
            self.quiet((x, bottom + 30.0), Anchor::Middle, again);
        }
        self.stroke((left, bottom), (right, bottom), "stroke=\"currentColor\"");
        let (across, up) = (self.x.title.clone(), self.y.title.clone());
        self.quiet(((left + right) / 2.0, self.height - 9.0), Anchor::Middle, &across);
        self.quiet((4.0, 38.0), Anchor::Start, &up);
    }

    /// A straight line between two places, drawn as `style` says.
    pub(crate) fn stroke(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = write!(
            self.marks,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        );
    }

    /// A dashed line between two places, for a level or a moment to point out.
    pub(crate) fn dashes(&mut self, from: (f64, f64), to: (f64, f64)) {
        let style = format!("stroke=\"{MARK}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"");
        self.stroke(from, to, &style);
    }

    /// A line through values, in the colour of what the chart is about.
    pub(crate) fn curve(&mut self, values: impl Iterator<Item = (f64, f64)>) {
        self.line(values, &format!("stroke=\"{MAIN}\" stroke-width=\"2.5\""));
    }

    /// A line through values, drawn as `style` says.
    pub(crate) fn line(&mut self, values: impl Iterator<Item = (f64, f64)>, style: &str) {
        let points = self.points(values);
        let _ = write!(
            self.marks,
            "<polyline points=\"{points}\" fill=\"none\" {style} stroke-linejoin=\"round\"/>"
        );
    }

    /// The area that a line around it encloses.
    pub(crate) fn area(&mut self, around: impl Iterator<Item = (f64, f64)>, style: &str) {
        let points = self.points(around);
        let _ = write!(self.marks, "<polygon points=\"{points}\" {style}/>");
    }

    fn points(&self, values: impl Iterator<Item = (f64, f64)>) -> String {
        let mut points = String::new();
        for (x, y) in values {
            let (x, y) = self.at(x, y);
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        points.trim_end().to_owned()
    }

    /// A dot on a place.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: &str) {
        let _ = write!(
            self.marks,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>"
        );
    }

    /// A bar between two opposite corners.
    pub(crate) fn bar(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        self.rect(from, to, &format!("fill=\"{colour}\" stroke=\"{MAIN}\""));
    }

    /// A rectangle between two opposite corners, drawn as `style` says.
    pub(crate) fn rect(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let (x, y) = (from.0.min(to.0), from.1.min(to.1));
        let (width, height) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
        let _ = write!(
            self.marks,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             {style}/>"
        );
    }

    /// Text at a place.
    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, text: &str) {
        self.write(at, anchor, text, "");
    }

    /// Text that explains rather than tells.
    pub(crate) fn quiet(&mut self, at: (f64, f64), anchor: Anchor, text: &str) {
        self.write(at, anchor, text, " fill-opacity=\".75\"");
    }

    /// Text that is pointed out.
    pub(crate) fn strong(&mut self, at: (f64, f64), anchor: Anchor, text: &str) {
        self.write(at, anchor, text, " font-weight=\"600\"");
    }

    fn write(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str, style: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = write!(
            self.marks,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{style}>{}</text>",
            escape(text)
        );
    }

    /// The chart as SVG.
    pub(crate) fn finish(self) -> Chart {
        Chart { title: self.title, svg: self.head + &self.marks + "</svg>" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (34.0, 50.0), (68_000.0, 1e5)] {
            assert!((round_step(least) - step).abs() < step * 1e-9, "{least}");
        }
    }

    #[test]
    fn axes_end_on_a_tick_or_where_they_are_told() {
        let over = Axis::over(127.0, 6.0, "", |value| format!("{value:.0}"));
        assert_eq!(over.ticks.last().unwrap().1, "150");
        let up_to = Axis::up_to(127.0, 6.0, "", |value| format!("{value:.0}"));
        assert_eq!(up_to.ticks.last().unwrap().1, "100");
        assert!((up_to.high - 127.0).abs() < 1e-9);
    }
}
