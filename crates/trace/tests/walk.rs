//! The walk. Results of drawn examples were checked by hand and by an independent implementation in
//! Python. Invariants hold for any trace, even an inconsistent one.
use std::fs;
use std::path::Path;
use trace::walk::{DEEP, Lane, Lanes, Path as Walked, Piece, Start, blocked, operation, path};
use trace::{EntityId, IntervalId, Trace};
use units::Nanos;

#[test]
fn drawn_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walks");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 7);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (drawing, expected) = text.split_once("---\n").expect("a line ---");
        let drawn = crate::drawn::Drawn::of(drawing);
        let ours: String = drawn.commands.iter().map(|command| told(&drawn, command)).collect();
        if std::env::var_os("TENBIN_BLESS").is_some() {
            fs::write(&file, format!("{drawing}---\n{ours}")).unwrap()
        } else {
            assert_eq!(ours, expected, "{}", file.display())
        }
    }
}

fn told(drawn: &crate::drawn::Drawn, command: &str) -> String {
    let lanes = Lanes::of(&drawn.trace);
    let words: Vec<&str> = command.split_whitespace().collect();
    let walked = match words[..] {
        ["operation", id] => {
            let pieces = operation(&lanes, IntervalId::of(id.parse().unwrap()));
            Walked { pieces, wanted: Vec::new() }
        }
        [how, "of", name, window] => {
            let (top, floor) = window.split_once('-').unwrap();
            let time = |text: &str| Nanos(text.parse().unwrap());
            let start = Start::new(Lane::Subject(drawn.entities[name]), time(top), time(floor));
            match how {
                "path" => path(&lanes, start),
                _ => Walked { pieces: blocked(&lanes, start, 1), wanted: Vec::new() },
            }
        }
        _ => panic!("{command}: no command"),
    };
    let piece = |p: &Piece| {
        let interval = p.interval.map(|id| format!(" [{}]", id.at())).unwrap_or_default();
        let name = p.holder.name(&drawn.trace);
        format!("  {:>6}-{:<6} {name}{interval}\n", p.start.0, p.end.0)
    };
    let mut text = format!("{command}:\n");
    text.extend(walked.pieces.iter().map(piece));
    for wanted in walked.wanted {
        let name = &drawn.trace.resources[wanted.resource.at()].name;
        text += &format!("  wanted {name} {}-{}\n", wanted.start.0, wanted.end.0)
    }
    text
}

/// Latest first, without gap or overlap, over the whole window.
fn covers(pieces: &[Piece], top: Nanos, floor: Nanos) {
    let mut at = top;
    for piece in pieces {
        assert_eq!(piece.end, at, "gap or overlap");
        assert!(piece.start < piece.end && piece.start >= floor, "time only falls");
        at = piece.start
    }
    assert_eq!(at, floor.min(top), "down to the floor")
}

fn all_walks(trace: &Trace) {
    let lanes = Lanes::of(trace);
    for at in 0..trace.entities.len() {
        let lane = Lane::Subject(EntityId::of(at));
        for (top, floor) in [(1_000, 0), (700, 300), (5, 5)].map(|(t, f)| (Nanos(t), Nanos(f))) {
            let start = Start::new(lane, top, floor);
            covers(&path(&lanes, start).pieces, top, floor);
            let tree = Some(lanes.root(EntityId::of(at)));
            covers(&path(&lanes, Start { tree, ..start }).pieces, top, floor);
            let safe = |time: Nanos| Some(Nanos(time.0 / 2));
            covers(&path(&lanes, Start { idle: Some(&safe), ..start }).pieces, top, floor);
            for depth in [0, 1, 2, DEEP] {
                covers(&blocked(&lanes, start, depth), top, floor)
            }
        }
    }
    for (at, row) in trace.intervals.iter().enumerate().filter(|(_, row)| row.start < row.end) {
        covers(&operation(&lanes, IntervalId::of(at)), row.end, row.start)
    }
}

#[test]
fn shares_sum_to_the_window_whatever_the_trace_says() {
    // The second kind has cyclic and dangling references.
    for seed in 0..300 {
        all_walks(&crate::random::trace(seed, 5 + seed as usize % 40, false));
        all_walks(&crate::random::trace(seed, 5 + seed as usize % 40, true))
    }
}

#[test]
fn circles_end() {
    let mut trace = crate::random::trace(1, 12, false);
    for at in 0..trace.intervals.len() {
        let row = &mut trace.intervals[at];
        (row.start, row.end) = (Nanos(0), Nanos(1_000));
        row.cause = trace::Cause::Interval(IntervalId::of((at + 1) % 12));
        row.parent = (at % 3 == 0).then(|| IntervalId::of((at + 3) % 12))
    }
    for at in 0..trace.entities.len() {
        trace.entities[at].parent = Some(EntityId::of((at + 1) % trace.entities.len()))
    }
    all_walks(&trace)
}

/// Each step looks at few rows. In a chain with many gaps, a scan would look at all later rows.
#[test]
fn long_chains_are_walked_step_by_step() {
    let mut drawing = String::from("entities: b\n");
    for at in 0..100_000 {
        let start = 20 * at;
        drawing += &format!("{at} run of b {start}-{} resource disk\n", start + 10)
    }
    let drawn = crate::drawn::Drawn::of(&drawing);
    let lanes = Lanes::of(&drawn.trace);
    let top = Nanos(2_000_000);
    let pieces = path(&lanes, Start::new(Lane::Subject(EntityId::of(0)), top, Nanos(0))).pieces;
    covers(&pieces, top, Nanos(0));
    assert_eq!(pieces.len(), 200_000, "a piece a row, and one a gap")
}
