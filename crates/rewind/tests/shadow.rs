//! Compares journalled containers with cloned snapshots, under any mix of changes, marks, rewinds
//! and commits.
use rewind::{
    Array, Catalog, Digest, Hasher, JournalOverflow, Queue, Rewind, Scalar, Table, Var,
    bound_journals,
};
use std::{
    collections::{BTreeMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// A generator, since this crate has none.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) * n) >> 31
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
enum Phase {
    Idle,
    Busy { since: u32 },
}

/// An enum whose variants hold containers: rows under one key change their variant.
#[derive(Rewind)]
enum Row {
    Many(Queue<u32>),
    Deep(Table<u8, Row3>),
    Plain(u64),
}

#[derive(Rewind, Default)]
struct Row3 {
    inner: Queue<u32>,
    count: u64,
}

#[derive(Rewind)]
struct State {
    phase: Phase,
    n: u64,
    queue: Queue<u32>,
    array: Array<u32>,
    catalog: Catalog<u32, u64>,
    text: Var<String>,
    table: Table<u32, u64>,
    nested: Table<u32, Table<u32, Queue<u32>>>,
    kinds: Table<u32, Row>,
}

/// The same in std containers, cloned at every mark.
#[derive(Clone, PartialEq, Debug)]
enum Shade {
    Many(VecDeque<u32>),
    Deep(BTreeMap<u8, (VecDeque<u32>, u64)>),
    Plain(u64),
}

#[derive(Clone, PartialEq, Debug)]
struct Shadow {
    phase: Phase,
    n: u64,
    queue: VecDeque<u32>,
    array: Vec<u32>,
    catalog: BTreeMap<u32, u64>,
    text: String,
    table: BTreeMap<u32, u64>,
    nested: BTreeMap<u32, BTreeMap<u32, VecDeque<u32>>>,
    kinds: BTreeMap<u32, Shade>,
}

fn row(row: &Row) -> Shade {
    match row {
        Row::Many(q) => Shade::Many(q.iter().copied().collect()),
        Row::Deep(t) => Shade::Deep(
            t.iter().map(|(k, r)| (*k, (r.inner.iter().copied().collect(), r.count))).collect(),
        ),
        Row::Plain(n) => Shade::Plain(*n),
    }
}

/// What the state reads as.
fn read(s: &State) -> Shadow {
    let inner = |t: &Table<u32, Queue<u32>>| {
        t.iter().map(|(k, q)| (*k, q.iter().copied().collect())).collect()
    };
    Shadow {
        phase: s.phase,
        n: s.n,
        queue: s.queue.iter().copied().collect(),
        array: s.array.to_vec(),
        catalog: s.catalog.iter().map(|(k, v)| (*k, *v)).collect(),
        text: s.text.clone(),
        table: s.table.iter().map(|(k, v)| (*k, *v)).collect(),
        nested: s.nested.iter().map(|(k, t)| (*k, inner(t))).collect(),
        kinds: s.kinds.iter().map(|(k, r)| (*k, row(r))).collect(),
    }
}

fn change_plain(s: &mut State, w: &mut Shadow, d: &mut Dice) {
    let (x, i) = (d.below(1000) as u32, d.below(6) as usize);
    match d.below(19) {
        0 => {
            (s.phase, w.phase) = (Phase::Busy { since: x }, Phase::Busy { since: x });
            (s.n, w.n) = (s.n + 1, w.n + 1)
        }
        1 => (s.phase, w.phase) = (Phase::Idle, Phase::Idle),
        2 | 3 => (s.queue.push_back(x), w.queue.push_back(x)).0,
        4 => (s.queue.push_front(x), w.queue.push_front(x)).0,
        5 => assert_eq!(s.queue.pop_front(), w.queue.pop_front()),
        6 => assert_eq!(s.queue.pop_back(), w.queue.pop_back()),
        7 => assert_eq!(s.queue.remove(i), w.queue.remove(i)),
        8 => assert_eq!(
            s.queue.update(i, |v| *v += 1).is_some(),
            w.queue.get_mut(i).map(|v| *v += 1).is_some()
        ),
        9 => (s.queue.replace(0..x % 5), w.queue = (0..x % 5).collect()).0,
        10 | 11 => (s.array.push(x), w.array.push(x)).0,
        12 => assert_eq!(s.array.pop(), w.array.pop()),
        13 if !w.array.is_empty() => {
            let i = i % w.array.len();
            s.array.set(i, x);
            w.array[i] = x
        }
        14 if !w.array.is_empty() => {
            let i = i % w.array.len();
            s.array.update(i, |v| *v = v.wrapping_mul(3) + 1);
            w.array[i] = w.array[i].wrapping_mul(3) + 1
        }
        15 => (s.array.replace([x; 3]), w.array = vec![x; 3]).0,
        16 => (s.text.set(x.to_string()), w.text = x.to_string()).0,
        17 => (s.text.update(|t| t.push('x')), w.text.push('x')).0,
        _ => {}
    }
}

fn change_tables(s: &mut State, w: &mut Shadow, d: &mut Dice) {
    let (k, x) = (d.below(4) as u32, d.below(1000));
    match d.below(9) {
        0 => assert_eq!(s.table.insert(k, x), w.table.insert(k, x).is_none()),
        1 => {
            assert_eq!(s.table.add(k, x), !w.table.contains_key(&k));
            w.table.entry(k).or_insert(x);
        }
        2 => assert_eq!(s.table.remove(&k), w.table.remove(&k)),
        3 => assert_eq!(s.table.discard(&k), w.table.remove(&k).is_some()),
        4 => assert_eq!(
            s.table.update(&k, |v| *v += 1).is_some(),
            w.table.get_mut(&k).map(|v| *v += 1).is_some()
        ),
        5 => assert_eq!(s.table.pop_first(), w.table.pop_first()),
        6 if x < 100 => (s.table.clear(), w.table.clear()).0,
        7 => {
            s.table.update_or_insert(k, || 5, |v| *v *= 2);
            *w.table.entry(k).or_insert(5) *= 2
        }
        _ => {
            assert!(s.table.range(1..3).eq(w.table.range(1..3)));
            assert_eq!(
                (s.table.first(), s.table.last()),
                (w.table.first_key_value(), w.table.last_key_value())
            );
            assert!(s.table.keys().eq(w.table.keys()))
        }
    }
}

fn change_catalog(s: &mut State, w: &mut Shadow, d: &mut Dice) {
    let (k, x) = (1 + d.below(40) as u32, d.below(1000));
    match d.below(9) {
        0..3 => {
            assert_eq!(s.catalog.add(k, x), !w.catalog.contains_key(&k));
            w.catalog.entry(k).or_insert(x);
        }
        3..5 => assert_eq!(s.catalog.insert(k, x), w.catalog.insert(k, x).is_none()),
        5..7 => assert_eq!(s.catalog.discard(&k), w.catalog.remove(&k).is_some()),
        7 => assert_eq!(s.catalog.get(&k), w.catalog.get(&k)),
        _ => {
            let upto = k + 1 + x as u32 % 20;
            let mut rows = s.catalog.between(&k, &(upto + 1));
            assert_eq!(rows.len(), w.catalog.range(k + 1..=upto).count());
            assert_eq!(rows.nth(2), w.catalog.range(k + 1..=upto).nth(2));
            assert!(rows.eq(w.catalog.range(k + 1..=upto).skip(3)))
        }
    }
}

fn change_nested(s: &mut State, w: &mut Shadow, d: &mut Dice) {
    let (k, j, x) = (d.below(3) as u32, d.below(3) as u32, d.below(1000) as u32);
    match d.below(7) {
        0 => assert_eq!(s.nested.discard(&k), w.nested.remove(&k).is_some()),
        1 => assert_eq!(
            s.nested.insert(k, Table::new()),
            w.nested.insert(k, BTreeMap::new()).is_none()
        ),
        2 => {
            // A row made outside, with content.
            let fresh: Table<u32, Queue<u32>> = [(j, (0..3).collect())].into_iter().collect();
            s.nested.insert(k, fresh);
            w.nested.insert(k, [(j, (0..3).collect())].into());
        }
        3 => {
            s.nested.update(&k, |t| t.discard(&j));
            w.nested.get_mut(&k).map(|t| t.remove(&j));
        }
        _ => {
            s.nested.update_or_insert(k, Table::new, |t| {
                t.update_or_insert(j, Queue::new, |q| {
                    q.push_back(x);
                    if q.len() > 3 {
                        q.pop_front();
                    }
                })
            });
            let q = w.nested.entry(k).or_default().entry(j).or_default();
            q.push_back(x);
            if q.len() > 3 {
                q.pop_front();
            }
        }
    }
}

fn change_kinds(s: &mut State, w: &mut Shadow, d: &mut Dice) {
    let (k, x) = (d.below(3) as u32, d.below(1000) as u32);
    match d.below(7) {
        0 => drop((
            s.kinds.insert(k, Row::Many(Queue::new())),
            w.kinds.insert(k, Shade::Many(VecDeque::new())),
        )),
        1 => drop((s.kinds.insert(k, Row::Plain(7)), w.kinds.insert(k, Shade::Plain(7)))),
        2 => drop((
            s.kinds.insert(k, Row::Deep(Table::new())),
            w.kinds.insert(k, Shade::Deep(BTreeMap::new())),
        )),
        3 => assert_eq!(s.kinds.discard(&k), w.kinds.remove(&k).is_some()),
        _ => {
            s.kinds.update(&k, |r| match r {
                Row::Many(q) => q.push_front(x),
                Row::Plain(n) => *n += x as u64,
                Row::Deep(t) => t.update_or_insert((x % 3) as u8, Row3::default, |r| {
                    r.inner.push_back(x);
                    r.count += 1
                }),
            });
            match w.kinds.get_mut(&k) {
                Some(Shade::Many(q)) => q.push_front(x),
                Some(Shade::Plain(n)) => *n += x as u64,
                Some(Shade::Deep(t)) => {
                    let r = t.entry((x % 3) as u8).or_default();
                    r.0.push_back(x);
                    r.1 += 1
                }
                None => {}
            }
        }
    }
}

fn fresh() -> State {
    State {
        phase: Phase::Idle,
        n: 0,
        queue: (0..3).collect(),
        array: (0..3).collect(),
        catalog: Catalog::new(),
        text: Var::new(String::from("a")),
        table: [(1, 1)].into_iter().collect(),
        nested: [(1, [(1, (0..2).collect())].into_iter().collect())].into_iter().collect(),
        kinds: [(1, Row::Many((0..2).collect()))].into_iter().collect(),
    }
}

type Mark = <State as Rewind>::Mark;

fn change(s: &mut State, w: &mut Shadow, d: &mut Dice) {
    match d.below(18) {
        15.. => change_catalog(s, w, d),
        0..3 => change_tables(s, w, d),
        3..6 => change_nested(s, w, d),
        6..9 => change_kinds(s, w, d),
        _ => change_plain(s, w, d),
    }
}

fn fuzz(seed: u64) {
    let mut d = Dice(seed);
    let mut state = fresh();
    state.journal(Some(0));
    let mut shadow = read(&state);
    let mut marks: VecDeque<(Mark, Shadow, u128)> = VecDeque::new();
    for _ in 0..4000 {
        match d.below(20) {
            0..3 => marks.push_back((state.mark(), shadow.clone(), Hasher::of(&state))),
            3 if !marks.is_empty() => {
                let to = d.below(marks.len() as u64) as usize;
                state.rewind(&marks[to].0);
                shadow = marks[to].1.clone();
                assert_eq!(
                    Hasher::of(&state),
                    marks[to].2,
                    "the digest tells more than the content"
                );
                marks.truncate(to + 1)
            }
            4 if marks.len() > 4 => {
                let upto = d.below(marks.len() as u64) as usize;
                state.commit(&marks[upto].0);
                marks.drain(..upto);
            }
            _ => change(&mut state, &mut shadow, &mut d),
        }
        assert_eq!(read(&state), shadow)
    }
}

#[test]
fn containers_go_back_to_what_they_were() {
    (0..150).for_each(fuzz)
}

/// The first change beyond a limit can be undone, whatever it is.
#[test]
fn a_change_that_is_broken_off_goes_back_to_what_was() {
    let mut broken = 0;
    for seed in 0..300 {
        let mut d = Dice(seed);
        let mut state = fresh();
        state.journal(Some(0));
        let mut shadow = read(&state);
        for _ in 0..300 {
            let before = (state.mark(), shadow.clone());
            bound_journals(d.below(3) as usize, || true);
            let work = AssertUnwindSafe(|| change(&mut state, &mut shadow, &mut d));
            let done = catch_unwind(work);
            bound_journals(usize::MAX, || true);
            if let Err(said) = done {
                said.downcast::<JournalOverflow>().map_or_else(|other| resume_unwind(other), drop);
                broken += 1;
                state.rewind(&before.0);
                shadow = before.1
            }
            assert_eq!(read(&state), shadow, "seed {seed}")
        }
    }
    assert!(broken > 3000, "{broken} were broken off")
}

/// Changes that were aborted and undone leave no more changes to the next event.
#[test]
fn a_bound_holds_however_often_it_is_met() {
    let mut table: Table<u64, u64> = Table::new();
    table.journal(Some(0));
    for time in 0..5 {
        let (mark, mut inserted) = (table.mark(), 0);
        bound_journals(1000, || true);
        let forever = AssertUnwindSafe(|| {
            loop {
                table.insert(inserted, 0);
                inserted += 1
            }
        });
        let broken = catch_unwind(forever);
        bound_journals(usize::MAX, || true);
        assert!(broken.is_err_and(|said| said.is::<JournalOverflow>()));
        table.rewind(&mark);
        assert_eq!(inserted, 1000, "time {time}")
    }
}

/// `has_room` limits changes of any size, whatever changes were before and have left free memory in
/// the journal.
#[test]
fn a_journal_does_not_grow_without_room() {
    let (mut var, mut set) = (Var::new(vec![0u64; 100]), 0u64);
    var.journal(Some(0));
    let mark = var.mark();
    (0..10_000).for_each(|_| var.set(vec![]));
    var.rewind(&mark);
    bound_journals(usize::MAX, || false);
    let work = AssertUnwindSafe(|| {
        for _ in 0..10_000 {
            var.set(vec![1; 100]);
            set += 1
        }
    });
    let broken = catch_unwind(work);
    bound_journals(usize::MAX, || true);
    assert!(broken.is_err_and(|said| said.is::<JournalOverflow>()));
    assert_eq!(set, 256);
    var.rewind(&mark);
    assert_eq!(*var, [0; 100])
}

#[test]
fn parts_have_the_names_of_the_fields() {
    let mut names = vec![];
    fresh().parts(&mut |name, _| names.push(name));
    assert_eq!(
        names,
        ["phase", "n", "queue", "array", "catalog", "text", "table", "nested", "kinds"]
    );
    let mut names = vec![];
    Row::Plain(1).parts(&mut |name, _| names.push(name));
    assert_eq!(names, [""]);
}

/// A copy of the table for each rewind would take minutes.
#[test]
fn the_cost_of_a_rewind_is_the_changes_and_not_the_size() {
    let mut big: Table<u32, u64> = (0..1_000_000).map(|k| (k, 0)).collect();
    big.journal(Some(0));
    for k in 0..10_000 {
        let mark = big.mark();
        big.update(&k, |v| *v += 1);
        big.rewind(&mark);
        big.commit(&mark)
    }
    assert!((0..10_000).all(|k| big.get(&k) == Some(&0)))
}

/// A value that is counted.
#[derive(Clone)]
struct Token(std::rc::Rc<()>);

impl Digest for Token {
    fn digest(&self, h: &mut Hasher) {
        h.word(std::rc::Rc::strong_count(&self.0) as u64)
    }
}

#[test]
fn what_is_committed_is_forgotten_at_every_depth() {
    let count = std::rc::Rc::new(());
    let mut table: Table<u32, Table<u32, Queue<Token>>> = Table::new();
    table.journal(Some(0));
    for round in 0..10 {
        table.update_or_insert(round % 2, Table::new, |inner| {
            inner.update_or_insert(7, Queue::new, |q| {
                q.push_back(Token(count.clone()));
                q.pop_front();
            })
        });
    }
    assert_eq!(std::rc::Rc::strong_count(&count), 11, "all can still be undone");
    let now = table.mark();
    table.commit(&now);
    assert_eq!(std::rc::Rc::strong_count(&count), 1, "nothing is kept");
}
