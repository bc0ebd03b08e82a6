//! Copies on node pages: where links to them lead, what a page keeps, and how large it is.
use crate::fake::{self, Fake, SMALL};
use hdfs_reading::copies::with_copies;
use hdfs_reading::{Context, Run, links, sections};
use page::{Body, Certainty, Fleet, Foot, Head, Kind, Page, Section, Share, Shares, say};

/// What a bar's link filters by is a cause that some transfer has.
#[test]
fn links_lead_to_what_there_is() {
    let trace = fake::trace(SMALL);
    let fleet = with_copies(Fleet::default(), &trace);
    let held = &Run::of(1, &trace).attribution.shares;
    let row = |name: &str| Share::new(Kind::Setting, name, 1.0);
    let rows = held.iter().map(|held| row(&held.holder)).collect();
    let shares = Body::Shares(Shares::of_whole("s", "waited", rows));
    let head = Head::new(["shop"], say("."), Certainty::low("a model."));
    let page = Page::new("hdfs", head, Foot::new("tenbin"));
    let page = links::linked(page.fleet(fleet).with(Section::new("held", "", "", shares)));
    let Body::Shares(shares) = &page.sections[0].body else { panic!("bars") };
    let fleet = page.fleet.as_ref().expect("a fleet");
    let links: Vec<&str> =
        shares.rows.iter().filter_map(|row| row.all.as_ref().map(|all| &*all.href)).collect();
    assert!(links.iter().any(|href| href.starts_with("transfers?held=dfs.")), "{links:?}");
    for href in links {
        let known = |place: &u32| fleet.causes[*place as usize].name.replace(' ', "+");
        let held = href.strip_prefix("transfers?held=").map(|name| name.replace("%3D", "="));
        assert!(
            held.is_some_and(|name| fleet.operations.held.iter().any(|c| known(c) == name)),
            "{href}"
        );
    }
}

/// A page omits what exceeds its limits, with a note.
#[test]
fn pictures_of_10_000_nodes_and_100_000_copies_have_5_mb_at_most() {
    let large = Fake { racks: 100, nodes_per_rack: 100, disks: 2, blocks: 100_000, ..SMALL };
    let trace = fake::trace(large);
    let balance = sections::balance(&Context::default(), &[("now", &Run::of(1, &trace))], &trace);
    let fleet = with_copies(Fleet::default(), &trace);
    assert!((10_000..=20_000).contains(&fleet.operations.block.len()));
    assert!(fleet.tags.iter().any(|tag| tag.ends_with("copies shown, of the busiest nodes")));
    let size = serde_json::to_vec(&(balance, fleet)).expect("JSON").len();
    println!("{size} bytes");
    assert!((1_000_000..=5_000_000).contains(&size), "{size} bytes");
}
