//! Verdicts on versions, and placement of an object's bytes.
use xor_protocol::Layout;
use xor_protocol::commit::{Held, Verdict, quorum, verdict};
use xor_protocol::object::{GRAIN, Shape};

const ALONE: Held = Held::Prepared { is_attended: false };
const BUSY: Held = Held::Prepared { is_attended: true };

#[test]
fn what_was_acknowledged_is_whole_with_any_two_nodes_gone() {
    for n in 4..=9 {
        for a in 0..n {
            for b in 0..n {
                for gone in [Held::Unknown, Held::Nothing] {
                    let mut said = vec![Held::Committed; n];
                    (said[a], said[b]) = (gone, gone);
                    assert_eq!(verdict(2, &said), Verdict::Whole, "n = {n}, {a} {b}");
                }
            }
        }
    }
}

/// All states of five nodes: no two reachable subsets judge one state as whole and as absent.
#[test]
fn no_two_readers_contradict_each_other() {
    let states = [Held::Nothing, ALONE, Held::Committed];
    for code in 0..3usize.pow(5) {
        let said: Vec<Held> = (0..5).map(|at| states[code / 3usize.pow(at) % 3]).collect();
        let mut seen = [false; 2];
        for hidden in 0..1usize << 5 {
            let partly: Vec<Held> = (0..5)
                .map(|at| if hidden >> at & 1 == 1 { Held::Unknown } else { said[at] })
                .collect();
            match verdict(2, &partly) {
                // A version may be discarded without asking a silent node only if no node made it
                // visible.
                Verdict::Whole => seen[0] = true,
                Verdict::Absent => seen[1] = true,
                Verdict::Open => {}
            }
        }
        let committed = said.iter().filter(|h| **h == Held::Committed).count();
        let nothing = said.iter().filter(|h| **h == Held::Nothing).count();
        let was_acknowledged = committed == 5 || committed >= 3 && committed + nothing == 5;
        assert!(!(was_acknowledged && seen[1]), "{said:?}");
        if committed > 2 {
            assert!(!(seen[0] && seen[1]), "{said:?}");
        }
    }
}

#[test]
fn a_writer_at_work_is_left_alone() {
    assert_eq!(verdict(2, &[ALONE, BUSY, ALONE, ALONE, ALONE]), Verdict::Open);
    assert_eq!(verdict(2, &[ALONE; 5]), Verdict::Absent);
    assert_eq!(verdict(2, &[ALONE, ALONE, ALONE, ALONE, Held::Committed]), Verdict::Whole);
    assert_eq!(verdict(2, &[Held::Unknown, Held::Unknown, ALONE, ALONE, ALONE]), Verdict::Absent);
    let few = [Held::Unknown, Held::Unknown, Held::Unknown, ALONE, ALONE];
    assert_eq!(verdict(2, &few), Verdict::Open);
    let lost = [Held::Committed, Held::Committed, Held::Nothing, Held::Nothing, Held::Nothing];
    assert_eq!(verdict(2, &lost), Verdict::Open, "three that have nothing prove nothing");
    let mut removed = lost;
    removed[4] = Held::Removed { with_older: true };
    assert_eq!(verdict(2, &removed), Verdict::Absent, "a mark does");
}

#[test]
fn who_is_not_asked_cannot_hold_enough() {
    for n in 3..=64 {
        let t = if n == 3 { 1 } else { 2 };
        assert!(n - quorum(n, t) < n - t, "n = {n}");
        assert!(quorum(n, t) <= n, "n = {n}");
    }
}

/// Every byte of an object has exactly one place, and blocks do not overlap in files.
#[test]
fn bytes_lie_once_in_stripes() {
    for n in [3, 4, 5] {
        let layout = Layout::best(n).expect("a layout");
        for length in (0..4000).step_by(37).chain([1, 63, 64, 65, 100_000]) {
            let shape = Shape::new(&layout, length, 128).expect("a shape");
            let mut at = 0;
            for stripe in 0..shape.stripes() {
                for data in 0..layout.data() {
                    let (start, bytes) = shape.data_at(stripe, data);
                    assert!(bytes == 0 || start == at, "n {n} length {length}");
                    at += bytes;
                    assert!(
                        bytes <= shape.block_of(stripe)
                            && shape.block_of(stripe).is_multiple_of(GRAIN)
                    );
                }
                let mut end = shape.place(stripe, layout.cell(0));
                for cell in layout.cells_of(0) {
                    assert_eq!(shape.place(stripe, cell), end);
                    end += shape.block_of(stripe);
                }
                assert!(end <= shape.file_length());
            }
            assert_eq!(at, length);
        }
    }
}

#[test]
fn a_small_object_takes_little_room_and_odd_blocks_are_refused() {
    let layout = Layout::best(5).expect("a layout");
    let shape = Shape::new(&layout, 1, 1 << 20).expect("a shape");
    assert_eq!((shape.stripes(), shape.file_length()), (1, 4 * GRAIN));
    assert_eq!(Shape::new(&layout, 0, 4096).expect("empty").file_length(), 0);
    assert!(Shape::new(&layout, u64::MAX, 4 << 20).is_err(), "no sum may overflow");
    for block in [0, 63, 100, (4 << 20) + 64] {
        assert!(Shape::new(&layout, 1, block).is_err(), "{block}");
    }
}
