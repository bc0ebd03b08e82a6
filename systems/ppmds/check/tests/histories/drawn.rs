//! Small random histories with readdirs, against all orders.
use crate::service::{BEGIN, Service, blind};
use ppmds_check::{Call, Event, Outcome, brute, check};
use std::collections::BTreeSet;

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

fn call(dice: &mut Dice, directories: &[u64]) -> Call {
    let directory = directories[dice.below(directories.len() as u64) as usize];
    let mut entry = || (directory, ["a", "b"][dice.below(2) as usize].to_string());
    let (one, two) = (entry(), entry());
    match dice.below(12) {
        0..=2 => Call::Create { entry: one, mode: 0 },
        3 => Call::Mkdir { entry: (1, one.1), mode: 0 },
        4..=5 => Call::Unlink { entry: one },
        6 => Call::Rmdir { entry: (1, one.1) },
        7 => Call::Rename { from: one, to: two },
        8 => Call::Lookup { entry: one },
        _ => Call::Readdir { directory },
    }
}

/// Operations of three clients, each at one moment, but each entry of a readdir at another one.
/// Some results are changed, and may still be possible.
fn draw(seed: u64) -> Vec<Event> {
    let mut dice = Dice(seed);
    let mut service = Service::new();
    let (mut free, mut directories) = ([0; 3], vec![1]);
    let mut all: Vec<Event> = Vec::new();
    // States with their start times.
    let mut states = vec![(0, service.files.clone())];
    for number in 0..7 {
        let moment = 10 * (u64::from(number) + 1);
        let client = dice.below(3) as usize;
        let from = (moment - dice.below(25).min(moment)).max(free[client]);
        let to = moment.max(from) + dice.below(25);
        free[client] = to;
        let call = call(&mut dice, &directories);
        let moment = moment.max(from);
        // Moments increase, so that operations take effect in the order of the list.
        let moment = moment.max(states[states.len() - 1].0).min(to);
        let client = client as u32;
        let (result, saw) = service.work(&call, (client, number), None);
        if let (Call::Mkdir { .. }, Outcome::Ino(ino)) = (&call, &result) {
            directories.push(*ino)
        }
        states.push((moment, service.files.clone()));
        let (invoked_ns, completed_ns, result) = (from, Some(to), Some(result));
        all.push(Event { client, number, call, invoked_ns, completed_ns, result, saw })
    }
    for event in &mut all {
        change(event, &mut dice)
    }
    all
}

fn change(event: &mut Event, dice: &mut Dice) {
    let Some(Outcome::Entries(listed)) = &mut event.result else { return };
    match dice.below(4) {
        0 => listed.retain(|_| dice.below(2) == 0),
        1 => {
            let (name, ino) = (["a", "b"][dice.below(2) as usize], 101 + dice.below(7));
            if listed.iter().all(|(other, _)| other != name) {
                listed.push((name.into(), ino))
            }
        }
        _ => {}
    }
}

/// Whether some order gives all results and all versions seen.
fn possible(history: &[Event]) -> bool {
    let mut tried = BTreeSet::new();
    extend(history, &BTreeSet::new(), &Service::new(), &mut tried)
}

type Done = BTreeSet<(usize, String)>;

fn extend(
    history: &[Event],
    done: &Done,
    service: &Service,
    tried: &mut BTreeSet<(Done, Service)>,
) -> bool {
    // A readdir sees each name separately, and its directory without a name.
    let names = |event: &Event| match event.call {
        Call::Readdir { .. } if matches!(event.result, Some(Outcome::Entries(_))) => {
            vec!["", "a", "b"]
        }
        _ => vec![""],
    };
    let all = history.iter().enumerate();
    let all =
        all.flat_map(|(at, event)| names(event).into_iter().map(move |n| (at, n.to_string())));
    let left: Vec<(usize, String)> = all.filter(|part| !done.contains(part)).collect();
    if left.is_empty() {
        return true;
    }
    if !tried.insert((done.clone(), service.clone())) {
        return false;
    }
    let first = left.iter().filter_map(|(at, _)| history[*at].completed_ns).min().unwrap();
    left.into_iter().filter(|(at, _)| history[*at].invoked_ns <= first).any(|(at, name)| {
        let event = &history[at];
        let mut service = service.clone();
        let right = match (&event.call, &event.result) {
            (Call::Readdir { directory }, Some(Outcome::Entries(listed))) => {
                let ino = listed.iter().find(|(other, _)| *other == name).map(|(_, ino)| *ino);
                match name.is_empty() {
                    true => service.files.is_directory(*directory),
                    false => service.files.get(&(*directory, name.clone())) == ino,
                }
            }
            (call, result) => {
                let new = Some(event.new_inode()).filter(|ino| *ino != 0);
                let (came, saw) = service.work(call, event.version(), new);
                *result == Some(came) && saw == event.saw
            }
        };
        let mut done = done.clone();
        done.insert((at, name));
        right && extend(history, &done, &service, tried)
    })
}

#[test]
fn lists_are_judged_as_by_all_orders() {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..3_000 {
        let history = draw(seed);
        let text = || history.iter().map(|e| format!("\n  {}", e.say())).collect::<String>();
        let expected = possible(&history);
        let verdict = check(&history, &BEGIN);
        assert_eq!(verdict.faults.is_empty(), expected, "{seed}: {:?}{}", verdict.faults, text());
        *if expected { &mut right } else { &mut wrong } += 1;
        let blind = blind(&history);
        let expected = brute::possible(&blind, &BEGIN);
        let verdict = check(&blind, &BEGIN);
        assert!(verdict.decided);
        assert_eq!(verdict.faults.is_empty(), expected, "{seed}: {:?}{}", verdict.faults, text())
    }
    assert!(right > 1_000 && wrong > 300, "{right} {wrong}");
}

/// Many operations without versions, whose search hardly backtracks.
#[test]
fn a_long_history_without_versions_is_decided() {
    let mut dice = Dice(7);
    let mut service = Service::new();
    let mut history = Vec::new();
    for number in 0..1_200u32 {
        let call = call(&mut dice, &[1]);
        let (result, saw) = service.work(&call, (number % 16, number), None);
        let from = 10 * u64::from(number);
        let (invoked_ns, completed_ns) = (from, Some(from + 100 + dice.below(50)));
        let (client, result) = (number % 16, Some(result));
        history.push(Event { client, number, call, invoked_ns, completed_ns, result, saw })
    }
    let verdict = check(&blind(&history), &BEGIN);
    assert!(verdict.faults.is_empty() && verdict.decided, "{verdict:?}");
    let verdict = check(&history, &BEGIN);
    assert!(verdict.faults.is_empty(), "{verdict:?}");
}
