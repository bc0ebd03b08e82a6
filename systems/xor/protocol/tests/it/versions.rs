//! Verdicts on versions, and placement of an object's bytes.
use xor_protocol::Layout;
use xor_protocol::commit::{ReplicaState, Verdict, quorum, verdict};
use xor_protocol::object::{GRAIN, Shape};

const ALONE: ReplicaState = ReplicaState::Prepared { is_attended: false };
const BUSY: ReplicaState = ReplicaState::Prepared { is_attended: true };

#[test]
fn what_was_acknowledged_is_whole_with_any_two_nodes_gone() {
    for n in 4..=9 {
        for a in 0..n {
            for b in 0..n {
                for gone in [ReplicaState::Unknown, ReplicaState::Nothing] {
                    let mut states = vec![ReplicaState::Committed; n];
                    (states[a], states[b]) = (gone, gone);
                    assert_eq!(verdict(2, &states), Verdict::Readable, "n = {n}, {a} {b}");
                }
            }
        }
    }
}

/// All states of five nodes: no two reachable subsets judge one state as whole and as absent.
#[test]
fn no_two_readers_contradict_each_other() {
    let kinds = [ReplicaState::Nothing, ALONE, ReplicaState::Committed];
    for code in 0..3usize.pow(5) {
        let states: Vec<ReplicaState> = (0..5).map(|at| kinds[code / 3usize.pow(at) % 3]).collect();
        let mut seen = [false; 2];
        for hidden in 0..1usize << 5 {
            let partly: Vec<ReplicaState> = (0..5)
                .map(|at| if hidden >> at & 1 == 1 { ReplicaState::Unknown } else { states[at] })
                .collect();
            match verdict(2, &partly) {
                // A version may be discarded without asking a silent node only if no node made it
                // visible.
                Verdict::Readable => seen[0] = true,
                Verdict::Gone => seen[1] = true,
                Verdict::Undecided => {}
            }
        }
        let committed = states.iter().filter(|h| **h == ReplicaState::Committed).count();
        let nothing = states.iter().filter(|h| **h == ReplicaState::Nothing).count();
        let was_acknowledged = committed == 5 || committed >= 3 && committed + nothing == 5;
        assert!(!(was_acknowledged && seen[1]), "{states:?}");
        if committed > 2 {
            assert!(!(seen[0] && seen[1]), "{states:?}");
        }
    }
}

#[test]
fn a_writer_at_work_is_left_alone() {
    assert_eq!(verdict(2, &[ALONE, BUSY, ALONE, ALONE, ALONE]), Verdict::Undecided);
    assert_eq!(verdict(2, &[ALONE; 5]), Verdict::Gone);
    assert_eq!(
        verdict(2, &[ALONE, ALONE, ALONE, ALONE, ReplicaState::Committed]),
        Verdict::Readable
    );
    assert_eq!(
        verdict(2, &[ReplicaState::Unknown, ReplicaState::Unknown, ALONE, ALONE, ALONE]),
        Verdict::Gone
    );
    let few = [ReplicaState::Unknown, ReplicaState::Unknown, ReplicaState::Unknown, ALONE, ALONE];
    assert_eq!(verdict(2, &few), Verdict::Undecided);
    let lost = [
        ReplicaState::Committed,
        ReplicaState::Committed,
        ReplicaState::Nothing,
        ReplicaState::Nothing,
        ReplicaState::Nothing,
    ];
    assert_eq!(verdict(2, &lost), Verdict::Undecided, "three that have nothing prove nothing");
    let mut removed = lost;
    removed[4] = ReplicaState::Removed { with_older: true };
    assert_eq!(verdict(2, &removed), Verdict::Gone, "a mark does");
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
