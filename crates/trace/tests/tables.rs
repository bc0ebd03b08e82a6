//! A trace as a folder of Parquet files.
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use trace::parquet_io::{self, Column, Values};
use trace::*;
use units::Nanos;

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace-tables").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Every table has rows, and every column a null.
fn full() -> Trace {
    let mut trace = crate::random::trace(5, 60, true);
    trace.run.push(("origin".into(), "logged \"so\"\n".into()));
    trace.racks = vec!["/r0".into(), "/r1".into()];
    let node = |name: &str| Node {
        name: name.into(),
        address: None,
        rack: None,
        role: "worker".into(),
        alive: true,
    };
    trace.nodes = vec![
        node("a"),
        Node {
            address: Some("10.0.0.1:1".into()),
            rack: Some(RackId::of(1)),
            alive: false,
            ..node("b")
        },
    ];
    // A dangling subject or resource is an error; dangling causes and parents are allowed.
    for row in &mut trace.intervals {
        row.subject = row.subject.filter(|subject| subject.at() < 6);
        row.resource = row.resource.filter(|resource| resource.at() < 3);
        (row.amount, row.tries, row.weight) = (Some(row.start.0), row.need.unwrap_or(0), 1.5);
        row.evidence = row.need.map(|_| Evidence::Clues)
    }
    trace.intervals[3].outcome = Outcome::Aborted;
    (trace.intervals[4].weight, trace.intervals[4].node) = (1.0, Some(NodeId::of(1)));
    let (resource, entity, at) = (ResourceId::of(1), EntityId::of(2), Nanos(7));
    trace.depends = vec![Depend { interval: IntervalId::of(5), on: IntervalId::of(1) }];
    trace.capacities = vec![CapacityChange { resource, at, capacity: u64::MAX }];
    let (used, busy, queue) =
        (OptionalNumber::from(0.5), OptionalNumber::NONE, OptionalNumber::from(3));
    let sample = Sample { resource, at, used, busy, queue };
    trace.series =
        vec![sample.clone(), Sample { used: busy, queue: OptionalNumber::NONE, ..sample }];
    let name = CounterName { name: "short".into(), unit: "".into(), entity: None, node: None };
    trace.counter_names = vec![name.clone(), CounterName { entity: Some(entity), ..name }];
    trace.counters = vec![Count { counter: CounterId::of(1), at, value: None }];
    let fact = trace.kinds.len();
    let role = KindRole::Fact(FactRole::Gc);
    let unit = Some("s".into());
    trace.kinds.push(Kind { role, name: "gc".into(), label: "GC".into(), other: None, unit });
    trace.facts = vec![
        Fact { entity, kind: FactKind::of(fact), value: Some(1.5), text: None },
        Fact { entity, kind: FactKind::of(fact), value: None, text: Some("a lot".into()) },
    ];
    of_all(&mut trace);
    trace
}

/// Tables of the whole run.
fn of_all(trace: &mut Trace) {
    let (resource, entity, at) = (ResourceId::of(1), EntityId::of(2), Nanos(7));
    let kind = IntervalKind::of(2);
    let charged = [
        ChargeTarget::Resource(resource),
        ChargeTarget::Resources(trace.resources[1].kind),
        ChargeTarget::Setting(SettingId::of(0)),
        ChargeTarget::Shortage(ShortageId::of(0)),
        ChargeTarget::Intervals(IntervalKind::of(1)),
        ChargeTarget::Phase(IntervalKind::of(0)),
        ChargeTarget::Unexplained,
    ];
    let sum = |charged| Sum {
        at,
        operation: kind,
        kind: IntervalKind::of(1),
        charged,
        times: 2,
        total: 9,
    };
    trace.sums = charged.map(sum).to_vec();
    trace.histograms = vec![Histogram { at, operation: kind, node: None, bucket: 40, times: 3 }];
    trace.objectives = vec![ObjectiveRow {
        metric: "time".into(),
        unit: "s".into(),
        better: Better::More,
        how: Aggregation::Mean,
        of: Some("item".into()),
        subject: Some(entity),
        from: at,
        to: None,
        value: Some(-1.0),
        outcome: Outcome::Killed,
    }];
    trace.clocks = vec![Clock { node: NodeId::of(1), offset: -5, low: -7, high: 3 }];
    trace.sources = vec![Source { name: "a.log".into(), format: "log".into(), sha256: None }];
    let what = "no time".into();
    trace.problems = vec![ImportIssue { source: SourceId::of(0), line: Some(3), what, times: 2 }];
}

#[test]
fn what_is_written_is_read() {
    let folder = place("round-trip").join("deeper");
    for trace in
        [full(), crate::random::trace(1, 3, false), crate::random::trace(2, 300_000, false)]
    {
        tables::write(&trace, &folder).unwrap();
        let read = tables::read(&folder).unwrap();
        assert!(read == trace, "a trace of {} intervals differs", trace.intervals.len())
    }
    let beside: Vec<_> = fs::read_dir(folder.parent().unwrap()).unwrap().collect();
    assert_eq!(beside.len(), 1, "nothing is left beside the folder")
}

#[test]
fn an_empty_table_is_no_file_and_a_lost_one_an_error() {
    let folder = place("few");
    tables::write(&Trace::default(), &folder).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "run.parquet and SHA256SUMS");
    assert_eq!(tables::read(&folder).unwrap(), Trace::default());
    tables::write(&full(), &folder).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 22);
    fs::remove_file(folder.join("clocks.parquet")).unwrap();
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(error.contains("clocks.parquet: cannot be read"), "{error}");
    fs::remove_file(folder.join("SHA256SUMS")).unwrap();
    assert_eq!(tables::read(&folder).unwrap(), Trace { clocks: vec![], ..full() });
    fs::remove_file(folder.join("run.parquet")).unwrap();
    assert!(tables::read(&folder).unwrap_err().to_string().contains("it is not a trace"));
    let error = tables::write(&full(), &folder).unwrap_err().to_string();
    assert!(error.contains("a folder with other files in it"), "{error}")
}

/// Replaces a table of the trace by these columns.
fn by_hand(folder: &Path, table: &str, columns: &[Column]) {
    let file = File::create(folder.join(table)).unwrap();
    let rows = columns[0].cells().count();
    let empty = |column: &Column| match column.values {
        Values::Text(_) => Column::text(column.name, std::iter::empty()),
        _ => Column::int(column.name, std::iter::empty()),
    };
    let part = |range: std::ops::Range<usize>| match range.is_empty() {
        true => columns.iter().map(empty).collect(),
        false => columns.to_vec(),
    };
    parquet_io::write(file, &[], &[], rows, part).unwrap();
}

#[test]
fn rows_stand_in_any_order_and_columns_may_be_missing() {
    let folder = place("order");
    tables::write(&crate::random::trace(1, 3, false), &folder).unwrap();
    fs::remove_file(folder.join("SHA256SUMS")).unwrap();
    let ints = |name, values: [i64; 3]| Column::int(name, values.into_iter());
    let texts = |name, values: [&'static str; 3]| Column::text(name, values.into_iter());
    let racks = |ids| [texts("name", ["c", "a", "b"]), ints("id", ids)];
    by_hand(&folder, "racks.parquet", &racks([2, 0, 1]));
    assert_eq!(tables::read(&folder).unwrap().racks, ["a", "b", "c"]);
    by_hand(&folder, "racks.parquet", &racks([2, 0, 0]));
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(error.contains("racks.parquet: has the id 0 instead of 1"), "{error}");
    fs::remove_file(folder.join("racks.parquet")).unwrap();
    let clocks = [ints("node", [0, 1, 2]), ints("offset_ns", [5, 6, 7])];
    by_hand(&folder, "clocks.parquet", &clocks);
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(error.contains("clocks.parquet: has no column \"low_ns\""), "{error}");
    fs::remove_file(folder.join("clocks.parquet")).unwrap();
    by_hand(&folder, "depends.parquet", &[ints("interval", [0, 1, 2]), ints("on", [2, 1, 900])]);
    assert_eq!(tables::read(&folder).unwrap().depends[2].on, IntervalId::of(900));
    by_hand(&folder, "series.parquet", &[ints("resource", [0, 1, 3]), ints("at_ns", [0, 1, 2])]);
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(
        error.contains("series.parquet: refers to resource 3, which does not exist"),
        "{error}"
    );
    by_hand(&folder, "series.parquet", &[ints("resource", [0, 1, 2]), ints("at_ns", [0, 1, 2])]);
    let series = tables::read(&folder).unwrap().series;
    assert_eq!((series.len(), series[2].used.get()), (3, None), "a missing column is null")
}

#[test]
fn flipped_bits_are_seen() {
    let folder = place("flipped");
    tables::write(&full(), &folder).unwrap();
    let path = folder.join("intervals.parquet");
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(211) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, bytes).unwrap();
        let error = tables::read(&folder).unwrap_err().to_string();
        assert!(error.contains("intervals.parquet: has changed since"), "{error}")
    }
    fs::remove_file(folder.join("SHA256SUMS")).unwrap();
    // Without hashes: an error or another trace, never a panic.
    for at in (0..whole.len()).step_by(31) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, bytes).unwrap();
        let _ = tables::read(&folder);
    }
}
