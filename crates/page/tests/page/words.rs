//! Number formats.
use page::words::{
    count, decimals, difference, differences, duration, list, num, one_of, percent, range, rate,
    spaced,
};

/// No-break and thin spaces as `_` and `'`, the real minus as `~`.
fn seen(text: &str) -> String {
    text.replace("\u{2060}\u{2009}\u{2060}", "'").replace('\u{a0}', "_").replace('\u{2212}', "~")
}

#[test]
fn numbers() {
    let cases = [
        (num(12_000.0, 0), "12'000"),
        (num(1_234_567.0, 0), "1'234'567"),
        (num(999.0, 0), "999"),
        (num(-1.6, 1), "~1.6"),
        (num(-0.04, 1), "0.0"),
        (num(0.0, 0), "0"),
        (num(1.355, 2), "1.35"),
        (percent(0.384), "38_%"),
        (count(1, "block"), "1_block"),
        (count(12_000, "block"), "12'000_blocks"),
        (list(&["a".into(), "b".into(), "c".into()]), "a, b and c"),
    ];
    for (found, wanted) in cases {
        assert_eq!(seen(&found), wanted);
    }
}

#[test]
fn durations_have_three_digits_that_count() {
    let cases = [
        (0.0, "0"),
        (0.04, "0.04_s"),
        (4.8, "4.80_s"),
        (9.994, "9.99_s"),
        (9.996, "10.0_s"),
        (48.0, "48.0_s"),
        (99.96, "100_s"),
        (480.4, "480_s"),
        (599.4, "599_s"),
        (599.6, "10_min"),
        (630.0, "10_min_30_s"),
        (3_599.6, "1_h"),
        (7_500.0, "2_h_5_min"),
        (-22.4, "~22.4_s"),
        (-630.0, "~10_min_30_s"),
    ];
    for (seconds, wanted) in cases {
        assert_eq!(seen(&duration(seconds)), wanted, "{seconds}");
    }
    assert_eq!([0.0, 4.8, 48.0, 480.0].map(decimals), [0, 2, 1, 0]);
}

#[test]
fn ranges_and_differences_share_one_decimal_count() {
    let cases = [
        (range(46.8, 50.0), "46.8–50.0_s"),
        (range(9.5, 10.5), "9.5–10.5_s"),
        (range(48.01, 48.02), "48.0_s"),
        (range(500.0, 700.0), "500_s–11_min_40_s"),
        (difference(-22.4, 0.6, 1), "~22.4_±_0.6_s"),
        (difference(-1.6, 0.94, 1), "~1.6_±_0.9_s"),
        (difference(-1.6, 0.0, 1), "~1.6_s"),
        (difference(12.0, 1.0, 1), "+12.0_±_1.0_s"),
        (difference(0.04, 0.1, 1), "0.0_±_0.1_s"),
        (difference(-4_000.0, 60.4, 0), "~1_h_7_min_±_60_s"),
        (differences(-11.4, -2.3, 1), "~11.4 to ~2.3_s"),
        (differences(0.8, 12.0, 1), "+0.8 to +12.0_s"),
        (differences(-2.31, -2.29, 1), "~2.3_s"),
        (differences(-700.0, -2.0, 0), "~11_min_40_s to ~2_s"),
    ];
    for (found, wanted) in cases {
        assert_eq!(seen(&found), wanted);
    }
}

#[test]
fn values_of_files_have_their_units_set_off() {
    for (value, wanted) in [
        ("10Gbit/s", "10_Gbit/s"),
        ("0.1ms", "0.1_ms"),
        ("150MB/s × 12", "150_MB/s × 12"),
        ("hdd-7200 × 12", "hdd-7200 × 12"),
        ("150 MB/s", "150 MB/s"),
        ("12", "12"),
    ] {
        assert_eq!(seen(&spaced(value)), wanted);
    }
}

#[test]
fn rates_have_up_to_three_digits_and_no_zeros_at_their_end() {
    for (value, wanted) in [
        (1.25e9, "1.25_GB/s"),
        (150e6, "150_MB/s"),
        (4.0e9, "4_GB/s"),
        (12.3e3, "12.3_kB/s"),
        (999.9e6, "1_GB/s"),
        (7.0, "7_B/s"),
        (0.0, "0"),
    ] {
        assert_eq!(seen(&rate(value)), wanted);
    }
}

#[test]
fn a_unit_says_how_its_numbers_are_written() {
    for (unit, value, wanted) in [
        ("s", 630.0, "10_min_30_s"),
        ("B", 2.5e6, "2.5_MB"),
        ("B/s", 1.25e9, "1.25_GB/s"),
        ("%", 0.384, "38_%"),
        ("x", 1.36, "1.36"),
        ("kop/s", 68.4, "68.4_kop/s"),
        ("op/s", 12_000.0, "12'000_op/s"),
        ("", 8.0, "8"),
        ("", 3.25, "3.25"),
    ] {
        assert_eq!(seen(&page::Unit::from(unit).write(value)), wanted);
    }
}

#[test]
fn one_is_no_plural() {
    let many = ["clients", "directories", "map slots", "disks foreign", "maps"];
    let one = ["client", "directory", "map slot", "disk foreign", "map"];
    assert_eq!(many.map(one_of), one)
}
