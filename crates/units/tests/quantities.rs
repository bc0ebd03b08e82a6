//! What is read, what is refused, and that what is printed is read again.
use units::{Bytes, BytesPerSec, Carry, Nanos, hadoop_size, hadoop_time};

/// `text = value`, or `text ! what was expected`.
fn table(cases: &str, read: impl Fn(&str) -> Result<u64, units::ParseUnitError>) {
    for case in cases.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some((text, expected)) = case.split_once(" ! ") {
            let error = read(text).expect_err(case);
            assert!(error.expected.starts_with(expected), "{case}\n{error}");
            assert_eq!(error.found, text.trim());
        } else {
            let (text, value) = case.split_once(" = ").expect(case);
            assert_eq!(read(text).as_ref().map(u64::to_string), Ok(value.to_string()), "{case}");
        }
    }
}

#[test]
fn sizes() {
    table(
        "67MB = 67000000
         128MiB = 134217728
         128 MiB = 134217728
         1.5KiB = 1536
         0B = 0
         0.5kB = 500
         18446744073709551615B = 18446744073709551615
         18446744073709551616B ! a value below
         99999999TB ! a value below
         999999999999999999999B ! an amount
         0.3KiB ! a whole number of bytes
         67 ! an amount
         67mb ! an amount
         67Mb ! an amount
         67Mbit ! an amount
         MB ! an amount
         .5MB ! an amount
         5.MB ! an amount
         1.2.3MB ! an amount
         1e3MB ! an amount
         -1MB ! a value that is not negative
         65MB/s ! an amount",
        |text| text.parse::<Bytes>().map(|b| b.0),
    );
    assert!("".parse::<Bytes>().is_err());
}

#[test]
fn rates() {
    table(
        "65MB/s = 65000000
         125MB/s = 125000000
         10Gbit/s = 1250000000
         2.5Gbit/s = 312500000
         100 Mbit/s = 12500000
         1MiB/s = 1048576
         8bit/s = 1
         4bit/s ! a whole number of bytes a second
         65MB ! a rate with its unit and `/s`
         125Mb/s ! a rate
         65 ! a rate
         /s ! a rate
         -5MB/s ! a value that is not negative",
        |text| text.parse::<BytesPerSec>().map(|r| r.0),
    );
}

#[test]
fn times() {
    table(
        "0.1ms = 100000
         0s = 0
         3s = 3000000000
         10min = 600000000000
         1h = 3600000000000
         5us = 5000
         5µs = 5000
         0.5ns ! a whole number of nanoseconds
         3 ! a time
         3m = 180000000000
         3sec ! a time
         -1s ! a value that is not negative
         6000000h ! a value below
         10000000000000000000d ! a value below",
        |text| text.parse::<Nanos>().map(|t| t.0),
    );
}

#[test]
fn hadoop_sizes() {
    table(
        "134217728 = 134217728
         128m = 134217728
         128M = 134217728
         1k = 1024
         64g = 68719476736
         1t = 1099511627776
         1p = 1125899906842624
         15e = 17293822569102704640
         16e ! a value below
         128mb ! a Hadoop size
         128 m ! a Hadoop size
         12x ! a Hadoop size
         m ! a Hadoop size
         1.5g ! a Hadoop size
         -1 ! a value that is not negative",
        hadoop_size,
    );
    assert!(hadoop_size("").is_err());
}

#[test]
fn hadoop_times() {
    let milliseconds = |text: &str| hadoop_time(text, 1_000_000).map(|t| t.0);
    table(
        "300000 = 300000000000
         3s = 3000000000
         3S = 3000000000
         5m = 300000000000
         1h = 3600000000000
         1d = 86400000000000
         7ms = 7000000
         7us = 7000
         7ns = 7
         1.5s ! a Hadoop time
         3min ! a Hadoop time
         s ! a Hadoop time
         99999999999999999999d ! a value below
         -1 ! a value that is not negative",
        milliseconds,
    );
    assert!(milliseconds("").is_err());
    assert_eq!(hadoop_time("3", 1_000_000_000), Ok(Nanos::secs(3)));
}

#[test]
fn printed_as_people_write() {
    let shown = |v: u64| format!("{} {} {}", Bytes(v), BytesPerSec(v), Nanos(v));
    assert_eq!(shown(0), "0B 0B/s 0s");
    assert_eq!(shown(67_000_000), "67MB 67MB/s 67ms");
    assert_eq!(shown(134_217_728), "128MiB 128MiB/s 134.217728ms");
    assert_eq!(shown(100_000), "100kB 100kB/s 100us");
    assert_eq!(shown(1_250_000_000), "1.25GB 1.25GB/s 1.25s");
    assert_eq!(shown(1001), "1.001kB 1.001kB/s 1.001us");
    assert_eq!(format!("{:>8}|{:<8}|", Bytes(512), Nanos(9)), "    512B|9ns     |");
}

/// A small generator (SplitMix64) so that the test draws the same numbers each time.
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn what_is_printed_is_read_again() {
    let mut state = 1;
    for round in 0..20_000 {
        let random = draw(&mut state) >> (round % 64);
        let rounded = random / 1000 * 1000;
        for v in [random, rounded, random << (round % 40), u64::MAX - random] {
            assert_eq!(Bytes(v).to_string().parse(), Ok(Bytes(v)), "{v}");
            assert_eq!(BytesPerSec(v).to_string().parse(), Ok(BytesPerSec(v)), "{v}");
            assert_eq!(Nanos(v).to_string().parse(), Ok(Nanos(v)), "{v}");
        }
    }
}

#[test]
fn nothing_written_makes_it_panic() {
    let letters: Vec<char> = "0123456789.-+eMmGKkiBbt/s µ\u{2007}é٣".chars().collect();
    let mut state = 2;
    for _ in 0..50_000 {
        let length = draw(&mut state) % 24;
        let text: String = (0..length)
            .map(|_| letters[(draw(&mut state) % letters.len() as u64) as usize])
            .collect();
        let _ = (text.parse::<Bytes>(), text.parse::<BytesPerSec>(), text.parse::<Nanos>());
        let _ = (hadoop_size(&text), hadoop_time(&text, 86_400_000_000_000));
    }
}

/// However a stream is cut into packets, its packets take as long as the whole (to 1 ns).
#[test]
fn a_carried_remainder_is_not_lost() {
    let mut state = 3;
    for _ in 0..200 {
        let rate = BytesPerSec(1 + draw(&mut state) % 13_000_000_000);
        let (mut carry, mut sum, mut bytes) = (Carry::default(), Nanos::ZERO, Bytes(0));
        for _ in 0..500 {
            let packet = Bytes(draw(&mut state) % 65_536);
            sum += rate.time_carried(packet, &mut carry);
            bytes += packet;
            assert!(carry.0 < rate.0);
            let whole = rate.time_for(bytes);
            assert!(sum <= whole && whole.0 - sum.0 <= 1, "{sum} {whole} {rate}");
        }
    }
    let third = BytesPerSec(3);
    let mut carry = Carry::default();
    let times: Vec<u64> = (0..6).map(|_| third.time_carried(Bytes(1), &mut carry).0).collect();
    assert_eq!(times, [333333333, 333333333, 333333334, 333333333, 333333333, 333333334]);
}

#[test]
fn what_passes_in_a_time() {
    assert_eq!(BytesPerSec::mb(65).bytes_in(Nanos::secs(2)), Bytes::mb(130));
    assert_eq!(BytesPerSec(3).bytes_in(Nanos::millis(500)), Bytes(1));
}
