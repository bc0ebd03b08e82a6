//! One self-contained HTML file: the screens' template with a report's data in it.
use serde::Serialize;

/// Made by `ui/`; see `build.rs`.
const TEMPLATE: &str = include_str!(concat!(env!("OUT_DIR"), "/report.html"));

/// Where the data goes in the template: between this and the end of the element.
const OPEN: &str = "<script id=\"report-data\" type=\"application/json\">";
const CLOSE: &str = "</script>";

/// What stands in the template of a binary that was built without its screens.
const NO_SCREENS: &str = "built without its screens";

pub fn warning() -> Option<&'static str> {
    warning_of(TEMPLATE)
}

fn warning_of(template: &str) -> Option<&'static str> {
    template.contains(NO_SCREENS).then_some(
        "warning: this tenbin was built without its screens: report.html has numbers and no \
         pictures. Run `make ui`, and build again",
    )
}

/// The page of any screen's data.
pub fn of(data: &impl Serialize) -> String {
    fill(TEMPLATE, &json(data))
}

/// A screen's data.
pub fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("a page has no maps with odd keys")
}

/// The rules that bring the screens' fonts, data and all; nothing in a build without screens.
pub fn fonts() -> String {
    let rules = TEMPLATE.split("@font-face").skip(1).filter_map(|rest| rest.split_once('}'));
    rules.map(|(rule, _)| format!("@font-face{rule}}}\n")).collect()
}

/// Puts data between the marks. `<` cannot stand in it, or a name could end the element.
fn fill(template: &str, json: &str) -> String {
    let start = template.find(OPEN).expect("the template has a place for the data") + OPEN.len();
    let end = start + template[start..].find(CLOSE).expect("the place ends");
    let safe = json.replace('<', "\\u003c");
    [&template[..start], &safe, &template[end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_break_out_of_its_element() {
        let template = format!("<p>{OPEN}null{CLOSE}</p>");
        let page = fill(&template, r#"{"name":"</script><b>"}"#);
        assert_eq!(page.matches(CLOSE).count(), 1);
        let data = &page[3 + OPEN.len()..page.len() - CLOSE.len() - 4];
        let value: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(value["name"], "</script><b>");
    }

    #[test]
    fn fonts_are_whole_rules() {
        let expected = TEMPLATE.matches("@font-face").count();
        assert_eq!(fonts().matches("font-family").count(), expected);
        assert_eq!(fonts().lines().count(), expected);
    }

    #[test]
    fn a_binary_without_screens_says_so() {
        assert!(include_str!("../build.rs").contains(NO_SCREENS));
        assert_eq!(warning_of("<h1>Report</h1>"), None);
        let fallback = "<p>This tenbin was built without its screens: run";
        assert!(warning_of(fallback).is_some_and(|w| w.contains("make ui")));
    }

    #[test]
    fn the_template_at_hand_has_the_place() {
        assert!(fill(TEMPLATE, "{\"mark\":17}").contains("{\"mark\":17}"));
    }
}
