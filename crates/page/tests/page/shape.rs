//! The JSON's shape.
use crate::samples;
use page::{Axis, Body, Curves, Kind, Line, Page, Panel, Role, Section, Share, Shares, percents};

#[test]
fn a_page_reads_back_as_itself() {
    for (name, page) in samples::all() {
        let text = serde_json::to_string(&page).expect("JSON");
        let back: Page = serde_json::from_str(&text).expect("a page");
        assert!(back == page, "{name} changed on the way");
    }
}

#[test]
fn a_section_is_one_object_with_its_kind() {
    let line = Line::new("now", Role::Now, [(0.0, 1.0)]);
    let panel = Panel { lines: vec![line], ..Panel::default() };
    let curves = Curves { x: Axis::time(0.0, 1.0), panels: vec![panel], moments: vec![] };
    let section = Section::new("risk", "At risk", "", Body::Curves(curves));
    let json = serde_json::to_value(&section).expect("JSON");
    assert_eq!(json["kind"], "curves");
    assert_eq!(json["title"], "At risk");
    assert_eq!(json["panels"][0]["lines"][0]["role"], "now");
    assert!(json["panels"][0]["lines"][0].get("low").is_none(), "what is not there is left out");
}

#[test]
fn percents_sum_to_100_and_give_the_rest_to_the_largest_remainders() {
    assert_eq!(percents(&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]), [34, 33, 33]);
    assert_eq!(percents(&[0.005, 0.009, 0.986]), [0, 1, 99]);
    assert_eq!(percents(&[0.0, 0.0]), [0, 0]);
}

#[test]
fn amounts_become_shares_of_their_sum() {
    let row = |amount| Share::new(Kind::Disk, "", amount);
    let shares = Shares::of_whole("s", "waited", vec![row(38.5), row(6.0), row(2.6), row(0.0)]);
    let percents: Vec<i32> = shares.rows.iter().map(|row| row.percent).collect();
    assert_eq!(percents, [82, 13, 5, 0]);
    assert!((shares.rows[0].share - 38.5 / 47.1).abs() < 1e-12);
    let nothing = Shares::of_whole("s", "waited", vec![row(0.0)]);
    assert_eq!((nothing.rows[0].share, nothing.rows[0].percent), (0.0, 0));
}
