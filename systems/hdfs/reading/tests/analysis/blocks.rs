//! The page as blocks: what it has, where its links lead, and how large it is.
use crate::fake::{self, Fake, SMALL};
use crate::pages::{context, made, section, shop, variant};
use hdfs_reading::{Context, Run, VariantRuns};
use page::{Body, Cell, Kind, Page, Role, Width, plain};

fn whole() -> Page {
    made(&context(), &shop(), &fake::trace(SMALL)).0
}

#[test]
fn the_first_screen_has_its_order() {
    let page = whole();
    let ids: Vec<&str> = page.sections.iter().map(|section| section.id.as_str()).collect();
    assert_eq!(ids, ["risk", "shares", "heat", "balance", "compare"]);
    let widths: Vec<Width> = page.sections.iter().map(|section| section.width).collect();
    assert_eq!(widths, [Width::Larger, Width::Smaller, Width::Most, Width::Third, Width::Full]);
    assert!(page.drill.is_empty() && page.fleet.is_some());
    assert_eq!((page.version, page.screen.as_str()), (2, "node-lost"));
    let hues: Vec<Option<Kind>> = page.head.held_up.iter().map(|line| line.kind).collect();
    assert_eq!(hues.first(), Some(&Some(Kind::Setting)), "{hues:?}");
}

/// Each curve falls to 0 and stops there, and its flag says when; the axis ends after the last.
#[test]
fn a_line_a_variant_with_its_flag() {
    let page = whole();
    let Body::Curves(curves) = &section(&page, "risk").body else { panic!("curves") };
    let lines = &curves.panels[0].lines;
    let roles: Vec<Role> = lines.iter().map(|line| line.role).collect();
    assert_eq!(roles, [Role::Now, Role::Other, Role::Other, Role::Recommended]);
    for line in lines {
        let known: Vec<f64> = line.y.iter().flatten().copied().collect();
        assert_eq!((line.x.len(), known[0]), (line.y.len(), 200.0));
        assert_eq!(known.iter().filter(|&&left| left == 0.0).count(), 1, "{}", line.name);
        let flag = line.flag.as_ref().expect("it ends");
        assert!(flag.at <= curves.x.to && *line.x.last().expect("samples") <= curves.x.to);
    }
    assert_eq!((lines[0].low.len(), lines[0].high.len()), (lines[0].x.len(), lines[0].x.len()));
    assert!(lines[1].low.is_empty(), "only the first has a band");
}

#[test]
fn the_table_has_a_row_a_variant_and_says_no_difference() {
    let page = whole();
    let Body::Table(table) = &section(&page, "compare").body else { panic!("a table") };
    let text = |cell: &Cell| match cell {
        Cell::Text { text, .. } => plain(text).replace('\u{a0}', " "),
        other => format!("{other:?}"),
    };
    assert_eq!(table.rows.len(), 4);
    assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()));
    assert_eq!(text(&table.rows[1].cells[2]), "no difference\u{2002}0.0");
    let held = table.columns.iter().position(|column| column.head == "Held up most by");
    let Cell::Text { text, kind, title } = &table.rows[0].cells[held.expect("a column")] else {
        panic!("words")
    };
    assert_eq!(*kind, Some(Kind::Setting));
    let (words, key) = (plain(text), "dfs.namenode.replication.work.multiplier.per.iteration");
    assert!(words.starts_with("multiplier ") && title.contains(key), "{words}, {title}");
}

/// What a bar's link filters by is a cause that some transfer has.
#[test]
fn links_lead_to_what_there_is() {
    let page = whole();
    let Body::Shares(shares) = &section(&page, "shares").body else { panic!("bars") };
    let fleet = page.fleet.as_ref().expect("a fleet");
    let links: Vec<&str> =
        shares.rows.iter().filter_map(|row| row.all.as_ref().map(|all| &*all.href)).collect();
    assert!(links.iter().any(|href| href.starts_with("transfers?held=dfs.")), "{links:?}");
    for href in links {
        let known = |place: &u32| fleet.causes[*place as usize].name.replace(' ', "+");
        let held = href.strip_prefix("transfers?held=").map(|name| name.replace("%3D", "="));
        assert!(
            href.starts_with("transfers?limit=")
                || held.is_some_and(|name| fleet.operations.held.iter().any(|c| known(c) == name)),
            "{href}"
        );
    }
    let Body::Heat(heat) = &section(&page, "heat").body else { panic!("a heat map") };
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

/// What is too much for a page is left out, and the page says so.
#[test]
fn a_page_of_10_000_nodes_and_100_000_copies_has_10_mb_at_most() {
    let large = Fake { racks: 100, nodes_per_rack: 100, disks: 2, blocks: 100_000, ..SMALL };
    let trace = fake::trace(large);
    let run = |name: &str| VariantRuns {
        name: name.into(),
        set: Vec::new(),
        runs: vec![Run::of(1, &trace)],
    };
    let variants: Vec<VariantRuns> = (0..8).map(|n| run(&format!("variant {n}"))).collect();
    let (page, _) = made(&Context::default(), &variants, &trace);
    let fleet = page.fleet.as_ref().expect("a fleet");
    assert_eq!((fleet.nodes.len(), fleet.racks.len()), (10_000, 100));
    assert!((10_000..=20_000).contains(&fleet.operations.block.len()));
    assert!(fleet.tags.iter().any(|tag| tag.ends_with("copies shown, of the busiest nodes")));
    let size = serde_json::to_vec(&page).expect("JSON").len();
    println!("{size} bytes");
    assert!((1_000_000..=10_000_000).contains(&size), "{size} bytes");
}

#[test]
fn only_the_present_settings_were_run() {
    let one = [variant("now", &[], 1, SMALL)];
    let (page, _) = made(&context(), &one, &fake::trace(SMALL));
    let note = plain(&section(&page, "compare").note);
    assert!(note.starts_with("Only the present settings were run."), "{note}");
}
