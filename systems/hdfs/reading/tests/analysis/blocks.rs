//! Pictures and node pages: where their links lead, what they keep, and how large they are.
use crate::fake::{self, Fake, SMALL};
use crate::pages::context;
use hdfs_reading::fleet::fleet;
use hdfs_reading::shown_resources::ShownResources;
use hdfs_reading::{Context, Run, links, sections};
use hdfs_trace::Trace;
use page::{Body, Certainty, Fleet, Foot, Head, Heat, Kind, Page, Section, Share, Shares, say};
use trace::series::Series;

fn made(context: &Context, trace: &Trace) -> (Heat, Section, Fleet) {
    let uses = Series::of(trace);
    let shown = ShownResources::of(trace, &uses);
    let heat = sections::heat(context, trace, &uses, &shown, "now");
    let balance = sections::balance(context, &[("now", &Run::of(1, trace))], trace);
    let Body::Heat(heat) = heat.body else { panic!("a heat map") };
    (heat, balance, fleet(trace, &uses, &shown, ("now", "since declared dead")))
}

/// What a bar's link filters by is a cause that some transfer has.
#[test]
fn links_lead_to_what_there_is() {
    let trace = fake::trace(SMALL);
    let (heat, _, fleet) = made(&context(), &trace);
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
    let opens = heat.groups.iter().flat_map(|group| &group.rows).map(|row| row.open.as_deref());
    for open in opens {
        let (kind, name) = open.and_then(|open| open.split_once('/')).expect("each row opens");
        let known = match kind {
            "rack" => fleet.racks.iter().any(|rack| rack.trim_start_matches('/') == name),
            _ => fleet.nodes.iter().any(|node| node.name == name),
        };
        assert!(known, "{kind}/{name}");
    }
}

/// A page omits what exceeds its limits, with a note.
#[test]
fn pictures_of_10_000_nodes_and_100_000_copies_have_10_mb_at_most() {
    let large = Fake { racks: 100, nodes_per_rack: 100, disks: 2, blocks: 100_000, ..SMALL };
    let (heat, balance, fleet) = made(&Context::default(), &fake::trace(large));
    assert_eq!((fleet.nodes.len(), fleet.racks.len()), (10_000, 100));
    assert!((10_000..=20_000).contains(&fleet.operations.block.len()));
    assert!(fleet.tags.iter().any(|tag| tag.ends_with("copies shown, of the busiest nodes")));
    let size = serde_json::to_vec(&(heat, balance, fleet)).expect("JSON").len();
    println!("{size} bytes");
    assert!((1_000_000..=10_000_000).contains(&size), "{size} bytes");
}

#[test]
fn a_large_trace_keeps_the_hottest_and_says_so() {
    let large = Fake { racks: 30, nodes_per_rack: 10, disks: 12, blocks: 9_000, ..SMALL };
    let (heat, _, fleet) = made(&context(), &fake::trace(large));
    // The 200 hottest, and both ways of all 30 uplinks, used or not.
    let links = fleet.resources.iter().filter(|resource| resource.node.is_none());
    assert_eq!(links.count(), 60);
    assert!((200..=260).contains(&fleet.resources.len()));
    assert_eq!(fleet.usage.len(), fleet.resources.len());
    assert_eq!(fleet.envelopes.len(), 60);
    assert_eq!(fleet.tags.len(), 1);
    assert!(fleet.tags[0].contains("200 hottest of 4"));
    let rows: usize = heat.groups.iter().map(|group| group.rows.len()).sum();
    assert_eq!(rows, 60);
    for row in &heat.groups[2].rows {
        let place = fleet.resources.iter().position(|resource| resource.name == row.name);
        let curve = &fleet.usage[place.expect("the hottest are kept")];
        let highest = curve.iter().max().copied().unwrap_or(0);
        assert_eq!(row.peak, f64::from(highest) / 100.0, "{}: one peak everywhere", row.name);
    }
}
