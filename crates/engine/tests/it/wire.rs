//! The wire form: values are read back as they were written, and other bytes are rejected.
use engine::*;

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
struct Id(u32);

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
enum Colour {
    Red,
    Mixed { red: u8, blue: u8 },
}

#[derive(Message)]
enum Said {
    Nothing,
    Number(u64),
    Many { ids: Vec<Id>, text: String, colour: Colour, to: Lp<Said>, at: Nanos },
    Boxed(Box<Large>),
    Pair(Option<(i8, f64)>, [u16; 3], char),
}

#[derive(Message)]
struct Large {
    all: [u64; 12],
    wide: u128,
}

/// As `Said`, with another name of a field.
#[derive(Message)]
enum Other {
    Nothing,
    Number(u64),
}

fn arbitrary(draw: &mut Draw) -> Said {
    match draw.below(5) {
        0 => Said::Nothing,
        1 => Said::Number(draw.bits()),
        2 => Said::Many {
            ids: (0..draw.below(9)).map(|_| Id(draw.bits() as u32)).collect(),
            text: (0..draw.below(9))
                .map(|_| *draw.pick(&['a', 'ä', '天', '🙂']).unwrap())
                .collect(),
            colour: if draw.chance(0.5) {
                Colour::Red
            } else {
                Colour::Mixed { red: draw.bits() as u8, blue: 7 }
            },
            to: lp(draw.below(100) as u32),
            at: Nanos(draw.bits()),
        },
        3 => Said::Boxed(Box::new(Large {
            all: std::array::from_fn(|_| draw.bits()),
            wide: (draw.bits() as u128) << 64 | 1,
        })),
        _ => {
            let some = draw.chance(0.5);
            let pair = some.then(|| (draw.bits() as i8, draw.unit()));
            Said::Pair(pair, std::array::from_fn(|_| draw.bits() as u16), '権')
        }
    }
}

fn lp(id: u32) -> Lp<Said> {
    let mut topology = Topology::new(Nanos(1), Nanos(1));
    topology.place::<Said>(100, |_| 0).at(id)
}

#[test]
fn what_goes_out_comes_back() {
    for n in 0..2000 {
        let said = arbitrary(&mut Draw::keyed(1, "wire", 0, n));
        let bytes = to_wire(&said);
        assert_eq!(from_wire::<Said>(&bytes), Ok(said.clone()));
        assert_eq!(Hasher::of(&said), Hasher::of(&from_wire::<Said>(&bytes).unwrap()));
    }
}

#[test]
fn broken_bytes_are_an_error_and_never_a_panic() {
    let mut draw = Draw::keyed(2, "wire", 0, 0);
    for _ in 0..300 {
        let said = arbitrary(&mut draw);
        let bytes = to_wire(&said);
        for cut in 0..bytes.len() {
            assert!(from_wire::<Said>(&bytes[..cut]).is_err(), "cut at {cut}: {said:?}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(from_wire::<Said>(&longer), Err(WireError::Long));
        for _ in 0..50 {
            let mut wrong = bytes.clone();
            let at = draw.below(wrong.len() as u64) as usize;
            wrong[at] = draw.bits() as u8;
            // Another value, or an error. A value is written as it was read.
            if let Ok(other) = from_wire::<Said>(&wrong) {
                assert_eq!(to_wire(&other), wrong)
            }
        }
    }
}

#[test]
fn another_version_of_a_type_is_told_apart() {
    assert_eq!(from_wire::<Other>(&to_wire(&Said::Number(1))), Err(WireError::Schema));
    assert_eq!(from_wire::<Said>(&to_wire(&Other::Nothing)), Err(WireError::Schema));
    assert!(matches!(from_wire(&to_wire(&Other::Number(3))), Ok(Other::Number(3))));
    assert!(WireError::Schema.to_string().contains("same version"));
}
