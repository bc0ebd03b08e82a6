//! One self-contained HTML file: the UI's template with the data of a report.
use serde::Serialize;

/// Built by `ui/`; see `build.rs`.
const TEMPLATE: &str = include_str!(concat!(env!("OUT_DIR"), "/report.html"));

/// The data is inserted between this tag and its end.
const OPEN: &str = "<script id=\"report-data\" type=\"application/json\">";
const CLOSE: &str = "</script>";

/// Text in the template of a binary without the UI.
const NO_SCREENS: &str = "built without its screens";

pub fn warning() -> Option<&'static str> {
    warning_of(TEMPLATE)
}

fn warning_of(template: &str) -> Option<&'static str> {
    template.contains(NO_SCREENS).then_some(
        "warning: this tenbin was built without its screens: report.html has numbers and no \
         pictures. Run `make ui`, then build again",
    )
}

pub fn of(data: &impl Serialize) -> String {
    fill(TEMPLATE, &json(data))
}

pub fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("a page has no maps with odd keys")
}

/// The CSS rules with the embedded fonts; empty without the UI.
pub fn fonts() -> String {
    let rules = TEMPLATE.split("@font-face").skip(1).filter_map(|rest| rest.split_once('}'));
    rules.map(|(rule, _)| format!("@font-face{rule}}}\n")).collect()
}

/// Escapes `<`, since a name could otherwise end the element.
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
